import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Tests that one failure does not stop other work, and is reported by its name.
struct CopyTroubleTests {
  /// A library with some albums, a stick, and a copier on disks that fail on request.
  private struct Rig {
    let sandbox: Sandbox
    let system = BadPlaces()
    let clock = ManualClock()
    let catalog: Catalog
    let copier: Copier
    let stick: String

    init(_ albums: [String: Int] = ["party": 5]) throws {
      sandbox = try Sandbox()
      stick = sandbox.stick()
      for (album, count) in albums.sorted(by: { $0.key < $1.key }) {
        let library = try sandbox.open(album: album)
        for seed in 1...count { _ = try library.save(still(seed)) }
      }
      catalog = try Catalog(root: sandbox.root)
      for album in albums.keys.sorted() { _ = try catalog.synchronize(album: album) }
      system.clock = clock
      copier = Copier(catalog: catalog, targets: [stick], system: system)
    }

    func fail(_ call: String, _ place: String, _ errno: Int32) {
      system.faults.append(BadPlaces.Fault(call: call, place: place, errno: errno))
    }

    @discardableResult
    func look(after duration: Duration = .zero) -> CopyState {
      clock.advance(by: duration)
      copier.serve(0)
      return copier.states[0]
    }

    /// The names of the photos that are there, by album.
    var copies: [String] {
      let names = (try? LinuxSystemCalls().entries(stick).get()) ?? []
      return names.filter { !$0.hasPrefix(".") }.flatMap { album -> [String] in
        let photos = (try? LinuxSystemCalls().entries("\(stick)/\(album)").get()) ?? []
        return photos.map { "\(album)/\($0)" }
      }.sorted()
    }
  }

  private func party(_ numbers: [Int]) -> [String] {
    numbers.map { "party/\(PhotoName.name($0))" }
  }

  @Test("one photo that cannot be read stops no other, and is named; not the stick")
  func unreadablePhoto() throws {
    for (call, errno) in [("open", EACCES), ("read", EIO)] {
      let rig = try Rig()
      defer { rig.copier.stop() }
      rig.fail(call, "photos/party/IMG_00000002.jpg", errno)
      let state = rig.look()
      #expect(rig.copies == party([1, 3, 4, 5]))
      #expect(state.state == "ready")
      #expect(state.failed == 1)
      #expect(state.waiting == 1)
      #expect(state.refused == 0)
      let fix = state.fix ?? ""
      #expect(fix.contains("the photo \(rig.sandbox.album)/IMG_00000002.jpg cannot be read"))
      #expect(fix.contains(SystemError.reason(errno)))
      #expect(!fix.contains("another stick"), "\(fix)")
      // Once it can be read it is copied, without a start.
      rig.system.faults = []
      let later = rig.look(after: Copier.firstDelay)
      #expect(rig.copies.count == 5)
      #expect(later.fix == nil && later.failed == 0 && later.waiting == 0)
    }
  }

  @Test("what failed is tried again later and later, and at once when the stick was away")
  func backOff() throws {
    let rig = try Rig()
    defer { rig.copier.stop() }
    let place = "photos/party/IMG_00000003.jpg"
    rig.fail("read", place, EIO)
    var tries: [Int] = []
    for minute in 0..<120 {
      // Every five seconds, as the station does.
      for _ in 0..<12 { rig.look(after: .seconds(5)) }
      if minute == 59 || minute == 119 { tries.append(rig.system.met[place] ?? 0) }
    }
    // Some in the first quarter of an hour, and then four an hour.
    #expect(tries[0] >= 7 && tries[0] <= 12, "\(tries)")
    #expect(tries[1] - tries[0] >= 3 && tries[1] - tries[0] <= 5, "\(tries)")
    rename(rig.stick, "\(rig.stick)-away")
    #expect(rig.look().state == "absent")
    rename("\(rig.stick)-away", rig.stick)
    #expect(rig.look().failed == 1)
    #expect(rig.system.met[place] == tries[1] + 1)
  }

  @Test("a failure is tried again after the next start")
  func afterStart() throws {
    let rig = try Rig()
    rig.fail("read", "photos/party/IMG_00000001.jpg", EIO)
    rig.look()
    rig.copier.stop()
    let next = Copier(catalog: rig.catalog, targets: [rig.stick], system: LinuxSystemCalls())
    next.serve(0)
    next.stop()
    #expect(rig.copies.count == 5)
    #expect(next.states[0].failed == 0)
  }

  @Test("an album that cannot be made or written keeps its own photos only")
  func albumFails() throws {
    let faults = [("mkdir", "usb/bad"), ("open", "usb/bad"), ("open", "usb/bad/.retake-")]
    for (call, place) in faults {
      let rig = try Rig(["bad": 20, "good": 4, "worse": 2])
      defer { rig.copier.stop() }
      rig.fail(call, place, EACCES)
      let state = rig.look()
      let note = "\(call) \(place)"
      #expect(rig.copies.filter { !$0.hasPrefix("bad/") }.count == 6, "\(note)")
      #expect(state.state == "ready", "\(note)")
      #expect(state.failed == 20, "\(note)")
      #expect(state.fix?.contains("\(rig.stick)/bad") == true, "\(state.fix ?? "")")
      // For each of the twenty it would be the same.
      #expect(rig.system.met[place] ?? 0 <= 3, "\(note)")
      rig.system.faults = []
      for _ in 0..<4 { rig.look(after: Copier.firstDelay) }
      #expect(rig.copies.count == 26, "\(note)")
    }
  }

