import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Albums on disks that cannot carry their names.
struct CopyNameTests {
  private static let albums = [
    "Hochzeit Müller", "Anna & Ben: 12:30", "What a day?", "booth", "Booth", "BOOTH",
    "ends with dot.", "nul", "a%3Ab", "a:b", "é", "e\u{301}", "later",
  ]

  // A library with one photo in each album, and a copier for a stick.
  private func copied(
    _ system: any SystemCalls, _ sandbox: Sandbox
  ) throws -> (catalog: Catalog, copier: Copier) {
    for (seed, album) in CopyNameTests.albums.enumerated() {
      _ = try sandbox.open(album: album).save(still(seed))
    }
    let catalog = try Catalog(root: sandbox.root)
    for album in CopyNameTests.albums { _ = try catalog.synchronize(album: album) }
    let copier = Copier(catalog: catalog, targets: [sandbox.stick()], system: system)
    copier.serve(0)
    return (catalog, copier)
  }

  private func directories(_ stick: String) throws -> [String] {
    try LinuxSystemCalls().entries(stick).get().filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test("every album is copied, whatever the disk makes of its name, and found again")
  func allAlbums() throws {
    for kind in ["known", "unknown", "ASCII", "Linux"] {
      let sandbox = try Sandbox()
      let disk = NarrowDisk(kind == "Linux" ? "/nowhere" : sandbox.stick())
      disk.isKnown = kind != "unknown"
      disk.isASCII = kind == "ASCII"
      let (catalog, copier) = try copied(disk, sandbox)
      defer { copier.stop() }
      let state = try #require(copier.states.first)
      #expect(state.state == "ready", "\(kind): \(state.fix ?? "")")
      #expect(state.waiting == 0 && state.refused == 0 && state.failed == 0, "\(kind)")
      #expect(state.fix == nil, "\(kind)")
      // Each directory says whose it is, and has that album's photo.
      var found: Set<[UInt8]> = []
      for directory in try directories(sandbox.stick()) {
        let album = PortableName.album(directory.utf8)
        let seed = CopyNameTests.albums.firstIndex { $0.utf8.elementsEqual(album) }
        let bytes = try Sandbox.read("\(sandbox.stick())/\(directory)/IMG_00000001.jpg")
        #expect(bytes == still(seed ?? -1), "\(kind): \(directory)")
        found.insert(album)
      }
      #expect(found.count == CopyNameTests.albums.count, "\(kind)")
      // A second look, and one after a start, find what the first has made.
      let before = try directories(sandbox.stick())
      let again = Copier(catalog: catalog, targets: [sandbox.stick()], system: disk)
      again.serve(0)
      again.stop()
      #expect(again.states.first?.waiting == 0, "\(kind)")
      let after = try directories(sandbox.stick())
      #expect(after == before, "\(kind)")
    }
  }

  @Test("on Linux's own file systems the names stay as they are")
  func plain() throws {
    let sandbox = try Sandbox()
    let (_, copier) = try copied(LinuxSystemCalls(), sandbox)
    defer { copier.stop() }
    let expected = CopyNameTests.albums.map { $0 == "a%3Ab" ? "a%253Ab" : $0 }
    let names = Set(try directories(sandbox.stick()).map { Array($0.utf8) })
    #expect(names == Set(expected.map { Array($0.utf8) }))
  }

  @Test("verify, removal and show find a copy under the name that it has on the disk")
  func everybodyKnows() throws {
    let sandbox = try Sandbox()
    let disk = NarrowDisk(sandbox.stick())
    let (catalog, copier) = try copied(disk, sandbox)
    defer { copier.stop() }
    let album = "What a day?"
    let copy = "\(sandbox.stick())/What a day%3F/IMG_00000001.jpg"
    let desk = try LibraryDesk(configuration: sandbox.configuration(), system: disk)
    let none = try desk.verify(album: album)
    #expect(none == [])
    let entry = try #require(try catalog.entry(album: album, name: "IMG_00000001.jpg"))
    let folders = try desk.copyFolders(of: entry)
    #expect(folders == ["\(sandbox.stick())/What a day%3F"])
    try Sandbox.write(still(99), to: copy)
    let findings = try desk.verify(album: album)
    #expect(findings.map(\.path) == [copy])
    #expect(findings.first?.words.contains(copy) == true)
    try Sandbox.write(still(2), to: copy)
    let mended = try desk.verify(album: album)
    #expect(mended == [])
    try desk.delete(entry)
    copier.serve(0)
    #expect(access(copy, F_OK) != 0)
    #expect(access("\(sandbox.stick())/booth/IMG_00000001.jpg", F_OK) == 0)
  }

  @Test("an album that no name can be made for keeps its own photos only, and is named")
  func noName() throws {
    let sandbox = try Sandbox()
    for candidate in PortableName.candidates("What a day?", isNarrow: false) {
      try Sandbox.write([1], to: "\(sandbox.stick())/\(candidate)")
    }
    let (_, copier) = try copied(LinuxSystemCalls(), sandbox)
    defer { copier.stop() }
    let state = try #require(copier.states.first)
    #expect(state.state == "ready")
    #expect(state.failed == 1)
    #expect(state.waiting == 1)
    #expect(state.fix?.contains("What a day?") == true)
  }
}
