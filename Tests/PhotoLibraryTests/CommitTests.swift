import Glibc
import StationTestSupport
import Testing

@testable import PhotoLibrary

struct CommitTests {
  @Test("an accepted still is a file with its bytes, whatever the file system can do")
  func saves() throws {
    for way in Way.allCases {
      let sandbox = try Sandbox()
      way.arrange(sandbox.system)
      let library = try sandbox.open()
      for number in 1...3 {
        let photo = try library.save(still(number))
        #expect(photo.name == "IMG_0000000\(number).jpg", "\(way)")
        #expect(photo.number == number)
        #expect(photo.path == "\(sandbox.album)/\(photo.name)")
        #expect(photo.bytes == 5000)
        #expect(try Sandbox.read(photo.path) == still(number), "\(way)")
      }
      #expect(try library.photos().map(\.number) == [3, 2, 1])
    }
  }

  @Test("nothing is findable before it is accepted, after it is discarded, or when it is dropped")
  func nothingUnaccepted() throws {
    for way in Way.allCases {
      let sandbox = try Sandbox()
      way.arrange(sandbox.system)
      let library = try sandbox.open()
      let first = try library.save(still(0))
      let before = sandbox.everything
      let discarded = try library.prepare(still(1))
      #expect(sandbox.everything == before, "\(way)")
      library.discard(discarded)
      #expect(!discarded.isPending)
      #expect(sandbox.everything == before, "\(way)")
      do { _ = try library.prepare(still(2)) }
      #expect(sandbox.everything == before, "\(way)")
      #expect(try library.photos() == [first])
    }
  }

  @Test("a movie grows on the library's disk under no name, whatever the file system can do")
  func movies() throws {
    for way in Way.allCases {
      let sandbox = try Sandbox()
      way.arrange(sandbox.system)
      let library = try sandbox.open()
      _ = try library.save(still(0))
      let before = sandbox.everything
      do { _ = try library.beginMovie() }
      #expect(sandbox.everything == before, "\(way)")
      let movie = try library.beginMovie()
      let bytes = still(1)
      let written = bytes.withUnsafeBytes { sandbox.system.pwrite(movie.descriptor, $0, 0) }
      #expect(written == bytes.count)
      #expect(sandbox.everything == before, "\(way)")
      var (file, album) = (stat(), stat())
      fstat(movie.descriptor, &file)
      stat(sandbox.album, &album)
      #expect(file.st_dev == album.st_dev, "\(way): it is on the disk, not in memory")
      let photo = try library.commit(try library.prepare(movie, bytes: bytes.count))
      #expect(photo.number == 2)
      #expect(try Sandbox.read(photo.path) == bytes, "\(way)")
      #expect(try library.photos().count == 2, "\(way)")
    }
  }

  @Test("a name that a movie's file keeps is removed at the next opportunity")
  func moviesWhoseNameStays() throws {
    let sandbox = try Sandbox()
    Way.temporary.arrange(sandbox.system)
    let library = try sandbox.open()
    sandbox.system.fail("unlinkat", times: 1, with: 16)
    do { _ = try library.beginMovie() }
    #expect(sandbox.everything.contains { $0.hasSuffix(".retake-movie.part") })
    _ = try library.save(still(1))
    #expect(!sandbox.everything.contains { $0.hasSuffix(".retake-movie.part") })
  }

