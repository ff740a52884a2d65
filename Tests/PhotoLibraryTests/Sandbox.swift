import CLinux
import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// A directory of its own for a test, removed with everything in it at the end.
final class Sandbox {
  let path: String
  let system = FaultySystemCalls()

  /// Where the others are made: a file system to be tried can be named here.
  static let place = getenv("RETAKE_TEST_DIRECTORY").map { String(cString: $0) } ?? "/tmp"

  init(below parent: String = Sandbox.place) throws {
    var template = Array("\(parent)/retake-library-XXXXXX".utf8CString)
    let made: String? = template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, mkdtemp(start) != nil else { return nil }
      return String(cString: start)
    }
    guard let made else { throw SystemError(errno: errno, call: "mkdtemp", path: parent) }
    path = made
  }

  deinit { Sandbox.remove(path) }

  var root: String { "\(path)/photos" }
  var album: String { "\(root)/party" }

  func configuration(
    album: String = "party", reserve: LibraryConfiguration.Reserve = .standard,
    allowsVolatile: Bool = true
  ) -> LibraryConfiguration {
    LibraryConfiguration(
      root: root, album: album, reserve: reserve, allowsVolatile: allowsVolatile)
  }

  func open(album: String = "party") throws -> PhotoLibrary {
    try PhotoLibrary(configuration: configuration(album: album), system: system)
  }

  /// A directory for copies beside the library, with that album in it.
  func stick(with album: String? = nil) -> String {
    let stick = "\(path)/usb"
    mkdir(stick, 0o755)
    if let album { mkdir("\(stick)/\(album)", 0o755) }
    return stick
  }

  /// Returns the sorted names of all files and directories below the root.
  var everything: [String] { names("") }

  private func names(_ below: String) -> [String] {
    let entries = (try? LinuxSystemCalls().entries("\(root)/\(below)").get()) ?? []
    return entries.sorted().flatMap { name -> [String] in
      let path = below.isEmpty ? name : "\(below)/\(name)"
      return [path] + names(path)
    }
  }

  // Only the link is removed and not its target, because tests make links to places outside.
  static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    if case .success(let names) = LinuxSystemCalls().entries(path) {
      for name in names { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try Descriptor(
      opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644, system: LinuxSystemCalls())
    try file.system.check(bytes.withUnsafeBytes { file.system.write(file.number, $0) }, "write")
  }

  static func read(_ path: String) throws -> [UInt8] {
    let file = try Descriptor(opening: path, flags: O_RDONLY, system: LinuxSystemCalls())
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = block.withUnsafeMutableBytes { file.system.read(file.number, $0) }
      guard try file.system.check(count, "read") > 0 else { return bytes }
      bytes += block.prefix(count)
    }
  }
}

/// Returns a still with unique bytes.
func still(_ seed: Int, count: Int = 5000) -> [UInt8] {
  var state = UInt32(truncatingIfNeeded: seed) &* 2_654_435_761 | 1
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return UInt8(truncatingIfNeeded: state >> 24)
  }
}

extension PhotoLibrary {
  /// Prepares bytes in three pieces, one of them empty.
  func prepare(_ bytes: [UInt8]) throws(LibraryError) -> Candidate {
    let result: Result<Candidate, LibraryError> = bytes.withUnsafeBytes { all in
      let middle = all.count / 3
      let pieces = [
        UnsafeRawBufferPointer(rebasing: all[..<middle]),
        UnsafeRawBufferPointer(rebasing: all[middle..<middle]),
        UnsafeRawBufferPointer(rebasing: all[middle...]),
      ]
      return Result { () throws(LibraryError) -> Candidate in try prepare(segments: pieces) }
    }
    return try result.get()
  }

  func save(_ bytes: [UInt8]) throws(LibraryError) -> Photo { try commit(try prepare(bytes)) }
}

/// The ways to a photo that file systems leave open.
enum Way: String, CaseIterable, Sendable {
  /// Unnamed files and links to them, as on ext4, XFS, Btrfs and tmpfs.
  case unnamed
  /// No unnamed files, as on FAT and exFAT.
  case temporary
  /// No unnamed files and no rename without replacement, as on NFS.
  case hardLink
  /// No unnamed files, no such rename and no hard links, as on some FUSE file systems.
  case plainRename
  /// Unnamed files that cannot be linked, as without /proc.
  case unlinkable

  static let forever = 1_000_000

  func arrange(_ system: FaultySystemCalls) {
    let notSupported: Int32 = 95
    if self == .unlinkable {
      system.fail("linkUnnamed", times: Way.forever, with: 2)
      return
    }
    if self == .unnamed { return }
    system.fail("openUnnamed", times: Way.forever, with: notSupported)
    if self == .temporary { return }
    system.fail("renameNew", times: Way.forever, with: 22)
    if self == .hardLink { return }
    system.fail("linkUnnamed", times: Way.forever, with: 1)
  }
}

/// The code that a call fails with; nil if it does not.
func code(_ body: () throws -> Void) -> LibraryError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? LibraryError)?.code
  }
}
