import CLinux
import Glibc
import Media
import Platform
import StationTestSupport
import Synchronization
import Testing

@testable import PhotoLibrary

@Suite struct BrowserTests {
  /// A library and a stick beside it.
  private struct Shelf {
    let sandbox: Sandbox
    let clock = ManualClock()
    let system: FaultySystemCalls
    let browser: PhotoBrowser
    var stick: String { "\(sandbox.path)/stick" }

    init(
      albums: [String]? = nil, limit: Int = PhotoBrowser.mostPictures,
      makeThumbnail: @escaping PhotoBrowser.ThumbnailMaker = { _ in nil }
    ) throws {
      sandbox = try Sandbox()
      system = FaultySystemCalls(clock: clock)
      mkdir(sandbox.root, 0o755)
      mkdir(sandbox.album, 0o755)
      browser = PhotoBrowser(
        configuration: BrowserConfiguration(
          root: sandbox.root, album: "party", roots: ["\(sandbox.path)/stick"], albums: albums),
        system: system, limit: limit, makeThumbnail: makeThumbnail)
    }

    /// A file with a date of its own.
    func put(_ path: String, at seconds: Int, _ bytes: [UInt8] = [0xFF, 0xD8, 0xFF]) throws {
      let folders = path.pathParts.dropLast()
      var folder = sandbox.path
      for name in folders {
        folder += "/\(name)"
        mkdir(folder, 0o755)
      }
      try Sandbox.write(bytes, to: "\(sandbox.path)/\(path)")
      let time = timespec(tv_sec: seconds, tv_nsec: 0)
      utimensat(AT_FDCWD, "\(sandbox.path)/\(path)", [time, time], 0)
    }

    func ids(_ page: BrowserPage) -> [String] { page.items.map(\.id) }

    /// Returns the identifiers in the index after it has expired.
    func later() -> [String] {
      clock.advance(by: .seconds(2))
      return ids(browser.page())
    }
  }

