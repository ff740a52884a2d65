import CLinux
import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

struct LibraryTests {
  @Test("a second station is refused, and told who has the library")
  func oneStation() throws {
    let sandbox = try Sandbox()
    var first: PhotoLibrary? = try sandbox.open()
    do {
      _ = try sandbox.open(album: "other")
      Issue.record("it was let in")
    } catch let error as LibraryError {
      #expect(error.code == .inUse)
      #expect(error.message.contains("process \(getpid())"), "\(error)")
      #expect(error.message.contains(sandbox.root))
    }
    _ = try first?.save(still(1))
    first = nil
    _ = try sandbox.open()
  }

  @Test("a closed library is free at once, whoever still holds it, and takes nothing more")
  func closed() throws {
    let sandbox = try Sandbox()
    let first = try sandbox.open()
    let candidate = try first.prepare(still(1))
    first.close()
    let second = try sandbox.open()
    #expect(code { _ = try first.prepare(still(2)) } == .gone)
    #expect(code { _ = try first.commit(candidate) } == .gone)
    #expect(code { _ = try first.beginMovie() } == .gone)
    #expect(first.room(for: 1) == .gone)
    // To close it again takes nothing from the one that has it now.
    first.close()
    #expect(code { _ = try sandbox.open() } == .inUse)
    #expect(try second.save(still(3)).number == 1)
    second.close()
  }

  @Test("a child that is just being started does not keep the lock of a library that was closed")
  func lockAndChildren() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    // A child has copies of all descriptors until it becomes another program: this is such a copy.
    let numbers = try LinuxSystemCalls().entries("/proc/self/fd").get().compactMap { Int32($0) }
    let copies = numbers.filter { number in
      var path = [CChar](repeating: 0, count: 1024)
      let count = readlink("/proc/self/fd/\(number)", &path, path.count)
      let bytes = path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
      return String(decoding: bytes, as: UTF8.self) == "\(sandbox.root)/.retake.lock"
    }.map { dup($0) }
    defer { copies.forEach { close($0) } }
    #expect(copies.count == 1)
    library.close()
    try sandbox.open().close()
  }

  @Test(
    "names that cannot be an album's are refused",
    arguments: [
      "", ".", "..", ".hidden", "a/b", "/", "a\u{0}b", "line\nbreak",
      "lost+found", String(repeating: "a", count: 65),
    ])
  func albumNames(_ name: String) throws {
    let sandbox = try Sandbox()
    #expect(code { _ = try sandbox.open(album: name) } == .invalidAlbum)
    #expect(code { _ = try PhotoLibrary.photos(root: "/tmp", album: name) } == .invalidAlbum)
  }

  @Test(
    "other names make albums",
    arguments: ["a", "Anna & Bo", "Späti", "a.b", String(repeating: "a", count: 64)])
  func goodAlbumNames(_ name: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.open(album: name).save(still(1)).path.contains("/\(name)/IMG_"))
  }

  @Test("a path that is a file, relative, or below a disk that is not mounted is refused in words")
  func badPaths() throws {
    let sandbox = try Sandbox()
    let file = "\(sandbox.path)/file"
    try Sandbox.write([1], to: file)
    for (root, expected) in [
      (file, LibraryError.Code.notADirectory), ("\(file)/below", .notADirectory),
      ("photos", .notADirectory), ("/mnt/retake-no-such-disk/photos", .gone),
      ("/media/retake-no-such-disk", .gone), ("/proc/retake", .gone),
    ] {
      do {
        _ = try PhotoLibrary(
          configuration: LibraryConfiguration(root: root, album: "party"), system: sandbox.system)
        Issue.record("\(root) was taken")
      } catch {
        #expect(error.code == expected, "\(error)")
        #expect(error.message.contains(root))
      }
    }
    #expect(Glibc.access("/mnt/retake-no-such-disk", F_OK) != 0)
  }

  @Test("parents of the root are made")
  func parents() throws {
    let sandbox = try Sandbox()
    let root = "\(sandbox.path)/a/b//c"
    let library = try PhotoLibrary(
      configuration: LibraryConfiguration(root: root, album: "party"), system: sandbox.system)
    let photo = try library.save(still(1))
    #expect(try Sandbox.read(photo.path) == still(1))
  }

  @Test("what an interrupted commit left is removed at the start, other files are not touched")
  func leftovers() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open().save(still(1))
    for name in [".retake-00000009.part", "notes.txt", ".hidden.part", "IMG_1.jpg", "IMG_2.part"] {
      try Sandbox.write([1, 2], to: "\(sandbox.album)/\(name)")
    }
    _ = try sandbox.open()
    let names = sandbox.everything.filter { $0.hasPrefix("party/") }.map { $0.dropFirst(6) }
    #expect(names == [".hidden.part", "IMG_00000001.jpg", "IMG_1.jpg", "IMG_2.part", "notes.txt"])
  }

  @Test("the list has photos newest first, then foreign pictures, and nothing else")
  func list() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    for number in 1...11 { _ = try library.save(still(number, count: 100 + number)) }
    for name in [
      "b.JPG", "a.jpeg", "IMG_123.jpg", "IMG_000000a1.jpg", ".x.jpg", "notes.txt",
      "IMG_00000099.png",
    ] {
      try Sandbox.write([1], to: "\(sandbox.album)/\(name)")
    }
    try Sandbox.write([], to: "\(sandbox.album)/IMG_00000050.jpg")
    #expect(mkdir("\(sandbox.album)/IMG_00000051.jpg", 0o755) == 0)
    #expect(symlink("/etc/passwd", "\(sandbox.album)/IMG_00000052.jpg") == 0)
    let photos = try library.photos()
    #expect(photos.prefix(11).map(\.number) == (1...11).reversed())
    #expect(photos.prefix(11).map(\.bytes) == (101...111).reversed())
    #expect(
      photos.dropFirst(11).map(\.name) == ["IMG_000000a1.jpg", "IMG_123.jpg", "a.jpeg", "b.JPG"])
    #expect(code { _ = try library.photos(album: "none") } == .gone)
  }

  @Test("every state and every error has its sentence")
  func sentences() {
    let states: [StorageState] = [
      .ok(free: 1), .low(free: 1), .full, .readOnly, .gone, .denied, .volatile("tmpfs"), .failing,
    ]
    for state in states {
      if case .ok = state { continue }
      #expect(state.operatorFix("/photos")?.contains("/photos") == true, "\(state)")
    }
    #expect(Set(states.map(\.name)).count == states.count)
  }
}

