/// The catalog's tables, and the checks that a file has just these.
extension Database {
  /// The present version of the tables; the version before is converted, any other is replaced.
  static let schemaVersion = 3
  private static let versionBefore = 2

  // A condition for text of 1 to `most` bytes without a zero byte.
  private static func text(_ column: String, _ most: Int) -> String {
    "typeof(\(column)) = 'text' AND length(CAST(\(column) AS BLOB)) BETWEEN 1 AND \(most) "
      + "AND instr(\(column), char(0)) = 0"
  }

  // A condition for the name of an album or a file, which stays in its directory.
  private static func name(_ column: String, _ most: Int) -> String {
    text(column, most) + " AND instr(\(column), '/') = 0 AND substr(\(column), 1, 1) <> '.'"
  }

  private static func integer(_ column: String, _ range: ClosedRange<Int>) -> String {
    "typeof(\(column)) = 'integer' AND \(column) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
  }

  private static func optional(_ column: String, _ range: ClosedRange<Int>) -> String {
    "\(column) IS NULL OR (\(integer(column, range)))"
  }

  // A photo's number is the rank of its name: see PhotoName. The mirror of the bytes reveals a
  // flipped bit, because the sum of the sizes decides which photos are deleted.
  private static let schema = [
    """
    CREATE TABLE photo(
      id INTEGER PRIMARY KEY AUTOINCREMENT CHECK(id BETWEEN 1 AND \(CatalogLimits.rows.upperBound)),
      album TEXT NOT NULL CHECK(\(name("album", 64))),
      name TEXT NOT NULL CHECK(\(name("name", 255))),
      number INTEGER CHECK(\(optional("number", CatalogLimits.places))),
      bytes INTEGER NOT NULL CHECK(\(integer("bytes", CatalogLimits.bytes))),
      modified INTEGER NOT NULL CHECK(\(integer("modified", CatalogLimits.dates))),
      checksum BLOB CHECK(checksum IS NULL
        OR (typeof(checksum) = 'blob' AND length(checksum) = 32)),
      width INTEGER NOT NULL CHECK(\(integer("width", CatalogLimits.sides))),
      height INTEGER NOT NULL CHECK(\(integer("height", CatalogLimits.sides))),
      thumb_at INTEGER, thumb_bytes INTEGER,
      kept INTEGER NOT NULL DEFAULT 0 CHECK(\(integer("kept", 0...1))),
      duration INTEGER CHECK(\(optional("duration", CatalogLimits.durations))),
      mirror INTEGER NOT NULL CHECK(mirror = ~bytes),
      UNIQUE(album, name),
      CHECK(CASE WHEN number IS NULL
        THEN name NOT GLOB 'IMG_\(digits).jpg' AND name NOT GLOB 'IMG_\(digits).mp4'
        ELSE name = printf('IMG_%08d.%s', number / 2,
          CASE number % 2 WHEN 0 THEN 'jpg' ELSE 'mp4' END) END),
      CHECK(CASE WHEN thumb_at IS NULL THEN thumb_bytes IS NULL
        ELSE \(integer("thumb_at", 0...CatalogLimits.bytes.upperBound))
          AND \(integer("thumb_bytes", CatalogLimits.thumbnails))
          AND thumb_bytes <= bytes - thumb_at END))
    """,
    "CREATE UNIQUE INDEX photo_number ON photo(album, number) WHERE number IS NOT NULL",
    "CREATE INDEX photo_unread ON photo(id) WHERE checksum IS NULL",
    """
    CREATE TABLE target(
      id TEXT PRIMARY KEY CHECK(\(text("id", 128))),
      path TEXT NOT NULL CHECK(\(text("path", 4096)))) WITHOUT ROWID
    """,
    """
    CREATE TABLE copy(target TEXT NOT NULL CHECK(\(text("target", 128))),
      photo INTEGER NOT NULL CHECK(typeof(photo) = 'integer'),
      state INTEGER NOT NULL CHECK(\(integer("state", 1...15))),
      PRIMARY KEY(photo, target)) WITHOUT ROWID
    """,
    """
    CREATE TABLE removal(target TEXT NOT NULL CHECK(\(text("target", 128))),
      album TEXT NOT NULL CHECK(\(name("album", 64))),
      name TEXT NOT NULL CHECK(name GLOB 'IMG_\(digits).jpg' OR name GLOB 'IMG_\(digits).mp4'),
      PRIMARY KEY(target, album, name)) WITHOUT ROWID
    """,
  ]

