import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Tests of the photos that keep-days and keep-size delete, with the clocks of real booths.
struct RetentionTests {
  private static let day = BoothClock.day

  /// Starts the station, takes `photos` photos, and lets the keeper check for some minutes.
  private func evening(
    _ sandbox: Sandbox, _ clock: BoothClock, photos: Int, minutes: Int = 2, days: Int = 30,
    _ during: (BoothClock) -> Void = { _ in }
  ) async throws -> [Int] {
    let booth = try Booth(sandbox, LibraryKeeping(keepDays: days), clock: clock)
    defer { booth.stop() }
    for seed in 0..<photos {
      try booth.save(seed + 1)
      clock.pass(seconds: 60)
    }
    await booth.look()
    during(clock)
    await booth.look(minutes: minutes)
    return try booth.numbers
  }

  @Test("a clock that is set after the photos were taken makes none of them old")
  func clockSetAfterwards() async throws {
    let sandbox = try Sandbox()
    let clock = BoothClock(error: -70 * Self.day)
    let there = try await evening(sandbox, clock, photos: 3, minutes: 4) { $0.synchronize() }
    #expect(there == [1, 2, 3])
    // The same station, a month later and after a start: the true dates are known.
    clock.restart(afterDays: 28)
    #expect(try await evening(sandbox, clock, photos: 0) { $0.synchronize() } == [1, 2, 3])
    clock.restart(afterDays: 3)
    #expect(try await evening(sandbox, clock, photos: 1, minutes: 3) { $0.synchronize() } == [4])
  }

  @Test("photos of an evening without a right clock count from the next moment with one")
  func rightClockLater() async throws {
    for battery in [nil, -70 * Self.day] as [Int64?] {
      let sandbox = try Sandbox()
      let clock = BoothClock(error: -70 * Self.day, batteryError: battery)
      #expect(try await evening(sandbox, clock, photos: 2) == [1, 2])
      clock.restart(afterDays: 5, error: -70 * Self.day)
      #expect(try await evening(sandbox, clock, photos: 0) { $0.synchronize() } == [1, 2])
      clock.restart(afterDays: 27)
      #expect(try await evening(sandbox, clock, photos: 0) { $0.synchronize() } == [1, 2])
      clock.restart(afterDays: 5)
      let there = try await evening(sandbox, clock, photos: 0, minutes: 3) { $0.synchronize() }
      #expect(there == [], "battery \(battery ?? 0)")
    }
  }

  @Test("a clock that was ahead neither deletes early nor keeps for ever")
  func clockAhead() async throws {
    let sandbox = try Sandbox()
    let clock = BoothClock(error: 400 * Self.day)
    #expect(try await evening(sandbox, clock, photos: 2) == [1, 2])
    clock.restart(afterDays: 29)
    #expect(try await evening(sandbox, clock, photos: 1) { $0.synchronize() } == [1, 2, 3])
    clock.restart(afterDays: 32)
    let there = try await evening(sandbox, clock, photos: 0, minutes: 3) { $0.synchronize() }
    #expect(there == [])
  }

  @Test("without network and battery no photo is too old, whatever the clock says")
  func neverRight() async throws {
    let sandbox = try Sandbox()
    let clock = BoothClock(error: -70 * Self.day)
    #expect(try await evening(sandbox, clock, photos: 2) == [1, 2])
    // By hand, and that twice: nothing vouches for either date.
    let there = try await evening(sandbox, clock, photos: 0, minutes: 20) { clock in
      clock.set(error: 0)
      clock.pass(days: 90)
    }
    #expect(there == [1, 2])
    clock.restart(afterDays: 400)
    #expect(try await evening(sandbox, clock, photos: 0, minutes: 20) == [1, 2])
  }

