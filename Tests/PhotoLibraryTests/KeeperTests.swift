import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Tests of the keeper's work after photos are saved.
struct KeeperTests {
  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  @Test("a saved photo is listed, and a catalog that lagged behind catches up at the start")
  func lists() async throws {
    let sandbox = try Sandbox()
    do {
      let booth = try Booth(sandbox)
      try booth.save(1)
      await booth.settle()
      #expect(try booth.keeper.catalog.page(album: "party").map(\.photo.number) == [1])
      // Saved, but the power went before the row was written.
      _ = try booth.library.save(still(2))
      booth.keeper.stop()
    }
    let booth = try Booth(sandbox)
    await booth.settle()
    #expect(try booth.keeper.catalog.page(album: "party").map(\.photo.number) == [2, 1])
    booth.keeper.stop()
  }

  @Test("copies follow, wait for a directory that is away, and catch up when it returns")
  func copies() async throws {
    let sandbox = try Sandbox()
    let stick = "\(sandbox.path)/usb"
    let booth = try Booth(sandbox, LibraryKeeping(copies: [stick]))
    defer { booth.keeper.stop() }
    try booth.save(1)
    await booth.settle()
    #expect(booth.keeper.copies.first?.state == "absent")
    #expect(!exists(stick))
    mkdir(stick, 0o755)
    booth.keeper.look()
    await booth.settle()
    #expect(booth.keeper.copies.first?.state == "ready")
    #expect(try Sandbox.read("\(stick)/party/IMG_00000001.jpg") == still(1))
    rename(stick, "\(sandbox.path)/away")
    for seed in 2...4 { try booth.save(seed) }
    await booth.settle()
    #expect(booth.keeper.copies.first?.state == "absent")
    rename("\(sandbox.path)/away", stick)
    booth.keeper.look()
    await booth.settle()
    for seed in 1...4 {
      #expect(try Sandbox.read("\(stick)/party/\(PhotoName.name(seed))") == still(seed))
    }
    #expect(booth.keeper.copies.first?.waiting == 0)
    // Another stick at the same place gets everything, too.
    rename(stick, "\(sandbox.path)/full")
    mkdir(stick, 0o755)
    booth.keeper.look()
    await booth.settle()
    #expect(try Sandbox.read("\(stick)/party/IMG_00000001.jpg") == still(1))
  }

  @Test("copies wait while a guest is there")
  func copiesWait() async throws {
    let sandbox = try Sandbox()
    let stick = sandbox.stick()
    let booth = try Booth(sandbox, LibraryKeeping(copies: [stick]))
    defer { booth.keeper.stop() }
    await booth.settle()
    booth.keeper.session(isActive: true)
    try booth.save(1)
    await booth.settle()
    #expect(!exists("\(stick)/party/IMG_00000001.jpg"))
    booth.keeper.session(isActive: false)
    await booth.settle()
    #expect(exists("\(stick)/party/IMG_00000001.jpg"))
  }

  @Test("a copy never replaces another picture, and a damaged photo is not copied")
  func refusals() async throws {
    let sandbox = try Sandbox()
    let stick = sandbox.stick(with: "party")
    try Sandbox.write(still(99), to: "\(stick)/party/IMG_00000001.jpg")
    let booth = try Booth(sandbox, LibraryKeeping(copies: [stick]))
    defer { booth.keeper.stop() }
    booth.keeper.session(isActive: true)
    try booth.save(1)
    let second = try booth.save(2)
    try booth.save(3)
    await booth.settle()
    try Sandbox.write(still(77), to: second.path)
    booth.keeper.session(isActive: false)
    await booth.settle()
    #expect(try Sandbox.read("\(stick)/party/IMG_00000001.jpg") == still(99))
    #expect(!exists("\(stick)/party/IMG_00000002.jpg"))
    #expect(try Sandbox.read("\(stick)/party/IMG_00000003.jpg") == still(3))
    #expect(booth.keeper.copies.first?.refused == 2)
    #expect(booth.keeper.copies.first?.fix != nil)
  }