  private static let digits = String(repeating: "[0-9]", count: 8)

  /// The present tables and indexes in SQLite's text, for comparison with a file's.
  private static let ownSchema: [String]? = {
    guard let database = try? Database.open(":memory:"), (try? database.create()) != nil else {
      return nil
    }
    return try? database.schemaText("main")
  }()

  private func create() throws(DatabaseError) {
    for statement in Database.schema { try run(statement) }
    try run("PRAGMA user_version = \(Database.schemaVersion)")
  }

  private func schemaText(_ place: String) throws(DatabaseError) -> [String] {
    var texts: [String] = []
    try rows(
      "SELECT type, name, sql FROM \(place).sqlite_schema WHERE substr(name, 1, 7) <> 'sqlite_' "
        + "ORDER BY name LIMIT 100"
    ) { row in
      texts.append("\(row.text(0) ?? "?") \(row.text(1) ?? "?") \(row.text(2) ?? "?")")
    }
    return texts
  }

  /// Returns whether an open file has exactly the present tables.
  ///
  /// A view or a trigger among them would run foreign code.
  func hasOwnSchema(_ place: String = "main") throws(DatabaseError) -> Bool {
    try schemaText(place) == Database.ownSchema
  }

  /// Creates the tables in an empty file, and converts those of the version before.
  ///
  /// Throws damage for any other tables. A file that another process owns (`isOwn` is false) is
  /// left as it is.
  func adopt(_ version: Int, isOwn: Bool) throws(DatabaseError) {
    if version == Database.schemaVersion {
      guard try hasOwnSchema() else { throw .damage("its tables are not those of a catalog") }
      return
    }
    if version == 0, try schemaText("main").isEmpty {
      return try transaction { () throws(DatabaseError) in
        // Another process may have created them first.
        if try schemaText("main").isEmpty { try create() }
      }
    }
    guard isOwn else {
      throw DatabaseError(code: 1, message: "another version of Retake made it")
    }
    guard version == Database.versionBefore, try isPlain() else {
      throw .damage("its tables are of version \(version)")
    }
    do throws(DatabaseError) {
      try transaction { () throws(DatabaseError) in try takeOver() }
    } catch {
      throw .damage("what an older version wrote cannot be taken over: \(error.message)")
    }
  }