struct RoomTests {
  private func room(
    _ sandbox: Sandbox, for bytes: Int = 1_000_000,
    reserve: LibraryConfiguration.Reserve = .standard, allowsVolatile: Bool = true
  ) throws -> StorageState {
    try PhotoLibrary(
      configuration: sandbox.configuration(reserve: reserve, allowsVolatile: allowsVolatile),
      system: sandbox.system
    ).room(for: bytes)
  }

  @Test("the reserve and the largest photo decide between ok, low and full")
  func levels() throws {
    let sandbox = try Sandbox()
    guard case .ok(let free) = try room(sandbox, reserve: .bytes(0)) else {
      Issue.record("no room in /tmp")
      return
    }
    #expect(free > 50_000_000)
    #expect(try room(sandbox, reserve: .percent(100)) == .full)
    #expect(try room(sandbox, reserve: .bytes(.max)) == .full)
    #expect(try room(sandbox, for: .max, reserve: .bytes(0)) == .full)
    guard case .low = try room(sandbox, for: free / 20, reserve: .bytes(0)) else {
      Issue.record("not low")
      return
    }
  }

  @Test("the standard reserve is 200 MB, or 2 % of a small disk")
  func reserve() {
    #expect(LibraryConfiguration.Reserve.standard.bytes(of: 64_000_000_000) == 200_000_000)
    #expect(LibraryConfiguration.Reserve.standard.bytes(of: 1_000_000) == 20_000)
    #expect(LibraryConfiguration.Reserve.percent(1.5).bytes(of: 1_000_000) == 15_000)
    #expect(LibraryConfiguration.Reserve.bytes(-1).bytes(of: 1_000_000) == 0)
  }

  @Test("a RAM disk is volatile, unless it is meant; a full one is full")
  func ramDisk() throws {
    let sandbox = try Sandbox(below: "/dev/shm")
    guard case .volatile = try room(sandbox, allowsVolatile: false) else {
      Issue.record("not seen")
      return
    }
    #expect(try room(sandbox, reserve: .percent(100), allowsVolatile: false) == .full)
    #expect(try room(sandbox).allowsSession)
    #expect(try sandbox.open().save(still(1)).number == 1)
  }

  @Test(
    "what the system says becomes a state",
    arguments: [
      ("fstatfs", EIO, StorageState.failing), ("access", EACCES, .denied),
      ("access", EROFS, .readOnly), ("fstatfs", ENODEV, .gone),
    ])
  func errors(_ call: String, _ number: Int32, _ expected: StorageState) throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    sandbox.system.fail(call, with: number)
    #expect(library.room(for: 1) == expected)
    #expect(library.room(for: 1).allowsSession)
  }

  @Test("a directory that goes and comes back is noticed")
  func comesBack() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    #expect(library.room(for: 1).allowsSession)
    Sandbox.remove(sandbox.root)
    try Sandbox.write([1], to: sandbox.root)
    #expect(library.room(for: 1) == .gone)
    #expect(code { _ = try library.save(still(1)) } == .notADirectory)
    #expect(unlink(sandbox.root) == 0)
    #expect(library.room(for: 1).allowsSession)
    #expect(try library.save(still(1)).number == 1)
  }
}
