import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Tests with damaged files of the library that every command works and no photo is lost.
///
/// `RETAKE_DAMAGE_ROUNDS` sets the number of rounds; `RETAKE_DAMAGE_SEED` repeats a run whose seed
/// was printed.
struct StateDamageTests {
  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }

  // New ones in the long run only: a short run says the same each time.
  private static var seed: Int {
    number("RETAKE_DAMAGE_SEED")
      ?? (number("RETAKE_DAMAGE_ROUNDS") == nil ? 20_261_201 : Int.random(in: 0..<1 << 30))
  }

  private static let photos = 6

  /// Two albums, a catalog with a copy and a removal, a journal, numbers, a clock, an album.
  private func library() throws -> Sandbox {
    // The files are in memory for speed, because the tests are about reading.
    let sandbox = try Sandbox(below: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : Sandbox.place)
    for album in ["party", "fair"] {
      let library = try sandbox.open(album: album)
      let catalog = try Catalog(root: sandbox.root)
      try catalog.note(target: "0123", at: "\(sandbox.path)/usb")
      for seed in 1...StateDamageTests.photos / 2 {
        let candidate = try library.prepare(still(seed, count: 400))
        let photo = try library.commit(candidate)
        try catalog.add(photo, checksum: candidate.checksum)
        let entry = try #require(try catalog.entry(album: album, name: photo.name))
        try catalog.note(.copied, of: entry.id, in: "0123")
        if seed == 1 { try catalog.planRemovals(of: entry) }
      }
      library.close()
    }
    let clock = BoothClock(isSynchronized: true)
    var log = ClockLog(root: sandbox.root, LinuxSystemCalls())
    for number in 1...3 {
      try log.add(clock.reading, number: number, album: "party", isNew: true)
      clock.pass(seconds: 60)
    }
    let journal = try SessionJournal.open(root: sandbox.root, LinuxSystemCalls())
    for session in 1...4 {
      try journal.append(
        SessionRecord(
          event: session % 2 == 1 ? .began : .ended, run: "0000abcd", session: UInt64(session / 2),
          time: 1_796_000_000_000, uptime: 12))
    }
    try LibraryDesk(configuration: sandbox.configuration()).start(
      album: "fair", configured: "party")
    return sandbox
  }

  private func photoCount(_ sandbox: Sandbox) -> Int {
    sandbox.everything.filter { $0.hasSuffix(".jpg") && $0.contains("/") && !$0.hasPrefix(".") }
      .count
  }

  /// Every reader and command, as `retake photos` and a station make them.
  private func useAll(_ sandbox: Sandbox, _ what: String) async throws {
    let desk = try LibraryDesk(configuration: sandbox.configuration())
    #expect(try desk.albums() == ["fair", "party"], "\(what)")
    for album in try desk.albums() {
      var listed: [String] = []
      try desk.forEach(album: album) { entry throws(LibraryError) in
        listed.append(entry.photo.name)
        guard listed.count <= 100 else { throw .invalidAlbum("without end") }
      }
      #expect(listed == [3, 2, 1].map { PhotoName.name($0) }, "\(what)")
      #expect(try desk.catalog.size(album: album).bytes == 1200, "\(what)")
      let entry = try desk.find("2", album: album)
      #expect(entry.photo.bytes == 400, "\(what)")
      _ = try desk.catalog.copies(of: entry)
      _ = try desk.catalog.thumbnail(entry)
      _ = try desk.verify(album: album)
      let zip = "\(sandbox.path)/\(album).zip"
      _ = try desk.export(album: album, toZip: zip)
      #expect(try Sandbox.read(zip).count < 3000, "\(what)")
      unlink(zip)
      try desk.keep(entry, true)
      try desk.keep(entry, false)
    }
    _ = try desk.catalog.removals(in: "0123", after: nil)
    _ = try? desk.statistics()
    _ = CurrentAlbum.read(root: sandbox.root, configured: "party")
    #expect(try desk.rebuild(album: "party").photos == 3, "\(what)")
  }

  private func station(_ sandbox: Sandbox, _ what: String) async throws {
    let clock = BoothClock(isSynchronized: true)
    let keeping = LibraryKeeping(keepDays: 300, keepBytes: 1 << 30)
    let booth = try Booth(sandbox, keeping, clock: clock)
    await booth.look(minutes: 2)
    try booth.save(77)
    await booth.settle()
    let saved = try booth.keeper.catalog.page(album: "party").map(\.photo.number)
    #expect(saved.count == 4, "\(what)")
    booth.stop()
    #expect(photoCount(sandbox) == StateDamageTests.photos + 1, "\(what)")
  }

  /// Changes to rows that a person, another program or a bug could make.
  private static let edits: [String] = {
    let values = [
      "-1", "0", "-9223372036854775807", "9223372036854775807", "'x'", "''", "NULL", "1e300",
      "x'00'", "CAST(x'ff' AS TEXT)", "char(0)", "'../../x'", "zeroblob(100000)",
      "'IMG_00000001.jpg'", "'a' || char(10) || 'b.jpg'", "printf('%.*c', 300, 'a') || '.jpg'",
    ]
    let columns = [
      "album", "name", "number", "bytes", "modified", "checksum", "width", "height", "thumb_at",
      "thumb_bytes", "kept", "duration", "mirror",
    ]
    var edits = columns.flatMap { column in
      values.map { "UPDATE OR IGNORE photo SET \(column) = \($0) WHERE id = 2" }
    }
    for value in values {
      edits.append("UPDATE OR IGNORE copy SET state = \(value)")
      edits.append("UPDATE OR IGNORE target SET path = \(value)")
      edits += ["target", "album", "name"].map { "UPDATE OR IGNORE removal SET \($0) = \(value)" }
    }
    edits += [
      "DELETE FROM photo", "DROP TABLE copy", "PRAGMA user_version = 77", "PRAGMA user_version = 0",
      "UPDATE photo SET duration = 9223372036854775807, thumb_at = 5",
      "CREATE TRIGGER more AFTER INSERT ON photo BEGIN DELETE FROM copy; END",
      "DROP TABLE photo; CREATE VIEW photo AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT "
        + "id + 1 FROM n) SELECT id FROM n",
      "UPDATE sqlite_sequence SET seq = 9223372036854775807",
      "UPDATE sqlite_sequence SET seq = 4503599627370496",
      "INSERT INTO target VALUES(hex(zeroblob(400000)), '/x')",
      "UPDATE photo SET id = -5 WHERE id = 2",
    ]
    return edits
  }()

  @Test("rows that no station writes are found, told, and made anew from the files")
  func editedRows() async throws {
    // All of them take a while: each run does some, and all are done in the long one.
    let all = StateDamageTests.edits
    let seed = StateDamageTests.seed
    print("damage: edited rows, seed \(seed)")
    var generator = SplitMix(seed: UInt64(truncatingIfNeeded: seed))
    let isLong = StateDamageTests.number("RETAKE_DAMAGE_ROUNDS") != nil
    let some = isLong ? all : Array(all.suffix(10) + all.shuffled(using: &generator).prefix(8))
    for edit in some {
      let sandbox = try library()
      do {
        let database = try Database.open(Catalog.path(sandbox.root))
        try database.run("PRAGMA ignore_check_constraints = ON")
        for statement in edit.split(separator: ";", maxSplits: edit.contains("BEGIN") ? 0 : 9) {
          // A type or a limit of SQLite's own may refuse it.
          try? database.run(String(statement))
        }
      }
      try await useAll(sandbox, edit)
      try await station(sandbox, edit)
    }
  }

  @Test("files with wrong bits, cut, doubled, shuffled or of another kind cost no photo")
  func damagedFiles() async throws {
    let seed = StateDamageTests.seed
    let rounds = StateDamageTests.number("RETAKE_DAMAGE_ROUNDS") ?? 8
    print("damage: files, seed \(seed)")
    var generator = SplitMix(seed: UInt64(truncatingIfNeeded: seed))
    let names = [
      ".retake.catalog", ".retake.catalog", ".retake.catalog-wal", ".retake.journal",
      ".retake.clock", ".retake.album", ".retake.party.sequence", ".retake.lock",
    ]
    for round in 0..<rounds {
      let sandbox = try library()
      let name = names[round % names.count]
      let path = "\(sandbox.root)/\(name)"
      let what = "seed \(seed), round \(round), \(name)"
      if Int.random(in: 0..<6, using: &generator) == 0, name != ".retake.lock" {
        unlink(path)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: mkdir(path, 0o755)
        case 1: mkfifo(path, 0o644)
        default: symlink("/dev/zero", path)
        }
      } else {
        let bytes = (try? Sandbox.read(path)) ?? []
        try Sandbox.write(damaged(bytes, &generator), to: path)
      }
      try await useAll(sandbox, what)
      try await station(sandbox, what)
    }
  }

  private func damaged(_ whole: [UInt8], _ generator: inout SplitMix) -> [UInt8] {
    var bytes = whole
    guard !bytes.isEmpty else { return [UInt8](repeating: 0xA5, count: 5000) }
    func place() -> Int { Int.random(in: 0..<bytes.count, using: &generator) }
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: for _ in 0..<8 { bytes[place()] ^= 1 << UInt8.random(in: 0..<8, using: &generator) }
    case 1: bytes.removeLast(place())
    case 2: bytes += bytes
    case 3:
      let lines = bytes.split(separator: 0x0A)
      bytes = Array(lines.shuffled(using: &generator).joined(separator: [0x0A]))
    case 4:
      let start = place()
      for index in start..<min(bytes.count, start + 4096) { bytes[index] = 0 }
    case 5: bytes += [UInt8](repeating: 0x39, count: 200_000)
    default:
      for _ in 0..<400 { bytes[place()] = UInt8.random(in: .min ... .max, using: &generator) }
    }
    return bytes
  }

  @Test("an index that differs from its rows is made again, and keeps what was saved")
  func damagedIndex() async throws {
    let sandbox = try library()
    let name = Array("fairIMG_00000002.jpg".utf8)
    var bytes = try Sandbox.read(Catalog.path(sandbox.root))
    // The name stands in the row and in the index; the index is the later page.
    let places = bytes.indices.dropLast(name.count).filter { place in
      bytes[place..<place + name.count].elementsEqual(name)
    }
    try #require(places.count == 2)
    for place in places {
      let sandbox = try library()
      bytes = try Sandbox.read(Catalog.path(sandbox.root))
      bytes[place + name.count - 5] = UInt8(ascii: "7")
      try Sandbox.write(bytes, to: Catalog.path(sandbox.root))
      unlink("\(Catalog.path(sandbox.root))-wal")
      let desk = try LibraryDesk(configuration: sandbox.configuration())
      let entry = try desk.find("2", album: "fair")
      #expect(entry.checksum != nil || place == places.first)
      try await useAll(sandbox, "byte \(place)")
    }
  }

  @Test("journal lines with numbers that no station writes are counted as torn")
  func journal() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open()
    let good = #""event":"ended","run":"a","session":1,"time":1796000000000,"uptime":1"#
    let bad = [
      "{\(good),\"retakes\":9223372036854775807}", "{\(good),\"retakes\":-1}",
      "{\(good),\"delta\":1e308}",
      "{\(good),\"reason\":\"\(String(repeating: "x", count: 5000))\"}",
      #"{"event":"ended","run":"a","time":9223372036854775807,"uptime":1}"#,
      #"{"event":"ended","run":"a","time":-9223372036854775808,"uptime":1}"#,
      "{\(good),\"reason\":\"\\u001b[2J\"}", String(repeating: "[", count: 60_000),
    ]
    let fine = "{\(good),\"outcome\":\"saved\",\"retakes\":100000}"
    let text = (bad + [fine, fine] + bad).joined(separator: "\n") + "\n"
    try Sandbox.write(Array(text.utf8), to: SessionJournal.path(sandbox.root))
    let statistics = try SessionStatistics(root: sandbox.root)
    #expect(statistics.tornLines == 2 * bad.count)
    #expect(statistics.total.retakes == 200_000)
    #expect(statistics.total.saved == 2)
  }

  @Test("a link, a pipe and an endless file in the place of the journal hold nobody")
  func strangeJournal() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open()
    let path = SessionJournal.path(sandbox.root)
    symlink("/dev/zero", path)
    #expect(code { _ = try SessionStatistics(root: sandbox.root) } != nil)
    try SessionJournal.open(root: sandbox.root, LinuxSystemCalls()).append(
      SessionRecord(event: .began, run: "a", session: 1, time: 1_796_000_000_000, uptime: 1))
    #expect(try SessionStatistics(root: sandbox.root).total.sessions == 1)
    #expect(sandbox.everything.contains(".retake.journal.aside"))
  }

  @Test("a catalog of the version before is taken over, with what was saved and what is to go")
  func versionBefore() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    for seed in 1...3 { _ = try library.save(still(seed)) }
    let checksum = still(2).withUnsafeBytes { Checksum(of: [$0]) }
    do {
      let old = try Database.open(Catalog.path(sandbox.root))
      for statement in StateDamageTests.oldSchema { try old.run(statement) }
      for number in 1...3 {
        try old.run(
          "INSERT INTO photo(album, name, number, bytes, modified, checksum, width, height) "
            + "VALUES('party', ?, ?, 5000, 1800000000, ?, 3, 4)",
          .text(PhotoName.name(number)), .integer(number * 2),
          number == 2 ? .blob(checksum.bytes) : .null)
      }
      try old.run(
        "INSERT INTO photo(album, name, bytes, modified, width) VALUES('../x', 'x', -5, 0, 7)")
      try old.run("INSERT INTO removal VALUES('0123', 'party', 'IMG_00000009.jpg')")
      try old.run("INSERT INTO removal VALUES('0123', '../..', 'passwd')")
    }
    let catalog = try Catalog(root: sandbox.root)
    #expect(catalog.replacements == 0)
    try catalog.inspect()
    #expect(try catalog.synchronize(album: "party").added == 0)
    let entry = try #require(try catalog.entry(album: "party", name: "IMG_00000002.jpg"))
    #expect(entry.checksum == checksum)
    #expect(
      try catalog.removals(in: "0123", after: nil) == [
        CopyRemoval(album: "party", name: "IMG_00000009.jpg")
      ])
  }

  private static let oldSchema = [
    """
    CREATE TABLE photo(
      id INTEGER PRIMARY KEY AUTOINCREMENT, album TEXT NOT NULL, name TEXT NOT NULL,
      number INTEGER, bytes INTEGER NOT NULL, modified INTEGER NOT NULL, checksum BLOB,
      width INTEGER, height INTEGER, thumb_at INTEGER, thumb_bytes INTEGER,
      kept INTEGER NOT NULL DEFAULT 0, duration INTEGER, UNIQUE(album, name))
    """,
    "CREATE UNIQUE INDEX photo_number ON photo(album, number) WHERE number IS NOT NULL",
    "CREATE INDEX photo_unread ON photo(id) WHERE checksum IS NULL",
    "CREATE TABLE target(id TEXT PRIMARY KEY, path TEXT NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE copy(target TEXT NOT NULL, photo INTEGER NOT NULL, state INTEGER NOT NULL,
      PRIMARY KEY(photo, target)) WITHOUT ROWID
    """,
    """
    CREATE TABLE removal(target TEXT NOT NULL, album TEXT NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY(target, album, name)) WITHOUT ROWID
    """,
    "PRAGMA user_version = 2",
  ]
}