  // Returns whether the file has the four tables and nothing that runs code.
  private func isPlain() throws(DatabaseError) -> Bool {
    let tables = try integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' "
        + "AND name IN ('photo', 'copy', 'target', 'removal')")
    let others = try integer(
      "SELECT count(*) FROM sqlite_schema WHERE type IN ('view', 'trigger') "
        + "OR sql LIKE '%virtual%' OR sql LIKE '%generated%'")
    return tables == 4 && others == 0
  }

  // Converts the tables, leaving out rows that no station writes.
  private func takeOver() throws(DatabaseError) {
    let columns = [
      "photo": "id, album, name, number, bytes, modified, checksum, width, height, thumb_at, "
        + "thumb_bytes, kept, duration",
      "copy": "target, photo, state", "target": "id, path", "removal": "target, album, name",
    ]
    for (table, columns) in columns {
      try run("CREATE TEMP TABLE old_\(table) AS SELECT \(columns) FROM main.\(table)")
      try run("DROP TABLE main.\(table)")
    }
    try create()
    for (table, columns) in columns {
      let isPhoto = table == "photo"
      try run(
        "INSERT OR IGNORE INTO main.\(table)(\(columns)\(isPhoto ? ", mirror" : "")) "
          + "SELECT \(columns)\(isPhoto ? ", ~bytes" : "") FROM temp.old_\(table)")
      try run("DROP TABLE temp.old_\(table)")
    }
  }

  // MARK: - Damage

  // A higher last row would leave too few numbers for new rows.
  private static let lastRow = CatalogLimits.rows.upperBound / 2

  /// Reads all pages and rows, and throws the first fault.
  func inspect() throws(DatabaseError) {
    var words = try firstFault()
    // If only an index is damaged, it can be built again from the rows.
    if Database.isOfIndex(words), (try? run("REINDEX main.photo")) != nil {
      words = try firstFault()
    }
    if words == "ok" {
      // After the highest row number SQLite cannot insert another photo.
      let last = try integer(
        "SELECT 1 FROM sqlite_sequence WHERE typeof(seq) <> 'integer' "
          + "OR seq NOT BETWEEN 0 AND \(Database.lastRow)")
      guard last == nil else { throw .impossible("a last row") }
      guard try strangeAlbums().isEmpty else { throw .impossible("an album") }
      return
    }
    let isRow = ["CHECK constraint", "NULL value", "non-", "NUMERIC value", "TEXT value"]
      .contains { words.hasPrefix($0) }
    throw isRow ? .impossible("a row (\(words))") : .damage(words)
  }

  // Runs the full check, because a quick check does not compare indexes with their rows, and photos
  // are found by an index.
  private func firstFault() throws(DatabaseError) -> String {
    var words = ""
    try rows("PRAGMA main.integrity_check(1)") { row in words = row.text(0) ?? "?" }
    return words
  }

  private static func isOfIndex(_ words: String) -> Bool {
    words.hasPrefix("row ") || words.hasPrefix("wrong # of entries")
      || words.hasPrefix("non-unique entry")
  }

  /// Remembers the checksums of some photos for files that have not changed since.
  ///
  /// Only the checksum can show that a file went bad.
  func remember(_ condition: String, _ values: DatabaseValue...) throws(DatabaseError) {
    let statement = try prepare(
      "INSERT OR REPLACE INTO temp.known SELECT album, name, bytes, modified, checksum FROM photo "
        + "WHERE typeof(checksum) = 'blob' AND length(checksum) = 32 AND mirror = ~bytes "
        + "AND (\(condition))")
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Deletes the rows of photos and copies.
  ///
  /// Facts that no file tells are kept: checksums, disks, and copies that are still to be deleted.
  func forgetPhotos() throws(DatabaseError) {
    try transaction { () throws(DatabaseError) in
      try remember("1")
      try run("DELETE FROM photo")
      try run("DELETE FROM copy")
      // Row numbers are never reused, because the copier depends on their order.
      try run(
        "UPDATE sqlite_sequence SET seq = 1 << 40 WHERE typeof(seq) <> 'integer' "
          + "OR seq NOT BETWEEN 0 AND \(Database.lastRow)")
      for table in ["target", "removal"] {
        try run("CREATE TEMP TABLE sound AS SELECT * FROM main.\(table)")
        try run("DELETE FROM main.\(table)")
        try run("INSERT OR IGNORE INTO main.\(table) SELECT * FROM temp.sound")
        try run("DROP TABLE temp.sound")
      }
      for album in try strangeAlbums() {
        try run("DELETE FROM removal WHERE CAST(album AS BLOB) = ?", .blob(album))
      }
    }
  }

  // Returns invalid album names among the pending removals; SQL cannot check for valid UTF-8.
  private func strangeAlbums() throws(DatabaseError) -> [[UInt8]] {
    var albums: [[UInt8]] = []
    try rows("SELECT DISTINCT CAST(album AS BLOB) FROM removal LIMIT 10000") { row in
      let bytes = row.blob(0) ?? []
      let name = String(validating: bytes, as: UTF8.self)
      if !(name.map(LibraryConfiguration.isAlbumName) ?? false) { albums.append(bytes) }
    }
    return albums
  }
}
