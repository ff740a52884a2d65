import CLinux
import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Objects that may have the name of a file of the library.
enum ForeignThing: String, CaseIterable, Sendable {
  case folder, fullFolder, pipe, socket, link, danglingLink

  func put(at path: String, _ sandbox: Sandbox) throws {
    unlink(path)
    switch self {
    case .folder: mkdir(path, 0o755)
    case .fullFolder:
      mkdir(path, 0o755)
      try Sandbox.write([1], to: "\(path)/inside")
    case .pipe: mkfifo(path, 0o644)
    case .socket: mknod(path, S_IFSOCK | 0o644, 0)
    case .link: symlink("\(sandbox.path)/elsewhere", path)
    case .danglingLink: symlink("\(sandbox.path)/made", path)
    }
  }
}

private let ownNames = [
  ".retake.lock", ".retake.party.sequence", ".retake-sequence.part", ".retake.album",
  ".retake.album.part", ".retake.journal", ".retake.catalog", ".retake.catalog-wal",
  ".retake.catalog-shm", ".retake.catalog-journal", "party/.retake-abc.part",
  "party/.retake-00000102.part",
]

/// Something else in the place of a file that the library makes for itself.
struct OwnFileTests {
  // All that a station and its operator do with a library.
  private func useEverything(_ sandbox: Sandbox, _ way: Way, _ note: String) throws {
    let library = try PhotoLibrary(configuration: sandbox.configuration(), system: sandbox.system)
    way.arrange(sandbox.system)
    let photo = try library.save(still(2))
    #expect(try Sandbox.read(photo.path) == still(2), "\(note)")
    try SessionJournal.open(root: sandbox.root, sandbox.system).append(
      SessionRecord(event: .began, run: "a", session: 1, time: 1, uptime: 1))
    sandbox.system.heal()
    library.close()
    let desk = try LibraryDesk(configuration: sandbox.configuration(), system: sandbox.system)
    #expect(try desk.catalog.page(album: "party").count == 2, "\(note)")
    _ = try desk.statistics()
    try desk.start(album: "party", configured: "booth")
    #expect(CurrentAlbum.read(root: sandbox.root, configured: "booth") == "party", "\(note)")
    // The same holds for a user who may only read.
    let reader = try Catalog(root: sandbox.root, access: .reader, system: sandbox.system)
    _ = try reader.page(album: "party")
  }

  @Test(
    "whatever it is, it is set aside or left alone: photos are saved, nothing waits, nothing is lost",
    arguments: ownNames)
  func inPlace(of name: String) throws {
    for thing in ForeignThing.allCases {
      for way in [Way.unnamed, .temporary] {
        let sandbox = try Sandbox()
        let note = "\(name): \(thing), \(way)"
        _ = try sandbox.open().save(still(1))
        try Sandbox.write([7, 7], to: "\(sandbox.path)/elsewhere")
        try thing.put(at: "\(sandbox.root)/\(name)", sandbox)
        try useEverything(sandbox, way, note)
        #expect(try Sandbox.read("\(sandbox.path)/elsewhere") == [7, 7], "\(note)")
        #expect(access("\(sandbox.path)/made", F_OK) != 0, "\(note)")
        if thing == .fullFolder {
          #expect(sandbox.everything.contains { $0.hasSuffix("/inside") }, "\(note)")
        }
        // And a second start, with what was set aside.
        try useAgain(sandbox, note)
      }
    }
  }

  private func useAgain(_ sandbox: Sandbox, _ note: String) throws {
    let number = try #require(try sandbox.open().save(still(3)).number)
    #expect(number > 2, "\(note)")
  }

  @Test("a reader who may change nothing waits for none of them", arguments: ForeignThing.allCases)
  func reader(_ thing: ForeignThing) throws {
    for name in [".retake.catalog", ".retake.catalog-wal", ".retake.catalog-journal"] {
      let sandbox = try Sandbox()
      _ = try sandbox.open().save(still(1))
      do { _ = try Catalog(root: sandbox.root).synchronize(album: "party") }
      try thing.put(at: "\(sandbox.root)/\(name)", sandbox)
      let catalog = try Catalog(root: sandbox.root, access: .reader, system: sandbox.system)
      #expect(try catalog.page(album: "party").isEmpty, "\(name)")
    }
  }

  @Test("what is set aside gets a name that nothing has")
  func asideNames() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open().save(still(1))
    for _ in 0..<3 {
      mkdir("\(sandbox.root)/.retake.journal", 0o755)
      try SessionJournal.open(root: sandbox.root, sandbox.system).append(
        SessionRecord(event: .began, run: "a", session: 1, time: 1, uptime: 1))
      unlink("\(sandbox.root)/.retake.journal")
    }
    let aside = sandbox.everything.filter { $0.contains(".aside") }
    #expect(
      aside == [".retake.journal.aside", ".retake.journal.aside-2", ".retake.journal.aside-3"])
  }

  @Test(
    "names that lead elsewhere are no names of pictures",
    arguments: [
      "", ".", "..", "../a.jpg", "/etc/passwd", "a/b.jpg", ".hidden.jpg", "a\u{0}b",
      String(repeating: "a", count: 256),
    ])
  func namesOfPictures(_ name: String) throws {
    #expect(!PhotoName.isFileName(name))
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    let photo = try library.save(still(1))
    let catalog = try Catalog(root: sandbox.root)
    try catalog.add(photo, checksum: nil)
    var entry = try #require(try catalog.entry(album: "party", name: photo.name))
    entry.photo.name = name
    #expect(code { try catalog.delete(entry) } == .notFound)
    entry.photo.name = photo.name
    entry.photo.album = name.isEmpty ? "../party" : "../\(name)"
    #expect(code { try catalog.delete(entry) } == .notFound)
    #expect(try library.photos().map(\.name) == [photo.name])
  }
}
