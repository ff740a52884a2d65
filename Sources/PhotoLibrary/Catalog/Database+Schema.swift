/// The catalog's tables, and what holds a file to them.
extension Database {
  /// Of what is written now; older ones are taken over, any other is made anew.
  static let schemaVersion = 3
  private static let versionBefore = 2

  // Text of so many bytes without a zero in it.
  private static func text(_ column: String, _ most: Int) -> String {
    "typeof(\(column)) = 'text' AND length(CAST(\(column) AS BLOB)) BETWEEN 1 AND \(most) "
      + "AND instr(\(column), char(0)) = 0"
  }

  // The name of an album or of a file: it leads nowhere else.
  private static func name(_ column: String, _ most: Int) -> String {
    text(column, most) + " AND instr(\(column), '/') = 0 AND substr(\(column), 1, 1) <> '.'"
  }

  private static func integer(_ column: String, _ range: ClosedRange<Int>) -> String {
    "typeof(\(column)) = 'integer' AND \(column) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
  }

  private static func optional(_ column: String, _ range: ClosedRange<Int>) -> String {
    "\(column) IS NULL OR (\(integer(column, range)))"
  }

  // The number of a photo is its place: see PhotoName. What mirrors the bytes tells of a wrong bit,
  // since their sum decides what is deleted.
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

  /// The tables and indexes as SQLite has them, to be compared with those of a file.
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

  /// Whether the tables of an open file are those that are made here, with nothing beside them.
  ///
  /// A view or a trigger in their place would be a program of somebody else's.
  func hasOwnSchema(_ place: String = "main") throws(DatabaseError) -> Bool {
    try schemaText(place) == Database.ownSchema
  }

  /// Makes the tables where there are none, and takes those of the version before over.
  ///
  /// Throws damage for any other tables. A file that is not its own (`isOwn`) it leaves as it is.
  func adopt(_ version: Int, isOwn: Bool) throws(DatabaseError) {
    if version == Database.schemaVersion {
      guard try hasOwnSchema() else { throw .damage("its tables are not those of a catalog") }
      return
    }
    if version == 0, try schemaText("main").isEmpty {
      return try transaction { () throws(DatabaseError) in
        // Another process may have been faster.
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

  // Whether there are the four tables, and nothing that runs.
  private func isPlain() throws(DatabaseError) -> Bool {
    let tables = try integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' "
        + "AND name IN ('photo', 'copy', 'target', 'removal')")
    let others = try integer(
      "SELECT count(*) FROM sqlite_schema WHERE type IN ('view', 'trigger') "
        + "OR sql LIKE '%virtual%' OR sql LIKE '%generated%'")
    return tables == 4 && others == 0
  }

  // Rows that no station writes stay behind.
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

  // A last row behind it leaves too few numbers for the next ones.
  private static let lastRow = CatalogLimits.rows.upperBound / 2

  /// Reads all pages and rows; throws what is wrong with the first that is.
  func inspect() throws(DatabaseError) {
    var words = try firstFault()
    // The rows are whole and one of their indexes is not: an index is made from rows.
    if Database.isOfIndex(words), (try? run("REINDEX main.photo")) != nil {
      words = try firstFault()
    }
    if words == "ok" {
      // Behind the last number SQLite has no row for the next photo.
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

  // A quick check compares no index with its rows, and a photo is found by an index.
  private func firstFault() throws(DatabaseError) -> String {
    var words = ""
    try rows("PRAGMA main.integrity_check(1)") { row in words = row.text(0) ?? "?" }
    return words
  }

  private static func isOfIndex(_ words: String) -> Bool {
    words.hasPrefix("row ") || words.hasPrefix("wrong # of entries")
      || words.hasPrefix("non-unique entry")
  }

  /// Keeps in mind what the files of some photos were when they were saved, for those that have not
  /// changed since: only that can tell that one went bad.
  func remember(_ condition: String, _ values: DatabaseValue...) throws(DatabaseError) {
    let statement = try prepare(
      "INSERT OR REPLACE INTO temp.known SELECT album, name, bytes, modified, checksum FROM photo "
        + "WHERE typeof(checksum) = 'blob' AND length(checksum) = 32 AND mirror = ~bytes "
        + "AND (\(condition))")
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Empties the lists of photos and copies, and keeps what else no file tells: checksums, disks,
  /// and copies that are to be deleted.
  func forgetPhotos() throws(DatabaseError) {
    try transaction { () throws(DatabaseError) in
      try remember("1")
      try run("DELETE FROM photo")
      try run("DELETE FROM copy")
      // Numbers of rows are not given again: the copier goes by them.
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

  // Of copies that are to be deleted: SQL does not know which bytes are text.
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