  @Test("a movie needs room twice where it is copied when it is accepted")
  func roomForMovies() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    let free = try #require(freeBytes(sandbox.album))
    let bytes = free / 4 * 3
    #expect(library.room(forMovieOf: bytes) != .full)
    sandbox.system.fail("openUnnamed", times: Way.forever, with: 95)
    do { _ = try library.beginMovie() }
    #expect(library.room(forMovieOf: bytes) == .full)
    #expect(library.room(for: bytes) != .full)
  }

  private func freeBytes(_ path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(status.f_bavail) * Int(status.f_frsize)
  }

  @Test("a candidate is committed once")
  func once() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    let candidate = try library.prepare(still(1))
    _ = try library.commit(candidate)
    #expect(code { _ = try library.commit(candidate) } == .spent)
    #expect(try library.photos().count == 1)
  }

  @Test("short writes and interrupted calls change nothing")
  func shortWrites() throws {
    for way in Way.allCases {
      let sandbox = try Sandbox()
      way.arrange(sandbox.system)
      sandbox.system.shortenWrites(to: 700)
      let library = try sandbox.open()
      for name in ["writev", "fdatasync", "fsync", "openUnnamed", "openat", "linkUnnamed"] {
        sandbox.system.fail(name, with: EINTR)
      }
      let photo = try library.save(still(7))
      #expect(try Sandbox.read(photo.path) == still(7), "\(way)")
    }
  }

  // Each list is exact: it fails when a sync is left out, and when a step changes places with one.
  @Test("the bytes are synced before they get a name, and the name before anyone is told")
  func order() throws {
    let look = ["open", "fstat", "fstat"]
    // A file that was renamed is synced again, then its directory: see FAT in the commit.
    let date = ["openat", "fstat"]
    let reserve = ["openat", "write", "fsync", "rename", "fsync", "fsync"]
    let expected: [(Way, prepare: [String], commit: [String])] = [
      (.unnamed, ["openUnnamed", "writev", "fdatasync"], ["linkUnnamed", "fsync"]),
      (.temporary, [], ["openat", "writev", "fsync", "renameNew", "fsync", "fsync"]),
      (
        .hardLink, [],
        [
          "openat", "writev", "fsync", "renameNew", "openat", "linkUnnamed", "unlinkat", "fsync",
          "fsync",
        ]
      ),
      (
        .plainRename, [],
        [
          "openat", "writev", "fsync", "renameNew", "openat", "linkUnnamed", "openat", "rename",
          "fsync", "fsync",
        ]
      ),
    ]
    for (way, prepare, commit) in expected {
      let sandbox = try Sandbox()
      way.arrange(sandbox.system)
      let library = try sandbox.open()
      sandbox.system.forgetCalls()
      let first = try library.prepare(still(1))
      let tried = way == .unnamed ? prepare : ["openUnnamed"]
      #expect(sandbox.system.calls == look + reserve + tried, "\(way)")
      sandbox.system.forgetCalls()
      _ = try library.commit(first)
      #expect(sandbox.system.calls == commit + date, "\(way)")
      sandbox.system.forgetCalls()
      _ = try library.prepare(still(2))
      #expect(sandbox.system.calls == look + prepare, "\(way)")
    }
  }

  @Test("directories that are made are synced into their parents")
  func directoriesAreSynced() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open()
    let calls = sandbox.system.calls
    let made = calls.indices.filter { calls[$0] == "mkdirat" }
    #expect(made.count == 2)
    for index in made {
      #expect(calls[index...].prefix(4).contains("fsync"), "\(calls)")
    }
  }

  @Test("a file with the next number is stepped over, never replaced")
  func neverReplaces() throws {
    for way in Way.allCases {
      let sandbox = try Sandbox()
      way.arrange(sandbox.system)
      let library = try sandbox.open()
      let candidate = try library.prepare(still(1))
      try Sandbox.write(still(99), to: "\(sandbox.album)/IMG_00000001.jpg")
      try Sandbox.write(still(98), to: "\(sandbox.album)/IMG_00000002.jpg")
      let photo = try library.commit(candidate)
      #expect(photo.number ?? 0 > 2, "\(way)")
      #expect(try Sandbox.read(photo.path) == still(1))
      #expect(try Sandbox.read("\(sandbox.album)/IMG_00000001.jpg") == still(99), "\(way)")
      #expect(try Sandbox.read("\(sandbox.album)/IMG_00000002.jpg") == still(98), "\(way)")
    }
  }

  @Test("an album that is removed while a candidate waits is made again, and nothing is lost")
  func albumRemoved() throws {
    for way in Way.allCases where way != .unlinkable {
      let sandbox = try Sandbox()
      way.arrange(sandbox.system)
      let library = try sandbox.open()
      _ = try library.save(still(1))
      Sandbox.remove(sandbox.album)
      let second = try library.save(still(2))
      #expect(second.number == 2)
      #expect(try Sandbox.read(second.path) == still(2))
    }
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    let candidate = try library.prepare(still(3))
    Sandbox.remove(sandbox.root)
    let photo = try library.commit(candidate)
    #expect(try Sandbox.read(photo.path) == still(3))
    #expect(sandbox.everything.contains(".retake.party.sequence"))
  }
}
