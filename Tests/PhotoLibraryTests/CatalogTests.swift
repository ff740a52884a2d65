import Glibc
import Media
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

struct CatalogTests {
  private func names(_ catalog: Catalog) throws -> [String] {
    try catalog.page(album: "party", limit: 1000).map(\.photo.name)
  }

  @Test("a checksum is what sha256sum prints, however the bytes are cut")
  func checksums() {
    let expected: [(String, String)] = [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ]
    for (text, digits) in expected {
      #expect("\(Array(text.utf8).withUnsafeBytes { Checksum(of: [$0]) })" == digits)
    }
    let bytes = still(3, count: 1000)
    let whole = bytes.withUnsafeBytes { Checksum(of: [$0]) }
    for cut in [1, 55, 56, 63, 64, 65, 127, 128, 500] {
      let pieces = bytes.withUnsafeBytes { all in
        Checksum(of: [
          UnsafeRawBufferPointer(rebasing: all[..<cut]),
          UnsafeRawBufferPointer(rebasing: all[cut...]),
        ])
      }
      #expect(pieces == whole, "cut at \(cut)")
    }
  }

  @Test("a saved photo is in the list, newest first, page by page, with those from elsewhere last")
  func pages() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    let catalog = try Catalog(root: sandbox.root)
    for seed in 1...7 {
      let candidate = try library.prepare(still(seed))
      try catalog.add(try library.commit(candidate), checksum: candidate.checksum)
    }
    try Sandbox.write(still(8), to: "\(sandbox.album)/from-the-phone.JPG")
    try Sandbox.write(still(9), to: "\(sandbox.album)/another.jpeg")
    try Sandbox.write(still(9), to: "\(sandbox.album)/notes.txt")
    let changes = try catalog.synchronize(album: "party")
    #expect(changes.added == 2)
    #expect(changes.photos == 9)
    var listed: [String] = []
    var last: CatalogEntry?
    while true {
      let page = try catalog.page(album: "party", after: last, limit: 2)
      guard let end = page.last else { break }
      listed += page.map(\.photo.name)
      last = end
    }
    #expect(
      listed == (1...7).reversed().map { PhotoName.name($0) }
        + ["another.jpeg", "from-the-phone.JPG"])
    let first = try #require(try catalog.entry(album: "party", name: "IMG_00000001.jpg"))
    #expect(first.checksum == still(1).withUnsafeBytes { Checksum(of: [$0]) })
    #expect(first.photo.bytes == 5000)
    #expect(try catalog.size(album: "party").photos == 9)
  }

  @Test("a start reads what is new, forgets what is gone, and opens nothing else")
  func synchronizes() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    for seed in 1...5 { _ = try library.save(still(seed)) }
    do { #expect(try Catalog(root: sandbox.root).synchronize(album: "party").added == 5) }
    for seed in 6...7 { _ = try library.save(still(seed)) }
    unlink("\(sandbox.album)/IMG_00000002.jpg")
    let system = FaultySystemCalls()
    let catalog = try Catalog(root: sandbox.root, system: system)
    system.forgetCalls()
    let changes = try catalog.synchronize(album: "party")
    #expect(changes.added == 2)
    #expect(changes.removed == 1)
    #expect(changes.photos == 6)
    // The album and two new ones are opened, and one that is missing is looked for.
    #expect(system.calls.filter { $0.hasPrefix("open") && $0 != "open" }.count == 4)
    #expect(try names(catalog) == [7, 6, 5, 4, 3, 1].map { PhotoName.name($0) })
    #expect(try catalog.synchronize(album: "party").added == 0)
  }

  @Test("a catalog that is garbage, empty or cut is set aside, said so, and made anew")
  func garbage() throws {
    for (kind, bytes) in [("garbage", still(1, count: 20_000)), ("short", still(2, count: 40))] {
      let sandbox = try Sandbox()
      let library = try sandbox.open()
      for seed in 1...3 { _ = try library.save(still(seed)) }
      do { _ = try Catalog(root: sandbox.root).synchronize(album: "party") }
      let path = Catalog.path(sandbox.root)
      unlink(path + "-wal")
      try Sandbox.write(bytes, to: path)
      #expect(throws: LibraryError.self, "\(kind)") {
        _ = try Catalog(root: sandbox.root, access: .visitor)
      }
      let catalog = try Catalog(root: sandbox.root)
      #expect(catalog.replacements == 1, "\(kind)")
      #expect(try Sandbox.read(path + ".damaged") == bytes, "\(kind)")
      #expect(try catalog.synchronize(album: "party").added == 3)
      #expect(try library.photos().count == 3)
    }
  }

  @Test("a log's index that is cut while the catalog is open costs the catalog, not the program")
  func cutIndex() throws {
    LostPages.survive()
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    let catalog = try Catalog(root: sandbox.root)
    for seed in 1...3 { _ = try library.save(still(seed)) }
    _ = try catalog.synchronize(album: "party")
    truncate(Catalog.path(sandbox.root) + "-shm", 0)
    var failures = 0
    for _ in 0..<3 {
      do { _ = try catalog.synchronize(album: "party") } catch { failures += 1 }
    }
    #expect(failures == 1)
    #expect(catalog.replacements == 1)
    let listed = try catalog.size(album: "party").photos
    #expect(listed == 3)
    #expect(try library.photos().count == 3)
  }

  @Test("a rollback journal that names another file as its super-journal deletes nothing")
  func superJournal() throws {
    for access in [Catalog.Access.holder, .visitor, .reader] {
      let sandbox = try Sandbox()
      let library = try sandbox.open()
      _ = try library.save(still(1))
      do { _ = try Catalog(root: sandbox.root).synchronize(album: "party") }
      let other = "\(sandbox.path)/other"
      try Sandbox.write([1, 2, 3], to: other)
      // Source: sqlite.org/fileformat2.html#the_rollback_journal and pager.c, readSuperJournal().
      let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
      let name = Array(other.utf8)
      let sum = name.reduce(0) { $0 + UInt32($1) }
      func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
      var journal = magic + big(1) + big(0) + big(3) + big(512) + big(4096)
      journal += [UInt8](repeating: 0, count: 512 - journal.count)
      journal += big(11) + name + big(UInt32(name.count)) + big(sum) + magic
      try Sandbox.write(journal, to: Catalog.path(sandbox.root) + "-journal")
      // Without its log the file is one that a journal may belong to.
      unlink(Catalog.path(sandbox.root) + "-wal")
      _ = try? Catalog(root: sandbox.root, access: access).size(album: "party")
      #expect(try Sandbox.read(other) == [1, 2, 3], "\(access)")
      withExtendedLifetime(library) {}
    }
  }

  @Test("one wrong bit in the head of the file is damage, too, whatever SQLite calls it")
  func wrongBits() throws {
    for (place, bit) in [(47, 0), (47, 6), (18, 3), (59, 1), (23, 2)] {
      let sandbox = try Sandbox()
      let library = try sandbox.open()
      for seed in 1...3 { _ = try library.save(still(seed)) }
      do { _ = try Catalog(root: sandbox.root).synchronize(album: "party") }
      let path = Catalog.path(sandbox.root)
      var bytes = try Sandbox.read(path)
      bytes[place] ^= 1 << UInt8(bit)
      try Sandbox.write(bytes, to: path)
      let catalog = try Catalog(root: sandbox.root)
      for _ in 0..<2 { _ = try? catalog.synchronize(album: "party") }
      let listed = try catalog.size(album: "party").photos
      #expect(listed == 3, "byte \(place), bit \(bit)")
      withExtendedLifetime(library) {}
    }
  }

  @Test("damage inside is found when it is met, and mended by the next synchronization")
  func damageInside() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    for seed in 1...60 { _ = try library.save(still(seed, count: 40)) }
    do { _ = try Catalog(root: sandbox.root).synchronize(album: "party") }
    let path = Catalog.path(sandbox.root)
    var bytes = try Sandbox.read(path)
    // The first page stays, so that it looks like a database.
    for index in 4096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    try Sandbox.write(bytes, to: path)
    let catalog = try Catalog(root: sandbox.root)
    var failures = 0
    while failures < 5 {
      do {
        #expect(try catalog.synchronize(album: "party").photos == 60)
        break
      } catch {
        failures += 1
      }
    }
    #expect(failures == 1)
    #expect(catalog.replacements == 1)
    #expect(try names(catalog).count == 60)
  }

  @Test("pipes, links, empty files and directories with a picture's name are left alone")
  func strangers() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    _ = try library.save(still(1))
    mkfifo("\(sandbox.album)/pipe.jpg", 0o644)
    symlink("/etc/passwd", "\(sandbox.album)/link.jpg")
    mkdir("\(sandbox.album)/IMG_00000007.jpg", 0o755)
    try Sandbox.write([], to: "\(sandbox.album)/empty.jpg")
    let catalog = try Catalog(root: sandbox.root)
    let changes = try catalog.synchronize(album: "party")
    #expect(changes.added == 1)
    #expect(changes.photos == 1)
    #expect(try names(catalog) == ["IMG_00000001.jpg"])
    #expect(sandbox.everything.contains("party/IMG_00000007.jpg"))
  }

  @Test("size and thumbnail are read from the head of a file; broken heads are no trap")
  func headers() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    let thumbnail = still(5, count: 300)
    for isBig in [true, false] {
      let bytes = HeaderTests.jpeg(thumbnail: thumbnail, isBig: isBig)
      let photo = try library.save(bytes)
      let catalog = try Catalog(root: sandbox.root)
      try catalog.add(photo, checksum: nil)
      let entry = try #require(try catalog.entry(album: "party", name: photo.name))
      #expect(entry.width == 480)
      #expect(entry.height == 640)
      #expect(try catalog.thumbnail(entry) == thumbnail)
    }
    let good = HeaderTests.jpeg(thumbnail: thumbnail, isBig: false)
    let directory = try Descriptor(
      opening: sandbox.album, flags: O_DIRECTORY, system: LinuxSystemCalls())
    var random = UInt32(7)
    for round in 0..<2000 {
      var bytes = good
      for _ in 0..<(1 + round % 5) {
        random = random &* 1_664_525 &+ 1_013_904_223
        let place = Int(random >> 8) % 200
        bytes[place] = UInt8(truncatingIfNeeded: random)
      }
      if round % 3 == 0 { bytes.removeLast(Int(random >> 16) % (bytes.count - 1)) }
      try Sandbox.write(bytes, to: "\(sandbox.album)/x.jpg")
      guard let file = try PhotoFile.open("x.jpg", in: directory.number, LinuxSystemCalls()) else {
        Issue.record("the file is not there")
        return
      }
      let header = try PhotoHeader.read(file)
      if let range = header.thumbnail { #expect(range.upperBound < 1 << 17) }
    }
  }
}

