import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Tests for each sync that a power cut could destroy promised data if the sync were omitted.
struct SyncTests {
  private static let ways: [(name: String, missing: [String: Int32])] = [
    ("unnamed", [:]),
    ("temporary", ["unnamed": ENOTSUP]),
    ("hard link", ["unnamed": ENOTSUP, "renameNew": EINVAL]),
    ("plain rename", ["unnamed": ENOTSUP, "renameNew": EINVAL, "link": EPERM]),
  ]

  // Returns everything that a power cut could destroy during an action.
  private func losses(
    _ missing: [String: Int32], leavingOut mutant: Int,
    _ prepare: (Sandbox) throws -> Void, _ action: (SyncModel, Sandbox) throws -> Void
  ) throws -> (syncs: Int, losses: [String]) {
    let sandbox = try Sandbox()
    try prepare(sandbox)
    let model = SyncModel()
    model.missing = missing
    model.leftOut = mutant
    try action(model, sandbox)
    model.end()
    return (model.syncs, model.allLosses)
  }

  private func expectEverySyncCounts(
    _ name: String, _ missing: [String: Int32] = [:], atLeast: Int,
    prepare: (Sandbox) throws -> Void = { _ in },
    _ action: (SyncModel, Sandbox) throws -> Void
  ) throws {
    let whole = try losses(missing, leavingOut: 0, prepare, action)
    #expect(whole.losses == [], "\(name)")
    #expect(whole.syncs >= atLeast, "\(name)")
    for mutant in 1...max(1, whole.syncs) {
      let result = try losses(missing, leavingOut: mutant, prepare, action)
      #expect(result.losses != [], "\(name): nobody notices that sync \(mutant) is left out")
    }
  }

  @Test("no sync of the first accept in a new library can be left out")
  func firstAccept() throws {
    for way in SyncTests.ways {
      try expectEverySyncCounts(way.name, way.missing, atLeast: 6) { model, sandbox in
        let library = try PhotoLibrary(configuration: sandbox.configuration(), system: model)
        // The album's directory is durable before the album has a photo.
        model.judge()
        let photo = try library.save(still(1))
        model.end()
        #expect(try Sandbox.read(photo.path) == still(1))
        withExtendedLifetime(library) {}
      }
    }
  }

  @Test("accepting has one sync, and it cannot be left out")
  func oneSync() throws {
    let sandbox = try Sandbox()
    let model = SyncModel()
    let library = try PhotoLibrary(configuration: sandbox.configuration(), system: model)
    _ = try library.save(still(1))
    let candidate = try library.prepare(still(2))
    let before = model.syncs
    model.leftOut = before + 1
    _ = try library.commit(candidate)
    #expect(model.syncs == before + 1)
    #expect(model.unsafeNames == ["IMG_00000002.jpg"])
  }

  @Test("no sync of a movie can be left out: its bytes are on the disk before they have a name")
  func movie() throws {
    // Elsewhere its bytes are written again when it is accepted, like a photo's.
    do {
      try expectEverySyncCounts("movie", atLeast: 2) { sandbox in
        _ = try sandbox.open().save(still(1))
      } _: { model, sandbox in
        let library = try PhotoLibrary(configuration: sandbox.configuration(), system: model)
        model.begin()
        let movie = try library.beginMovie()
        let bytes = still(2)
        for (offset, count) in [(100, 4900), (0, 100)] {
          let part = bytes[offset..<offset + count]
          let written = part.withUnsafeBytes { model.pwrite(movie.descriptor, $0, Int64(offset)) }
          #expect(written == count)
        }
        let photo = try library.commit(try library.prepare(movie, bytes: bytes.count))
        model.end()
        #expect(photo.kind == .movie)
        #expect(try Sandbox.read(photo.path) == bytes)
        withExtendedLifetime(library) {}
      }
    }
  }

  @Test("no sync of a new album's start can be left out")
  func albumStart() throws {
    try expectEverySyncCounts("album", atLeast: 3) { sandbox in
      _ = try sandbox.open()
    } _: { model, sandbox in
      let station = try sandbox.open()
      let desk = try LibraryDesk(configuration: sandbox.configuration(), system: model)
      model.begin()
      try desk.start(album: "wedding", configured: "party")
      withExtendedLifetime(station) {}
    }
  }

  @Test("no sync of a deletion can be left out")
  func deletion() throws {
    try expectEverySyncCounts("delete", atLeast: 1) { sandbox in
      let library = try sandbox.open()
      let catalog = try Catalog(root: sandbox.root)
      try catalog.add(try library.save(still(1)), checksum: nil)
    } _: { model, sandbox in
      let catalog = try Catalog(root: sandbox.root, access: .visitor, system: model)
      let entry = try #require(try catalog.entry(album: "party", name: "IMG_00000001.jpg"))
      try PhotoDeletion(catalog: catalog).delete(entry)
    }
  }

  @Test("no sync of an export can be left out")
  func export() throws {
    for name in ["out", "out.zip"] {
      try expectEverySyncCounts(name, atLeast: 2) { sandbox in
        let library = try sandbox.open()
        let catalog = try Catalog(root: sandbox.root)
        try catalog.add(try library.save(still(1)), checksum: nil)
        if name == "out" { mkdir("\(sandbox.path)/out", 0o755) }
        withExtendedLifetime(library) {}
      } _: { model, sandbox in
        // Another has the lock, so that opening changes nothing.
        let station = try sandbox.open()
        let desk = try LibraryDesk(configuration: sandbox.configuration(), system: model)
        model.begin()
        if name == "out" {
          _ = try desk.export(album: "party", toDirectory: "\(sandbox.path)/out")
        } else {
          _ = try desk.export(album: "party", toZip: "\(sandbox.path)/out.zip")
        }
        withExtendedLifetime(station) {}
      }
    }
  }

  @Test("the clock set back an hour or a year, or ahead, changes no number and loses nothing")
  func clock() throws {
    let sandbox = try Sandbox()
    var numbers: [Int?] = []
    var seed = 0
    // Dates of files are all that the clock gives the library.
    for shift in [0, -3600, -365 * 86_400, 40 * 365 * 86_400] {
      for restarts in [false, true] {
        let library = try sandbox.open()
        for _ in 0..<2 {
          seed += 1
          let photo = try library.save(still(seed))
          numbers.append(photo.number)
          let date = timespec(tv_sec: max(0, time(nil) + shift), tv_nsec: 0)
          var times = [date, date]
          utimensat(AT_FDCWD, photo.path, &times, 0)
          if restarts { break }
        }
      }
    }
    #expect(numbers == (1...seed).map { $0 })
    let catalog = try Catalog(root: sandbox.root)
    _ = try catalog.synchronize(album: "party")
    #expect(
      try catalog.page(album: "party").map(\.photo.number) == (1...seed).reversed().map { $0 })
    for number in 1...seed {
      #expect(try Sandbox.read("\(sandbox.album)/\(PhotoName.name(number))") == still(number))
    }
  }
}
