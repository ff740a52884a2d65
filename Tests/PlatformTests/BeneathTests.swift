import CLinux
import Glibc
import StationTestSupport
import Testing

@testable import Platform

/// Tests of opening files below a directory that another user writes.
struct BeneathTests {
  private typealias Opening = @Sendable (Int32, String, Int32) -> Int32

  // The kernel's own call, and the walk that stands in for it.
  private static let ways: [(name: String, open: Opening)] = [
    ("openat2", { LinuxSystemCalls().openBeneath($0, $1, $2, 0o644) }),
    (
      "walk",
      {
        let fd = clinux_walk_beneath($0, $1, $2 | clinux_o_cloexec, 0o644)
        return fd == -1 ? 0 - errno : fd
      }
    ),
  ]

  private func withFolder(_ body: (String, Int32) throws -> Void) throws {
    var template = Array("/tmp/retake-beneath-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer -> String? in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    let path = try #require(made)
    let names = [
      "outside", "stick/deep/file", "stick/absolute", "stick/up", "stick/inside", "stick/loop",
      "stick/new", "stick/deep/pipe",
    ]
    defer {
      for name in names { unlink("\(path)/\(name)") }
      for name in ["stick/deep", "stick", ""] { rmdir("\(path)/\(name)") }
    }
    mkdir("\(path)/stick", 0o755)
    mkdir("\(path)/stick/deep", 0o755)
    for name in ["outside", "stick/deep/file"] { close(creat("\(path)/\(name)", 0o644)) }
    symlink(path, "\(path)/stick/absolute")
    symlink("..", "\(path)/stick/up")
    symlink("deep", "\(path)/stick/inside")
    symlink("loop", "\(path)/stick/loop")
    mkfifo("\(path)/stick/deep/pipe", 0o644)
    let folder = try Descriptor(
      opening: "\(path)/stick", flags: clinux_o_directory, system: LinuxSystemCalls())
    try body(path, folder.number)
  }

  @Test("no link is followed, and the directory is never left, with openat2 and without")
  func followsNothing() throws {
    let expected: [(path: String, flags: Int32, errors: [Int32])] = [
      ("deep/file", O_RDONLY, []), ("deep//file", O_RDONLY, []), ("deep", clinux_o_directory, []),
      ("deep/", clinux_o_path, []), (".", clinux_o_directory, []),
      ("absolute", clinux_o_directory, [ELOOP, ENOTDIR]),
      ("absolute/outside", O_RDONLY, [ELOOP, ENOTDIR]),
      ("up", clinux_o_directory | clinux_o_nofollow, [ELOOP, ENOTDIR]),
      ("up/outside", O_RDONLY, [ELOOP, ENOTDIR]), ("inside/file", O_RDONLY, [ELOOP, ENOTDIR]),
      ("inside", O_RDONLY, [ELOOP]), ("loop", O_RDONLY, [ELOOP]),
      ("../outside", O_RDONLY, [EXDEV]), ("deep/../deep/file", O_RDONLY, [EXDEV]),
      ("..", clinux_o_directory, [EXDEV]), ("/etc/passwd", O_RDONLY, [EXDEV]),
      ("", O_RDONLY, [ENOENT]), ("none/file", O_RDONLY, [ENOENT]),
      ("deep/file/file", O_RDONLY, [ENOTDIR]),
      (String(repeating: "x", count: 256), O_RDONLY, [ENAMETOOLONG]),
      (String(repeating: "x", count: 256) + "/y", O_RDONLY, [ENAMETOOLONG]),
      (String(repeating: "x/", count: 4000) + "y", O_RDONLY, [ENAMETOOLONG, ENOENT]),
      // A link itself is opened if a link is asked for.
      ("absolute", clinux_o_path | clinux_o_nofollow, []),
      ("deep/pipe", O_RDONLY | clinux_o_nonblock, []),
    ]
    for way in BeneathTests.ways {
      try withFolder { _, folder in
        for (path, flags, errors) in expected {
          let result = way.open(folder, path, flags)
          let note = "\(way.name): \(path.prefix(40))"
          if errors.isEmpty {
            #expect(result >= 0, "\(note): \(result)")
          } else {
            #expect(errors.contains(0 - result), "\(note): \(result)")
          }
          if result > 2 { close(result) }
        }
      }
    }
  }

  @Test("a new file gets its mode, and an old one's link is not written through")
  func makes() throws {
    for way in BeneathTests.ways {
      try withFolder { path, folder in
        let fd = way.open(folder, "new", O_WRONLY | O_CREAT | O_EXCL)
        #expect(fd >= 0, "\(way.name)")
        if fd > 2 { close(fd) }
        var status = stat()
        #expect(stat("\(path)/stick/new", &status) == 0, "\(way.name)")
        #expect(status.st_mode & 0o777 & ~0o644 == 0, "\(way.name)")
        #expect(status.st_mode & 0o600 == 0o600, "\(way.name)")
        unlink("\(path)/stick/new")
        symlink("../outside-new", "\(path)/stick/new")
        let through = way.open(folder, "new", O_WRONLY | O_CREAT | O_TRUNC)
        #expect(through == 0 - ELOOP, "\(way.name)")
        #expect(access("\(path)/outside-new", F_OK) != 0, "\(way.name)")
      }
    }
  }
}