enum HeaderTests {
  /// The head of a JPEG with an Exif thumbnail; no picture behind it.
  static func jpeg(thumbnail: [UInt8], isBig: Bool) -> [UInt8] {
    func two(_ value: Int) -> [UInt8] {
      let bytes = [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
      return isBig ? bytes : bytes.reversed()
    }
    func four(_ value: Int) -> [UInt8] {
      isBig ? two(value >> 16) + two(value) : two(value) + two(value >> 16)
    }
    func entry(_ tag: Int, _ value: Int) -> [UInt8] {
      two(tag) + two(4) + four(1) + four(value)
    }
    var tiff = (isBig ? [0x4D, 0x4D] : [0x49, 0x49]) + two(42) + four(8)
    tiff += two(1) + entry(0x0112, 1) + four(26)
    tiff += two(2) + entry(0x0201, 56) + entry(0x0202, thumbnail.count) + four(0)
    tiff += thumbnail
    let exif = Array("Exif\0\0".utf8) + tiff
    let length = exif.count + 2
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
    bytes += exif
    bytes += [0xFF, 0xFE, 0x17, 0x72] + [UInt8](repeating: 0x20, count: 6000)
    bytes += [0xFF, 0xC0, 0, 11, 8, 2, 0x80, 1, 0xE0, 1, 1, 0x11, 0, 0xFF, 0xD9]
    return bytes
  }
}