  @Test("a stick on which everything fails is blamed itself, and left alone until the next look")
  func stickFails() throws {
    let rig = try Rig(["party": 20])
    defer { rig.copier.stop() }
    rig.fail("write", "usb/party", EIO)
    let state = rig.look()
    #expect(state.state == "failing")
    #expect(state.fix?.contains("\(rig.stick)/party/IMG_00000003.jpg cannot be written") == true)
    #expect(state.fix?.contains("another stick") == true)
    #expect(rig.system.met["usb/party"] == 3)
    rig.system.faults = []
    for _ in 0..<4 { rig.look(after: Copier.firstDelay) }
    #expect(rig.copies.count == 20)
    #expect(rig.copier.states[0].fix == nil)
  }

  @Test("a file too large for the disk keeps itself only; one without room keeps no smaller one")
  func size() throws {
    let second = "usb/party/.retake-IMG_00000002.jpg.part"
    let rig = try Rig()
    defer { rig.copier.stop() }
    rig.fail("write", second, EFBIG)
    let state = rig.look()
    #expect(rig.copies == party([1, 3, 4, 5]))
    #expect(state.failed == 1)
    #expect(state.fix?.contains("exFAT or ext4") == true)
    let full = try Rig()
    defer { full.copier.stop() }
    full.fail("write", second, ENOSPC)
    let fullState = full.look()
    #expect(full.copies == party([1, 3, 4, 5]))
    #expect(fullState.state == "full")
    #expect(fullState.failed == 0)
    #expect(fullState.waiting == 1)
    #expect(fullState.fix == "\(full.stick) is full: empty it, or plug in a larger one")
    full.system.faults = []
    #expect(full.look().state == "ready")
    #expect(full.copies.count == 5)
    // Room is asked for before anything is written.
    let none = try Rig()
    defer { none.copier.stop() }
    none.system.clock = nil
    none.fail("room", "usb/party", 1)
    none.fail("write", "usb/party/", EIO)
    let huge = try none.sandbox.open().save(still(7, count: 400_000))
    try none.catalog.add(huge, checksum: nil)
    none.copier.serve(0)
    #expect(none.copier.states[0].state == "full")
    #expect(none.system.met["usb/party/"] == 3 || none.system.met["usb/party/"] == nil)
  }

  @Test("one copy that cannot be deleted keeps no other, nor what is to be copied")
  func removals() throws {
    let rig = try Rig()
    defer { rig.copier.stop() }
    rig.look()
    for name in [1, 2, 3].map({ PhotoName.name($0) }) {
      let entry = try #require(try rig.catalog.entry(album: "party", name: name))
      try PhotoDeletion(catalog: rig.catalog).delete(entry)
    }
    let sixth = try rig.sandbox.open().save(still(6))
    try rig.catalog.add(sixth, checksum: nil)
    rig.fail("unlink", "usb/party/IMG_00000001.jpg", EIO)
    let state = rig.look()
    #expect(rig.copies == party([1, 4, 5, 6]))
    #expect(state.state == "ready")
    #expect(state.fix?.contains("IMG_00000001.jpg") == true)
    rig.system.faults = []
    #expect(rig.look(after: .seconds(60)).fix == nil)
    #expect(rig.copies == party([4, 5, 6]))
  }

  @Test("a copy that cannot be looked at keeps no other from being made, and counts no more")
  func checks() throws {
    let rig = try Rig()
    defer { rig.copier.stop() }
    rig.look()
    let sixth = try rig.sandbox.open().save(still(6))
    try rig.catalog.add(sixth, checksum: nil)
    rig.fail("open", "usb/party/IMG_00000002.jpg", EIO)
    let state = rig.look(after: Copier.checkInterval)
    #expect(rig.copies.contains("party/IMG_00000006.jpg"))
    #expect(state.failed == 1)
    let entry = try #require(try rig.catalog.entry(album: "party", name: "IMG_00000002.jpg"))
    var copies = try rig.catalog.copies(of: entry)
    #expect(copies == [])
    rig.system.faults = []
    #expect(rig.look(after: Copier.maximumDelay).fix == nil)
    copies = try rig.catalog.copies(of: entry)
    #expect(copies == [rig.stick])
  }

  @Test("rows that name no photo of a library delete nothing")
  func foreignRemovals() throws {
    let rig = try Rig()
    defer { rig.copier.stop() }
    rig.look()
    let identity = try #require(try rig.catalog.identities().first)
    let victim = "\(rig.sandbox.path)/victim"
    for path in [victim, "\(rig.stick)/IMG_00000009.jpg"] { try Sandbox.write([1], to: path) }
    let rows = [
      ("party", victim), (rig.sandbox.path, "victim"), ("party/..", "IMG_00000009.jpg"),
      ("..", "victim"), ("", victim), ("party", "../IMG_00000009.jpg"), ("party", ".retake-copies"),
    ]
    for (album, name) in rows {
      try rig.catalog.use { (database) throws(DatabaseError) in
        try database.run("PRAGMA ignore_check_constraints = ON")
        try database.run(
          "INSERT INTO removal VALUES(?, ?, ?)", .text(identity), .text(album), .text(name))
        try database.run("PRAGMA ignore_check_constraints = OFF")
      }
    }
    // The first look meets rows that no station writes, and makes the catalog anew.
    rig.look()
    #expect(access(victim, F_OK) == 0)
    #expect(access("\(rig.stick)/IMG_00000009.jpg", F_OK) == 0)
    #expect(access("\(rig.stick)/.retake-copies", F_OK) == 0)
  }
}