  @Test("a battery-backed clock is enough once no time source has said else for a while")
  func battery() async throws {
    let sandbox = try Sandbox()
    let clock = BoothClock(batteryError: 0)
    #expect(try await evening(sandbox, clock, photos: 2) == [1, 2])
    clock.restart(afterDays: 31)
    #expect(try await evening(sandbox, clock, photos: 1, minutes: 10) == [1, 2, 3])
    #expect(try await evening(sandbox, clock, photos: 0, minutes: 18) == [3])
    // The clock stood still while the booth was off and is set by hand, so the age of earlier
    // photos counts from then.
    clock.restart(afterDays: 70, batteryStops: true)
    #expect(try await evening(sandbox, clock, photos: 1, minutes: 18) == [3, 4])
    let there = try await evening(sandbox, clock, photos: 1, minutes: 20) { clock in
      clock.set(error: 0, alsoBattery: true)
    }
    #expect(there == [3, 4, 5])
    clock.restart(afterDays: 25)
    #expect(try await evening(sandbox, clock, photos: 0, minutes: 20) == [3, 4, 5])
    clock.restart(afterDays: 7)
    #expect(try await evening(sandbox, clock, photos: 0, minutes: 20) == [])
  }

  @Test("the first look after a start, and the first after a step, delete nothing for its age")
  func justSet() async throws {
    let sandbox = try Sandbox()
    let clock = BoothClock(isSynchronized: true)
    do {
      let booth = try Booth(sandbox, LibraryKeeping(keepDays: 30), clock: clock)
      try booth.save(1)
      await booth.look()
      booth.stop()
    }
    clock.restart(afterDays: 20)
    clock.synchronize()
    let booth = try Booth(sandbox, LibraryKeeping(keepDays: 30), clock: clock)
    defer { booth.stop() }
    await booth.look(minutes: 3)
    #expect(try booth.numbers == [1])
    // A time source says something else than before: once it stays with that, it is believed.
    clock.set(error: 15 * Self.day)
    clock.believe()
    await booth.look()
    #expect(try booth.numbers == [1])
    await booth.look()
    #expect(try booth.numbers == [])
  }

  @Test("what was taken in this start of the machine is as old as its uptime says")
  func uptime() async throws {
    let sandbox = try Sandbox()
    let clock = BoothClock(isSynchronized: true)
    let booth = try Booth(sandbox, LibraryKeeping(keepDays: 30), clock: clock)
    defer { booth.stop() }
    try booth.save(1)
    await booth.settle()
    clock.pass(days: 20)
    try booth.save(2)
    await booth.settle()
    await booth.look(minutes: 2)
    // Not seen as synchronized any more, as after hours without network: the uptime still counts.
    clock.disconnect()
    clock.pass(days: 11)
    await booth.look(minutes: 2)
    let left = try booth.numbers
    #expect(left == [2])
  }

  @Test("photos without a line of the clock count from the first certain look, whatever their date")
  func older() async throws {
    let sandbox = try Sandbox()
    let clock = BoothClock(isSynchronized: true)
    do {
      let library = try sandbox.open()
      for seed in 1...3 {
        let photo = try library.save(still(seed))
        let time = timespec(tv_sec: Int(clock.truth - 400 * Self.day), tv_nsec: 0)
        var times = [time, time]
        utimensat(AT_FDCWD, photo.path, &times, 0)
      }
      // This is another program's file, with a number that no photo had yet.
      try Sandbox.write(still(9), to: "\(sandbox.album)/IMG_00000050.jpg")
    }
    #expect(try await evening(sandbox, clock, photos: 0, minutes: 5).contains(3))
    clock.restart(afterDays: 31)
    let there = try await evening(sandbox, clock, photos: 1, minutes: 3) { $0.synchronize() }
    // The next photo went on behind the foreign number; it is tonight's.
    #expect(there.contains(51))
    #expect(!there.contains(1))
  }