  @Test("every call of a copy fails once: nothing half is there, and the next look completes it")
  func everyCallOfACopyFails() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    let photo = try library.save(still(1))
    let source = try Descriptor(
      opening: sandbox.album, flags: O_DIRECTORY, system: LinuxSystemCalls())
    let checksum = still(1).withUnsafeBytes { Checksum(of: [$0]) }
    var n = 0
    var isDone = false
    while !isDone {
      n += 1
      let stick = "\(sandbox.path)/usb\(n)"
      mkdir(stick, 0o755)
      let target = try Descriptor(opening: stick, flags: O_DIRECTORY, system: LinuxSystemCalls())
      let system = FaultySystemCalls()
      system.fail(at: n, with: ENOSPC)
      let copying = FileCopy(system: system)
      let first = try? copying.copy(
        photo.name, from: source.number, at: sandbox.album, to: target.number, path: stick,
        expected: checksum)
      isDone = system.calls.count < n
      if first == nil {
        let names = try LinuxSystemCalls().entries(stick).get()
        #expect(names == [], "call \(n)")
      }
      let second = try FileCopy(system: LinuxSystemCalls()).copy(
        photo.name, from: source.number, at: sandbox.album, to: target.number, path: stick,
        expected: checksum)
      #expect(second == (first == nil ? .copied(checksum) : .present(checksum)), "call \(n)")
      #expect(try Sandbox.read("\(stick)/\(photo.name)") == still(1), "call \(n)")
    }
    #expect(n > 8)
  }

  @Test("deleting takes file, row and copies, also on a stick that is away")
  func deletes() async throws {
    let sandbox = try Sandbox()
    let stick = sandbox.stick()
    let booth = try Booth(sandbox, LibraryKeeping(copies: [stick]))
    defer { booth.keeper.stop() }
    for seed in 1...3 { try booth.save(seed) }
    await booth.settle()
    // Beside the running station, as the command line does it.
    let desk = try LibraryDesk(configuration: sandbox.configuration())
    #expect(desk.hasStation)
    try desk.delete(try desk.find("1", album: "party"))
    try desk.deleteCopies()
    #expect(!exists("\(sandbox.album)/IMG_00000001.jpg"))
    #expect(!exists("\(stick)/party/IMG_00000001.jpg"))
    rename(stick, "\(sandbox.path)/away")
    try desk.delete(try desk.find("IMG_00000002.jpg", album: "party"))
    try desk.deleteCopies()
    #expect(exists("\(sandbox.path)/away/party/IMG_00000002.jpg"))
    rename("\(sandbox.path)/away", stick)
    booth.keeper.look()
    await booth.settle()
    #expect(!exists("\(stick)/party/IMG_00000002.jpg"))
    #expect(exists("\(stick)/party/IMG_00000003.jpg"))
    #expect(try desk.catalog.page(album: "party").map(\.photo.number) == [3])
    #expect(code { _ = try desk.find("2", album: "party") } == .notFound)
    #expect(try booth.library.save(still(4)).number == 4)
  }

  @Test("retention deletes the oldest, and never what is kept, foreign, or not copied yet")
  func retention() async throws {
    let sandbox = try Sandbox()
    let clock = BoothClock(isSynchronized: true)
    // 90, 72, 54, 36, 18 days old, and one of today.
    let booth = try Booth(sandbox, clock: clock)
    for seed in 1...6 {
      try booth.save(seed)
      await booth.settle()
      if seed < 6 { clock.pass(days: 18) }
    }
    try Sandbox.write(still(9), to: "\(sandbox.album)/phone.jpg")
    await booth.look()
    booth.stop()
    let dates = ClockLog(root: sandbox.root, LinuxSystemCalls()).history.dates(clock.reading)
    do {
      let desk = try LibraryDesk(configuration: sandbox.configuration())
      _ = try desk.rebuild(album: "party")
      try desk.keep(try desk.find("2", album: "party"), true)
      #expect(try desk.find("2", album: "party").isKept)
      func numbers(days: Int64?, bytes: Int?, copies: [String] = []) throws -> [Int?] {
        var plan = AgePlan(dates: dates)
        (plan.now, plan.limit) = (clock.truth, days.map { clock.truth - $0 * BoothClock.day })
        return try desk.catalog.expired(plan, bytes: bytes, present: "other", copies: copies)
          .map(\.photo.number)
      }
      #expect(try numbers(days: 30, bytes: nil) == [1, 3, 4])
      #expect(try numbers(days: 30, bytes: nil, copies: ["/media/usb"]) == [])
      #expect(try numbers(days: nil, bytes: 5000 * 4) == [1, 3])
      #expect(try numbers(days: nil, bytes: 5000 * 6) == [])
      #expect(try numbers(days: 365, bytes: nil) == [])
      // The mark outlives the catalog.
      unlink(Catalog.path(sandbox.root))
    }
    let last = try Booth(sandbox, LibraryKeeping(keepDays: 30), clock: clock)
    await last.settle()
    await last.look(minutes: 2)
    #expect(try await last.library.photos().map(\.number) == [6, 5, 2, nil])
    last.stop()
  }
}