  @Test("shows all albums newest first, a stick's too, and foreign pictures with them")
  func order() throws {
    let shelf = try Shelf()
    try shelf.put("photos/party/IMG_00000001.jpg", at: 100)
    try shelf.put("photos/party/IMG_00000002.jpg", at: 300)
    try shelf.put("photos/party/guest.jpeg", at: 200)
    try shelf.put("photos/old/IMG_00000007.jpg", at: 50)
    try shelf.put("stick/top.JPG", at: 400)
    try shelf.put("stick/DCIM/100CANON/A.JPG", at: 250)
    try shelf.put("stick/DCIM/100CANON/notes.txt", at: 250)
    try shelf.put("stick/.Trashes/gone.jpg", at: 250)
    let page = shelf.browser.page()
    #expect(
      shelf.ids(page) == [
        ".1/top.JPG", "party/IMG_00000002.jpg", ".1/DCIM/100CANON/A.JPG", "party/guest.jpeg",
        "party/IMG_00000001.jpg", "old/IMG_00000007.jpg",
      ])
    #expect(page.count == 6)
    #expect(page.next == nil)
    #expect(shelf.browser.albums().map(\.id) == ["old", "party", ".1", ".1/DCIM/100CANON"])
    #expect(shelf.browser.albums().map(\.name) == ["old", "party", "stick", "DCIM/100CANON"])
    #expect(
      shelf.ids(shelf.browser.page(album: "party")) == [
        "party/IMG_00000002.jpg", "party/guest.jpeg", "party/IMG_00000001.jpg",
      ])
  }

  @Test("names of the same letters in other bytes are other pictures, in other albums")
  func composition() throws {
    let shelf = try Shelf()
    let files = [
      "stick/\u{E9}/one.jpg", "stick/e\u{301}/two.jpg", "stick/\u{F1}.jpg", "stick/n\u{303}.jpg",
      "stick/m/\u{301}x/\u{301}y.jpg", "photos/\u{E9}/IMG_00000001.jpg",
      "photos/e\u{301}/IMG_00000001.jpg", "photos/party/\u{E9}.jpg", "photos/party/e\u{301}.jpg",
    ]
    // All of one second, so that their names alone make their order.
    for (index, file) in files.enumerated() { try shelf.put(file, at: 100, [UInt8(index + 1)]) }
    let whole = shelf.browser.page()
    #expect(whole.count == files.count)
    let paths = Set(whole.items.map { FileName($0.path) })
    #expect(paths == Set(files.map { FileName("\(shelf.sandbox.path)/\($0)") }))
    #expect(shelf.browser.albums().count == 7)
    var (single, cursor) = ([FileName](), BrowserCursor?.none)
    repeat {
      let page = shelf.browser.page(before: cursor, limit: 1)
      single += page.items.map { FileName($0.id) }
      cursor = page.next
    } while cursor != nil && single.count <= files.count
    #expect(single == whole.items.map { FileName($0.id) })
    for (index, file) in files.enumerated() {
      let path = "\(shelf.sandbox.path)/\(file)"
      let item = try #require(shelf.browser.item(atPath: path), "\(file)")
      #expect(try shelf.browser.original(of: item.id) == [UInt8(index + 1)], "\(file)")
      let album = shelf.browser.page(album: item.album)
      #expect(album.items.contains { $0.id.hasBytes(of: item.id) }, "\(file)")
    }
    let keys = whole.items.map { ThumbnailCache.Key(id: $0.id, modified: 1, bytes: 1) }
    #expect(Set(keys).count == files.count)
    // One of two that goes takes the other one with it in no list.
    unlink("\(shelf.stick)/\u{F1}.jpg")
    #expect(shelf.later().contains { $0.hasBytes(of: ".1/n\u{303}.jpg") })
    #expect(shelf.browser.page().count == files.count - 1)
  }

  @Test("a stick's directory whose name has control characters is shown")
  func controlCharacters() throws {
    let shelf = try Shelf()
    try shelf.put("stick/DCIM\u{1B}[2J\n/\u{7}a.jpg", at: 100, [7])
    let page = shelf.browser.page()
    let id = try #require(page.items.first?.id)
    #expect(id == ".1/DCIM\u{1B}[2J\n/\u{7}a.jpg")
    #expect(try shelf.browser.original(of: id) == [7])
    #expect(shelf.browser.albums().map(\.id) == [".1/DCIM\u{1B}[2J\n"])
  }

  /// The head of a movie as a phone writes it: a track of pictures on its side, and one of sound.
  private static func movie(isLong: Bool = false) -> [UInt8] {
    // A box's numbers of four bytes; sums of arrays take Swift 6.0 too long.
    func box(_ type: String, _ numbers: [Int], _ inner: [[UInt8]] = []) -> [UInt8] {
      var body: [UInt8] = []
      for number in numbers {
        for shift in [24, 16, 8, 0] { body.append(UInt8(truncatingIfNeeded: number >> shift)) }
      }
      for box in inner { body.append(contentsOf: box) }
      let count = body.count + 8
      var result = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
      result.append(contentsOf: type.utf8)
      result.append(contentsOf: body)
      return result
    }
    let version = isLong ? 1 << 24 : 0
    func track(_ width: Int, _ height: Int) -> [UInt8] {
      var numbers = [Int](repeating: 0, count: isLong ? 24 : 21)
      numbers[0] = version
      // The matrix of a quarter turn has 0 first, and 1 second.
      numbers[numbers.count - 10] = 0x10000
      numbers[numbers.count - 2] = width << 16
      numbers[numbers.count - 1] = height << 16
      return box("trak", [], [box("tkhd", numbers)])
    }
    var length = [version] + [Int](repeating: 0, count: 30)
    length[isLong ? 5 : 3] = 600
    length[isLong ? 7 : 4] = 1500
    let heads = [box("mvhd", length), track(1920, 1080), track(0, 0)]
    let parts = [
      box("ftyp", [0x7174_2020, 0]), box("wide", []),
      box("mdat", [Int](repeating: 0, count: 100)), box("moov", [], heads),
    ]
    return Array(parts.joined())
  }

  @Test("shows movies that came from elsewhere, with their length, to who wants movies")
  func foreignMovies() throws {
    let shelf = try Shelf()
    try shelf.put("photos/party/IMG_00000001.jpg", at: 500)
    try shelf.put("photos/party/IMG_00000002.mp4", at: 600, Self.movie())
    try shelf.put("stick/DCIM/A.MOV", at: 400, Self.movie())
    try shelf.put("stick/DCIM/B.mp4", at: 300, Self.movie(isLong: true))
    try shelf.put("stick/DCIM/C.m4v", at: 200, [UInt8](repeating: 0x41, count: 4000))
    try shelf.put("stick/DCIM/D.jpg", at: 100)
    try shelf.put("stick/DCIM/.E.mp4", at: 700, Self.movie())
    let movies = ["party/IMG_00000002.mp4", ".1/DCIM/A.MOV", ".1/DCIM/B.mp4", ".1/DCIM/C.m4v"]
    let pictures = ["party/IMG_00000001.jpg", ".1/DCIM/D.jpg"]
    let all = [movies[0], pictures[0], movies[1], movies[2], movies[3], pictures[1]]
    let cases: [(Set<PhotoKind>, [String])] = [
      ([.movie], movies), ([.image], pictures), ([.movie, .image], all),
    ]
    for (kinds, wanted) in cases {
      #expect(shelf.ids(shelf.browser.page(kinds: kinds)) == wanted)
      var cursor: BrowserCursor?
      var seen: [String] = []
      repeat {
        let page = shelf.browser.page(before: cursor, limit: 1, kinds: kinds)
        #expect(page.count == wanted.count)
        seen += shelf.ids(page)
        cursor = page.next
      } while cursor != nil && seen.count < 20
      #expect(seen == wanted)
    }
    #expect(shelf.browser.item(movies[1])?.kind == .movie)
    let facts = MovieFacts(width: 1080, height: 1920, durationMilliseconds: 2500)
    #expect(movies.map { shelf.browser.movie(of: $0) } == [facts, facts, facts, nil])
    #expect(shelf.browser.movie(of: pictures[1]) == nil)
    #expect(try shelf.browser.thumbnail(of: movies[1]) == nil)
  }

  @Test("shows the station's own photos before others of the same second, page by page")
  func sameSecond() throws {
    let shelf = try Shelf()
    for path in [
      "photos/album/DSC1.JPG", "photos/album/IMG_00000009.jpg", "photos/party/A.JPG",
      "photos/party/IMG_00000001.jpg", "photos/party/IMG_00000002.jpg", "stick/IMG_00000003.jpg",
      "stick/a.jpg",
    ] { try shelf.put(path, at: 100) }
    let wanted = [
      "album/IMG_00000009.jpg", "party/IMG_00000002.jpg", "party/IMG_00000001.jpg",
      "album/DSC1.JPG", "party/A.JPG", ".1/IMG_00000003.jpg", ".1/a.jpg",
    ]
    #expect(shelf.ids(shelf.browser.page()) == wanted)
    var cursor: BrowserCursor?
    var seen: [String] = []
    repeat {
      let page = shelf.browser.page(before: cursor, limit: 1)
      seen += shelf.ids(page)
      cursor = page.next.flatMap { BrowserCursor("\($0)") }
    } while cursor != nil && seen.count < 20
    #expect(seen == wanted)
  }

  @Test("keeps numbered photos in their order though the clock was set back")
  func clockSetBack() throws {
    let shelf = try Shelf()
    for (number, time) in [(1, 500), (2, 100), (3, 600)] {
      try shelf.put("photos/party/IMG_0000000\(number).jpg", at: time)
    }
    #expect(
      shelf.ids(shelf.browser.page()).map { $0.suffix(5) } == ["3.jpg", "2.jpg", "1.jpg"])
  }

  @Test("turns pages by a cursor that survives what comes and goes, its own picture too")
  func paging() throws {
    let shelf = try Shelf()
    for number in 1...9 {
      try shelf.put("photos/party/IMG_0000000\(number).jpg", at: 100 + number)
    }
    let first = shelf.browser.page(limit: 3)
    #expect(first.items.map(\.number) == [9, 8, 7])
    unlink("\(shelf.sandbox.album)/IMG_00000007.jpg")
    try shelf.put("photos/party/IMG_00000010.jpg", at: 200)
    shelf.clock.advance(by: .seconds(2))
    let text = try #require(first.next).description
    let cursor = try #require(BrowserCursor(text))
    let second = shelf.browser.page(before: cursor, limit: 3)
    #expect(second.items.map(\.number) == [6, 5, 4])
    let third = shelf.browser.page(before: second.next, limit: 500)
    #expect(third.items.map(\.number) == [3, 2, 1])
    #expect(third.next == nil)
    #expect(third.count == 9)
  }

  @Test(
    "refuses names and cursors that lead elsewhere",
    arguments: [
      "", "/", "a", "../x.jpg", "party/../../x.jpg", "party//x.jpg", "/etc/x.jpg", ".0/x.jpg",
      ".1", ".1/", ".01/a.jpg", ".1/../x.jpg", "party/.hidden.jpg", "party/x.png", "a/b/c.jpg",
      ".99999999999999999999/a.jpg", ".7/a.jpg", "party/\u{0}.jpg", "party/IMG_00000009.jpg",
    ])
  func names(_ id: String) throws {
    let shelf = try Shelf()
    try shelf.put("photos/party/IMG_00000001.jpg", at: 1)
    _ = shelf.browser.page()
    #expect(shelf.browser.item(id) == nil)
    #expect(code { _ = try shelf.browser.original(of: id) } == .notFound)
    #expect(code { _ = try shelf.browser.thumbnail(of: id) } == .notFound)
    #expect(BrowserCursor(id) == nil)
  }

  @Test("follows no link, opens no pipe, and lists no empty file")
  func strangeFiles() throws {
    let shelf = try Shelf()
    try shelf.put("secret/a.jpg", at: 1)
    try shelf.put("stick/good.jpg", at: 1)
    symlink("\(shelf.sandbox.path)/secret", "\(shelf.stick)/link")
    symlink("\(shelf.sandbox.path)/secret/a.jpg", "\(shelf.stick)/b.jpg")
    mkfifo("\(shelf.stick)/pipe.jpg", 0o644)
    mkdir("\(shelf.stick)/folder.jpg", 0o755)
    try shelf.put("stick/empty.jpg", at: 1, [])
    #expect(shelf.ids(shelf.browser.page()) == [".1/good.jpg"])
  }

  @Test("notices a stick that comes, and one that goes, with all that was on it")
  func stick() throws {
    let shelf = try Shelf()
    try shelf.put("photos/party/IMG_00000001.jpg", at: 1)
    #expect(shelf.later() == ["party/IMG_00000001.jpg"])
    try shelf.put("stick/a.jpg", at: 2)
    #expect(shelf.later() == [".1/a.jpg", "party/IMG_00000001.jpg"])
    #expect(shelf.browser.item(".1/a.jpg") != nil)
    rename(shelf.stick, "\(shelf.sandbox.path)/pulled")
    #expect(shelf.later() == ["party/IMG_00000001.jpg"])
    #expect(shelf.browser.item(".1/a.jpg") == nil)
    #expect(code { _ = try shelf.browser.original(of: ".1/a.jpg") } == .notFound)
    #expect(shelf.browser.problem() == nil)
  }

  @Test("says what is wrong when nothing can be read, and nothing when something can")
  func problems() throws {
    let shelf = try Shelf()
    #expect(shelf.browser.problem() == nil)
    #expect(shelf.browser.problem(ofStationAlbum: true) == nil)
    rename(shelf.sandbox.root, "\(shelf.sandbox.path)/away")
    #expect(shelf.browser.problem()?.code == .gone)
    #expect(shelf.browser.problem(ofStationAlbum: true)?.code == .gone)
    mkdir(shelf.stick, 0o755)
    #expect(shelf.browser.problem() == nil)
    #expect(shelf.browser.problem(ofStationAlbum: true)?.code == .gone)
    for (errno, code) in [(Errno.accessDenied, LibraryError.Code.denied), (Errno.io, .failing)] {
      shelf.system.fail("open", times: 3, with: errno)
      #expect(shelf.browser.problem()?.code == code)
      shelf.system.heal()
    }
  }

  @Test("shows named albums only where the library is limited to them")
  func limited() throws {
    let shelf = try Shelf(albums: ["party", "DCIM"])
    for path in ["photos/party/a.jpg", "photos/private/b.jpg", "stick/DCIM/1/c.jpg", "stick/d.jpg"]
    {
      try shelf.put(path, at: 1)
    }
    #expect(Set(shelf.ids(shelf.browser.page())) == ["party/a.jpg", ".1/DCIM/1/c.jpg"])
    #expect(shelf.browser.item("private/b.jpg") == nil)
    #expect(shelf.browser.problem(ofStationAlbum: true) == nil)
    let other = PhotoBrowser(
      configuration: BrowserConfiguration(
        root: shelf.sandbox.root, album: "party", albums: ["private"]))
    #expect(other.problem(ofStationAlbum: true)?.code == .notFound)
  }

  @Test("lists as many pictures as it has room for, the newest photos first, and counts the rest")
  func bounded() throws {
    let shelf = try Shelf(limit: 5)
    for number in 1...4 { try shelf.put("photos/party/IMG_0000000\(number).jpg", at: number) }
    for name in ["a", "b", "c"] { try shelf.put("stick/\(name).jpg", at: 50) }
    let page = shelf.browser.page()
    #expect(page.count == 5)
    #expect(shelf.browser.omitted == 2)
    let ids = Set(shelf.ids(page))
    #expect(ids.isSuperset(of: (1...4).map { "party/IMG_0000000\($0).jpg" }))
    // A photo that is taken has its place.
    for number in 5...8 { try shelf.put("photos/party/IMG_0000000\(number).jpg", at: number) }
    #expect(shelf.later() == (4...8).reversed().map { "party/IMG_0000000\($0).jpg" })
    #expect(shelf.browser.omitted == 6)
    #expect(shelf.browser.item("party/IMG_00000001.jpg") == nil)
    // The omitted photos come back when there is room again.
    for number in 4...8 { unlink("\(shelf.sandbox.path)/photos/party/IMG_0000000\(number).jpg") }
    #expect(Set(shelf.later()).isSuperset(of: (1...3).map { "party/IMG_0000000\($0).jpg" }))
    _ = shelf.later()
    #expect(shelf.browser.page().count == 5)
    #expect(shelf.browser.omitted == 1)
  }

  @Test("blames the stick that hangs, and not the library that was not made yet")
  func blame() throws {
    let shelf = try Shelf()
    mkdir(shelf.stick, 0o755)
    rmdir(shelf.sandbox.album)
    rmdir(shelf.sandbox.root)
    shelf.system.fail("open", at: 2, with: ETIMEDOUT)
    let problem = try #require(shelf.browser.problem())
    #expect(problem.code == .silent)
    #expect(problem.message.contains(shelf.stick))
    // With the stick there is something to choose from; without it the library is what is missing.
    #expect(shelf.browser.problem() == nil)
    rmdir(shelf.stick)
    #expect(shelf.browser.problem()?.code == .gone)
  }

  @Test("calls the albums of copies by their own names, and others by their directories'")
  func titles() throws {
    let shelf = try Shelf(albums: ["party", "Anna: 12:30", "stick"])
    try shelf.put("photos/party/IMG_00000001.jpg", at: 100)
    try shelf.put("stick/copies/.retake-copies", at: 100, Array("0123".utf8))
    try shelf.put("stick/copies/Anna%3A 12%3A30/IMG_00000001.jpg", at: 200)
    try shelf.put("stick/Ben%3A/IMG_00000001.jpg", at: 300)
    let albums = shelf.browser.albums()
    #expect(albums.map(\.name) == ["party", "Ben%3A", "copies/Anna: 12:30"])
    #expect(albums.map(\.id) == ["party", ".1/Ben%3A", ".1/copies/Anna%3A 12%3A30"])
    let id = ".1/copies/Anna%3A 12%3A30/IMG_00000001.jpg"
    #expect(try shelf.browser.original(of: id).count == 3)
    // The names that may be shown are those that people see.
    let strict = try Shelf(albums: ["copies/Anna: 12:30"])
    try strict.put("stick/copies/.retake-copies", at: 100, Array("0123".utf8))
    try strict.put("stick/copies/Anna%3A 12%3A30/IMG_00000001.jpg", at: 200)
    try strict.put("stick/copies/Ben/IMG_00000001.jpg", at: 300)
    #expect(strict.later() == [id])
  }

  @Test("reads only what is new, and a directory that did not change not at all")
  func cost() throws {
    let shelf = try Shelf()
    for number in 1...20 {
      try shelf.put("photos/party/IMG_000000\(number + 10).jpg", at: number)
    }
    for _ in 0..<4 { _ = shelf.later() }
    shelf.system.forgetCalls()
    _ = shelf.later()
    #expect(!shelf.system.calls.contains("scan"))
    #expect(shelf.system.calls.count < 12)
    // Within a second nothing is looked at.
    shelf.system.forgetCalls()
    _ = shelf.browser.page()
    #expect(shelf.system.calls.isEmpty)
  }

  @Test("shows at once what somebody says has changed")
  func changes() throws {
    let shelf = try Shelf()
    try shelf.put("photos/party/IMG_00000001.jpg", at: 1)
    #expect(shelf.ids(shelf.browser.page()).count == 1)
    try shelf.put("photos/party/IMG_00000002.jpg", at: 2)
    #expect(shelf.ids(shelf.browser.page()).count == 1)
    shelf.browser.noteChange()
    #expect(shelf.ids(shelf.browser.page()).count == 2)
  }

  @Test("takes the thumbnail in the file where it is a good one, else makes one, once")
  func thumbnails() throws {
    let made = Mutex(0)
    let shelf = try Shelf { bytes in
      made.withLock { $0 += 1 }
      return bytes.last == 13 ? nil : [1, 2, 3]
    }
    let own = picture(width: 1600, height: 1200, thumbnail: (160, 120))
    try shelf.put("stick/own.jpg", at: 1, own)
    try shelf.put("stick/bars.jpg", at: 1, picture(width: 1600, height: 900, thumbnail: (160, 120)))
    try shelf.put(
      "stick/huge.jpg", at: 1, picture(width: 1600, height: 1200, thumbnail: (4000, 3000)))
    try shelf.put(
      "stick/turned.jpg", at: 1,
      picture(width: 1600, height: 1200, thumbnail: (160, 120), orientation: 6))
    try shelf.put("stick/none.jpg", at: 1, picture(width: 16, height: 12))
    try shelf.put("stick/bad.jpg", at: 1, [0xFF, 0xD8, 13])
    _ = shelf.browser.page()
    let thumbnail = try #require(try shelf.browser.thumbnail(of: ".1/own.jpg"))
    #expect(PhotoHeader.size(ofJPEG: thumbnail).map { [$0.width, $0.height] } == [160, 120])
    #expect(made.withLock { $0 } == 0)
    for name in ["bars", "huge", "turned", "none"] {
      #expect(try shelf.browser.thumbnail(of: ".1/\(name).jpg") == [1, 2, 3], "\(name)")
    }
    #expect(try shelf.browser.thumbnail(of: ".1/bad.jpg") == nil)
    #expect(made.withLock { $0 } == 5)
    _ = try shelf.browser.thumbnail(of: ".1/bad.jpg")
    _ = try shelf.browser.thumbnail(of: ".1/none.jpg")
    #expect(made.withLock { $0 } == 5)
  }

  @Test("keeps thumbnails within a bound, those used last")
  func bound() {
    let cache = ThumbnailCache(limit: 10_000)
    let first = ThumbnailCache.Key(id: "first", modified: 0, bytes: 0)
    cache.add([UInt8](repeating: 1, count: 1000), first)
    for number in 0..<50 {
      cache.add(
        [UInt8](repeating: 1, count: 1000), .init(id: "\(number)", modified: 0, bytes: 0))
      #expect(cache.find(first) != nil)
    }
    let left = (0..<50).count { cache.find(.init(id: "\($0)", modified: 0, bytes: 0)) != nil }
    #expect((3...9).contains(left))
  }

  /// The head of a JPEG with Exif; there is no picture in it.
  private func picture(
    width: Int, height: Int, thumbnail: (Int, Int)? = nil, orientation: Int = 1
  ) -> [UInt8] {
    func frame(_ width: Int, _ height: Int) -> [UInt8] {
      [0xFF, 0xC0, 0, 11, 8] + big(height) + big(width) + [1, 1, 0x11, 0]
    }
    func big(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    func long(_ value: Int) -> [UInt8] { big(value >> 16) + big(value & 0xFFFF) }
    let (start, end): ([UInt8], [UInt8]) = ([0xFF, 0xD8], [0xFF, 0xD9])
    var small: [UInt8] = []
    if let thumbnail { small = start + frame(thumbnail.0, thumbnail.1) + end }
    var exif = Array("Exif\0\0MM".utf8)
    for part in [big(42), long(8), big(1), big(0x0112), big(3), long(1), big(orientation), big(0)] {
      exif += part
    }
    exif += long(small.isEmpty ? 0 : 26)
    if !small.isEmpty {
      let words = [
        big(2), big(0x0201), big(4), long(1), long(56), big(0x0202), big(4), long(1),
        long(small.count), long(0), small,
      ]
      for part in words { exif += part }
    }
    let marker: [UInt8] = [0xFF, 0xE1]
    return [start, marker, big(exif.count + 2), exif, frame(width, height), end].flatMap { $0 }
  }
}