  @Test("a clock's file that is lost or damaged makes photos younger, never older")
  func damagedFile() async throws {
    let sandbox = try Sandbox()
    let clock = BoothClock(isSynchronized: true)
    _ = try await evening(sandbox, clock, photos: 3)
    let path = "\(sandbox.root)/.retake.clock"
    let whole = try Sandbox.read(path)
    var generator = SplitMix(seed: 1)
    for round in 0..<40 {
      var bytes = whole
      switch round % 4 {
      case 0: bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8(round % 8)
      case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
      case 2: bytes.removeFirst(Int.random(in: 1..<bytes.count, using: &generator))
      default:
        let lines = bytes.split(separator: 0x0A)
        bytes = Array(lines.shuffled(using: &generator).joined(separator: [0x0A])) + [0x0A]
      }
      try Sandbox.write(bytes, to: path)
      let history = ClockLog(root: sandbox.root, LinuxSystemCalls()).history
      let dates = history.dates(clock.reading)
      // All three were taken in the last minutes.
      #expect(dates.highest(in: "party", before: clock.truth - 3600) == 0, "round \(round)")
    }
    unlink(path)
    mkdir(path, 0o755)
    clock.restart(afterDays: 31)
    let there = try await evening(sandbox, clock, photos: 0, minutes: 3) { $0.synchronize() }
    #expect(there == [1, 2, 3])
    #expect(access("\(path).aside", F_OK) == 0)
  }

  @Test("keep-size deletes in the order in which photos were taken, the present album last")
  func order() async throws {
    for loses in ["nothing", "catalog", "catalog and clock"] {
      let sandbox = try Sandbox()
      // No clock is right, and each start begins with the same date.
      let clock = BoothClock(error: -70 * Self.day)
      for (evening, album) in ["zebra", "middle", "anna"].enumerated() {
        let booth = try Booth(sandbox, clock: clock, album: album)
        for seed in 1...3 {
          try booth.save(evening * 10 + seed)
          clock.pass(seconds: 60)
        }
        await booth.settle()
        booth.stop()
        clock.restart(afterDays: 1, error: -70 * Self.day)
      }
      if loses != "nothing" { unlink(Catalog.path(sandbox.root)) }
      if loses == "catalog and clock" { unlink("\(sandbox.root)/.retake.clock") }
      // Tonight's album was begun first.
      let keeping = LibraryKeeping(keepBytes: 4 * 5000)
      let booth = try Booth(sandbox, keeping, clock: clock, album: "zebra")
      await booth.settle()
      await booth.look()
      func left(_ album: String) throws -> [Int] {
        try booth.library.photos(album: album).compactMap(\.number).sorted()
      }
      #expect(try left("zebra") == [1, 2, 3], "without \(loses)")
      #expect(try left("middle") == [], "without \(loses)")
      #expect(try left("anna") == [3], "without \(loses)")
      booth.stop()
    }
  }

  @Test("a row that is not what the file is decides nothing")
  func rows() async throws {
    let changes = [
      "UPDATE photo SET bytes = 17000000000, mirror = ~17000000000 WHERE name = 'IMG_00000002.jpg'",
      "UPDATE photo SET bytes = bytes + 17000000000 WHERE name = 'IMG_00000002.jpg'",
      "UPDATE photo SET bytes = -9223372036854775807 WHERE name = 'IMG_00000002.jpg'",
      "UPDATE photo SET kept = 0", "UPDATE photo SET modified = 1",
    ]
    for change in changes {
      let sandbox = try Sandbox()
      let clock = BoothClock(isSynchronized: true)
      let kept = try Booth(sandbox, clock: clock)
      for seed in 1...3 { chmod(try kept.save(seed).path, 0o444) }
      await kept.settle()
      kept.stop()
      _ = try LibraryDesk(configuration: sandbox.configuration()).rebuild(album: "party")
      do {
        let database = try Database.open(Catalog.path(sandbox.root))
        try database.run("PRAGMA ignore_check_constraints = ON")
        try database.run(change)
      }
      clock.pass(days: 40)
      let keeping = LibraryKeeping(keepDays: 30, keepBytes: 3 * 5000)
      let booth = try Booth(sandbox, keeping, clock: clock)
      await booth.settle()
      await booth.look(minutes: 5)
      #expect(try booth.numbers == [1, 2, 3], "\(change)")
      booth.stop()
    }
  }
}
