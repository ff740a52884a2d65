import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

struct DeskTests {
  private func filled(_ count: Int) throws -> Sandbox {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    let catalog = try Catalog(root: sandbox.root)
    for seed in 1...count {
      let candidate = try library.prepare(still(seed))
      try catalog.add(try library.commit(candidate), checksum: candidate.checksum)
    }
    return sandbox
  }

  @Test("verify names every file that is not what was saved, and no other")
  func verifies() throws {
    let sandbox = try filled(5)
    let desk = try LibraryDesk(configuration: sandbox.configuration())
    #expect(try desk.verify(album: "party") == [])
    var bytes = still(2)
    bytes[4000] ^= 1
    try Sandbox.write(bytes, to: "\(sandbox.album)/IMG_00000002.jpg")
    truncate("\(sandbox.album)/IMG_00000003.jpg", 1000)
    unlink("\(sandbox.album)/IMG_00000004.jpg")
    var steps: [Int] = []
    let findings = try desk.verify(album: "party") { done, _ in steps.append(done) }
    #expect(findings.map(\.problem) == ["missing", "cut", "changed"])
    #expect(findings.map(\.path).map { $0.suffix(6) } == ["04.jpg", "03.jpg", "02.jpg"])
    #expect(steps == [1, 2, 3, 4, 5])
    // A saved checksum is still known after a rebuild, as long as the file looks untouched.
    let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 0)
    var times = [time, time]
    utimensat(AT_FDCWD, "\(sandbox.album)/IMG_00000005.jpg", &times, 0)
    try desk.catalog.add(
      try desk.find("5", album: "party").photo,
      checksum: still(5).withUnsafeBytes { Checksum(of: [$0]) })
    try Sandbox.write(still(55), to: "\(sandbox.album)/IMG_00000005.jpg")
    utimensat(AT_FDCWD, "\(sandbox.album)/IMG_00000005.jpg", &times, 0)
    #expect(try desk.rebuild(album: "party").photos == 4)
    #expect(try desk.verify(album: "party").map(\.path).contains { $0.hasSuffix("05.jpg") })
  }

  @Test("pictures and albums of the same letters in other bytes are all in the catalog")
  func composition() throws {
    let sandbox = try filled(1)
    let names = ["\u{E9}.jpg", "e\u{301}.jpg"]
    for name in names { try Sandbox.write(still(7), to: "\(sandbox.album)/\(name)") }
    for album in ["\u{F1}", "n\u{303}"] {
      mkdir("\(sandbox.root)/\(album)", 0o755)
      try Sandbox.write(still(8), to: "\(sandbox.root)/\(album)/IMG_00000001.jpg")
    }
    for _ in 1...2 {
      let desk = try LibraryDesk(configuration: sandbox.configuration())
      var found: Set<FileName> = []
      try desk.forEach(album: "party") { found.insert(FileName($0.photo.name)) }
      #expect(found == Set((names + [PhotoName.name(1)]).map(FileName.init)))
      let albums = try desk.albums()
      for album in ["\u{F1}", "n\u{303}"] {
        let directory = try #require(desk.titles.directory(album, among: albums))
        #expect(directory.hasBytes(of: album))
      }
      #expect(try desk.catalog.highestNumbers().count == 3)
    }
    var dates = TakenDates()
    let mark = TakenDates.Mark(number: 5, latest: 10, order: 10, position: 0, isExact: true)
    dates.append(mark, album: "\u{F1}")
    #expect(dates.highest(in: "\u{F1}", before: 100) == 5)
    #expect(dates.highest(in: "n\u{303}", before: 100) == 0)
  }

  @Test("an album of copies has its own name again, for listing and for finding it")
  func titles() throws {
    let sandbox = try filled(1)
    let root = sandbox.root
    for album in ["Anna%3A 12", "%41nna", "50%25", "%0Aline", "%FF", "Anna: 12"] {
      mkdir("\(root)/\(album)", 0o755)
    }
    let directories = try PhotoLibrary.albums(root: root)
    let plain = AlbumTitles(root: root)
    #expect(directories.map(plain.title) == directories)
    #expect(plain.directory("Anna: 12", among: directories) == "Anna: 12")
    #expect(plain.directory("Anna", among: directories) == nil)
    // A mark that is not a regular file does not count.
    mkfifo("\(root)/.retake-copies", 0o644)
    #expect(AlbumTitles(root: root) == plain)
    unlink("\(root)/.retake-copies")
    try Sandbox.write(Array("0123456789abcdef\n".utf8), to: "\(root)/.retake-copies")
    rmdir("\(root)/Anna: 12")
    let desk = try LibraryDesk(configuration: sandbox.configuration())
    let albums = try desk.albums()
    #expect(
      Set(albums.map(desk.titles.title)) == ["Anna: 12", "Anna", "50%", "\nline", "%FF", "party"])
    for (word, directory) in [
      ("Anna: 12", "Anna%3A 12"), ("Anna%3A 12", "Anna%3A 12"), ("Anna", "%41nna"),
      ("party", "party"), ("50%", "50%25"),
    ] {
      #expect(desk.titles.directory(word, among: albums) == directory)
    }
    #expect(desk.titles.directory("../party", among: albums) == nil)
  }

  @Test("an export to a place that does not exist speaks of the place, not of a disk")
  func exportToNowhere() throws {
    let sandbox = try filled(1)
    let desk = try LibraryDesk(configuration: sandbox.configuration())
    try Sandbox.write([1], to: "\(sandbox.path)/file")
    for (place, words) in [
      ("none/x", "the directory \(sandbox.path)/none does not exist; make it"),
      ("none/x.zip", "the directory \(sandbox.path)/none does not exist; make it"),
      ("file", "\(sandbox.path)/file is not a directory; name a directory"),
      ("file/x.zip", "\(sandbox.path)/file is not a directory; name a directory"),
    ] {
      do throws(LibraryError) {
        let path = "\(sandbox.path)/\(place)"
        _ =
          place.hasSuffix(".zip")
          ? try desk.export(album: "party", toZip: path)
          : try desk.export(album: "party", toDirectory: path)
        Issue.record("\(place) was written")
      } catch {
        #expect(error.message.hasPrefix(words), "\(error.message)")
      }
    }
  }

  @Test("an export is whole, replaces nothing, and can be done again")
  func exports() throws {
    let sandbox = try filled(3)
    let desk = try LibraryDesk(configuration: sandbox.configuration())
    let target = "\(sandbox.path)/out"
    mkdir(target, 0o755)
    try Sandbox.write(still(50), to: "\(target)/IMG_00000002.jpg")
    let export = try desk.export(album: "party", toDirectory: target)
    #expect(export.written == 2)
    #expect(export.refused.count == 1)
    #expect(try Sandbox.read("\(target)/IMG_00000001.jpg") == still(1))
    #expect(try Sandbox.read("\(target)/IMG_00000002.jpg") == still(50))
    let again = try desk.export(album: "party", toDirectory: target)
    #expect(again.written == 0)
    #expect(again.present == 2)
    let names = try LinuxSystemCalls().entries(target).get()
    #expect(names.sorted() == (1...3).map { PhotoName.name($0) })
  }

  @Test("a zip has every picture's bytes, and is there whole or not at all")
  func zips() throws {
    let sandbox = try filled(3)
    let path = "\(sandbox.path)/party.zip"
    var n = 0
    var isDone = false
    while !isDone {
      n += 1
      let system = FaultySystemCalls()
      let desk = try LibraryDesk(configuration: sandbox.configuration(), system: system)
      system.forgetCalls()
      system.fail(at: n, with: EIO)
      let result = try? desk.export(album: "party", toZip: path)
      isDone = system.calls.count < n
      let names = try LinuxSystemCalls().entries(sandbox.path).get().filter { $0 != "photos" }
      if result == nil {
        #expect(names == [], "call \(n)")
      } else {
        #expect(names == ["party.zip"], "call \(n)")
      }
      if !isDone { unlink(path) }
    }
    #expect(n > 10)
    let bytes = try Sandbox.read(path)
    for seed in 1...3 {
      #expect(bytes.indices.contains { bytes[$0...].starts(with: still(seed)) })
    }
    let desk = try LibraryDesk(configuration: sandbox.configuration())
    #expect(code { _ = try desk.export(album: "party", toZip: path) } == .exists)
    #expect(try Sandbox.read(path) == bytes)
  }

  @Test("a photo that cannot be opened is named, and the others are exported")
  func unreadable() throws {
    let sandbox = try filled(3)
    let bad = "\(sandbox.album)/\(PhotoName.name(2))"
    for place in ["party.zip", "out"] {
      let system = BadPlaces()
      let desk = try LibraryDesk(configuration: sandbox.configuration(), system: system)
      system.faults = [BadPlaces.Fault(call: "open", place: PhotoName.name(2), errno: EACCES)]
      let path = "\(sandbox.path)/\(place)"
      let export =
        place.hasSuffix(".zip")
        ? try desk.export(album: "party", toZip: path)
        : try desk.export(album: "party", toDirectory: path)
      #expect(export.written == 2, "\(place)")
      #expect(export.refused.count == 1, "\(place)")
      #expect(export.refused.first?.contains(bad) == true, "\(export.refused)")
    }
  }

  @Test("a photo with the longest name is exported, as are those after it")
  func longestName() throws {
    let sandbox = try filled(1)
    let name = String(repeating: "x", count: 251) + ".jpg"
    try Sandbox.write(still(9), to: "\(sandbox.album)/\(name)")
    try Sandbox.write(still(8), to: "\(sandbox.album)/zzz.jpg")
    let desk = try LibraryDesk(configuration: sandbox.configuration())
    let export = try desk.export(album: "party", toDirectory: "\(sandbox.path)/out")
    #expect(export.written == 3)
    let copy = try Sandbox.read("\(sandbox.path)/out/\(name)")
    #expect(copy == still(9))
    let zip = "\(sandbox.path)/\(String(repeating: "z", count: 251)).zip"
    let archived = try desk.export(album: "party", toZip: zip)
    #expect(archived.written == 3)
  }

  @Test("a photo that breaks off ends a zip with the photo's name, and leaves no archive")
  func breaksOff() throws {
    let sandbox = try filled(3)
    let system = BadPlaces()
    let desk = try LibraryDesk(configuration: sandbox.configuration(), system: system)
    system.faults = [BadPlaces.Fault(call: "read", place: PhotoName.name(2), errno: EIO)]
    do throws(LibraryError) {
      _ = try desk.export(album: "party", toZip: "\(sandbox.path)/party.zip")
      Issue.record("a photo that breaks off was archived")
    } catch {
      #expect(error.code == .failing)
      #expect(error.message.contains("\(sandbox.album)/\(PhotoName.name(2)) cannot be read"))
    }
    let names = try LinuxSystemCalls().entries(sandbox.path).get()
    #expect(names == ["photos"])
  }

  @Test(
    "a file that takes the archive's name meanwhile is left, on every file system",
    arguments: [nil, EINVAL])
  func zipMeetsAFile(_ refusal: Int32?) throws {
    let sandbox = try filled(1)
    let path = "\(sandbox.path)/party.zip"
    let system = FaultySystemCalls()
    if let refusal { system.fail("renameNew", with: refusal) }
    let desk = try LibraryDesk(configuration: sandbox.configuration(), system: system)
    let refused = code {
      _ = try desk.export(album: "party", toZip: path) { _, _ in
        try? Sandbox.write([1], to: path)
      }
    }
    #expect(refused == .exists)
    let bytes = try Sandbox.read(path)
    #expect(bytes == [1])
    let names = try LinuxSystemCalls().entries(sandbox.path).get().filter { $0 != "photos" }
    #expect(names == ["party.zip"])
  }

  @Test("an event's album counts until the configuration names another")
  func albums() throws {
    let sandbox = try filled(1)
    let desk = try LibraryDesk(configuration: sandbox.configuration())
    #expect(CurrentAlbum.read(root: sandbox.root, configured: "party") == "party")
    try desk.start(album: "wedding", configured: "party")
    #expect(try desk.albums() == ["party", "wedding"])
    #expect(CurrentAlbum.read(root: sandbox.root, configured: "party") == "wedding")
    #expect(CurrentAlbum.read(root: sandbox.root, configured: "fair") == "fair")
    #expect(code { try desk.start(album: "../x", configured: "party") } == .invalidAlbum)
    for text in ["", "x", "../a\nparty\n", "a\nparty", "a\nparty\nb\n"] {
      try Sandbox.write(Array(text.utf8), to: "\(sandbox.root)/.retake.album")
      #expect(CurrentAlbum.read(root: sandbox.root, configured: "party") == "party", "\(text)")
    }
  }

  @Test(
    "the next album has the next number that is free",
    arguments: [
      ("wedding", [], "wedding-2"), ("wedding", ["wedding-2", "wedding-3"], "wedding-4"),
      ("wedding-9", [], "wedding-10"), ("2026-12-24", [], "2026-12-24-2"),
      ("2026-12-24-2", [], "2026-12-24-3"), ("a-007", [], "a-007-2"), ("-5", [], "-6"),
      ("x-99999999999999999999", [], "x-99999999999999999999-2"), ("x--3", [], "x--4"),
    ] as [(String, [String], String)])
  func nextAlbum(_ album: String, _ taken: [String], _ next: String) {
    #expect(CurrentAlbum.next(after: album, taken: taken) == next)
  }

  @Test("a library that is not there is not made")
  func absent() throws {
    let sandbox = try Sandbox()
    #expect(code { _ = try LibraryDesk(configuration: sandbox.configuration()) } == .gone)
    #expect(sandbox.everything == [])
  }
}
