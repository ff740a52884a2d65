import CSQLite

/// An error of SQLite, or of the catalog's checks.
struct DatabaseError: Error, Sendable, CustomStringConvertible {
  var code: Int32
  var message: String

  /// Whether the file is no database, or a damaged one.
  ///
  /// All catalogs get the same statements. So a statement that fails with SQLITE_ERROR, or meets
  /// too long a value, means that the file is at fault.
  var isDamage: Bool { Self.damages.contains(code & 0xFF) }

  private static let damages: Set<Int32> = [
    SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_FORMAT, SQLITE_MISMATCH,
  ]
  /// Whether a sound file has a row that no station writes.
  var isImpossible: Bool { code == DatabaseError.impossibleCode }

  private static let impossibleCode: Int32 = -1

  /// Returns the error of a row that no station writes.
  static func impossible(_ what: String) -> DatabaseError {
    DatabaseError(code: impossibleCode, message: "it has \(what) that no photo has")
  }
  /// Returns the error of a file that is no catalog.
  static func damage(_ what: String) -> DatabaseError {
    DatabaseError(code: SQLITE_CORRUPT, message: what)
  }
  /// The error of a file that was truncated while it was in use, or whose disk cannot be read.
  static var cut: DatabaseError { damage("a file beside it was cut while it was in use") }

  var description: String { "\(message) (SQLite \(code))" }
}

/// A value of a statement's parameter.
enum DatabaseValue: Sendable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  static func integer(_ value: Int) -> DatabaseValue { .integer(Int64(value)) }
  static func optional(_ value: Int?) -> DatabaseValue { value.map { .integer($0) } ?? .null }
}

/// The single owner of an open SQLite database, for one thread at a time.
struct Database: ~Copyable, @unchecked Sendable {
  private let handle: OpaquePointer

  private init(handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_close_v2(handle) }

  /// Opens or creates the file; refuses a path with a link in it.
  static func open(_ path: String, isReadOnly: Bool = false) throws(DatabaseError) -> Database {
    var handle: OpaquePointer?
    let flags =
      SQLITE_OPEN_NOMUTEX | (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
      | (isReadOnly ? 0 : SQLITE_OPEN_CREATE) | SQLITE_OPEN_URI | SQLITE_OPEN_NOFOLLOW
    let result = sqlite3_open_v2(path, &handle, flags, nil)
    guard let handle else {
      throw DatabaseError(code: result, message: "no memory for a database")
    }
    let database = Database(handle: handle)
    guard result == SQLITE_OK else { throw database.error(result) }
    sqlite3_extended_result_codes(handle, 1)
    // The command line may be writing for a moment.
    sqlite3_busy_timeout(handle, 10_000)
    // The longest value is a checksum or a path; the limit bounds the memory that a file may take.
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1 << 20)
    return database
  }

  func error(_ code: Int32) -> DatabaseError {
    DatabaseError(code: code, message: String(cString: sqlite3_errmsg(handle)))
  }

  func prepare(_ sql: String) throws(DatabaseError) -> Statement {
    var statement: OpaquePointer?
    let result = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard result == SQLITE_OK, let statement else { throw error(result) }
    return Statement(handle: statement, database: handle)
  }

  /// Runs a statement to its end and ignores its rows.
  func run(_ sql: String, _ values: DatabaseValue...) throws(DatabaseError) {
    let statement = try prepare(sql)
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Runs a statement and passes each row to `body`.
  func rows(
    _ sql: String, _ values: DatabaseValue...,
    body: (borrowing Statement) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let statement = try prepare(sql)
    try statement.bind(values)
    while try statement.step() { try body(statement) }
  }

  /// Returns the first column of the first row, if that is a number.
  func integer(_ sql: String, _ values: DatabaseValue...) throws(DatabaseError) -> Int? {
    let statement = try prepare(sql)
    try statement.bind(values)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Runs `body` in a transaction, which is rolled back if it throws.
  func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try run("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      try body()
      try run("COMMIT")
    } catch {
      try? run("ROLLBACK")
      throw error
    }
  }

  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }
  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }
}

/// A prepared statement of an open database.
struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: OpaquePointer

  fileprivate init(handle: OpaquePointer, database: OpaquePointer) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Resets the statement and binds new values.
  func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
    sqlite3_reset(handle)
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      let result: Int32
      switch value {
      case .null: result = sqlite3_bind_null(handle, place)
      case .integer(let value): result = sqlite3_bind_int64(handle, place, value)
      case .text(var value):
        result = value.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            csqlite_bind_text(handle, place, $0.baseAddress, Int32(clamping: $0.count))
          }
        }
      case .blob(let value):
        result = value.withUnsafeBytes {
          csqlite_bind_blob(handle, place, $0.baseAddress, Int32(clamping: $0.count))
        }
      }
      guard result == SQLITE_OK else { throw error(result) }
    }
  }

  /// Moves to the next row; returns false at the end.
  func step() throws(DatabaseError) -> Bool {
    let result = sqlite3_step(handle)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error(result)
    }
  }

  private func error(_ code: Int32) -> DatabaseError {
    DatabaseError(code: code, message: String(cString: sqlite3_errmsg(database)))
  }

  func integer(_ column: Int32) -> Int? {
    sqlite3_column_type(handle, column) == SQLITE_INTEGER
      ? Int(sqlite3_column_int64(handle, column)) : nil
  }

  /// Returns the text of a column; nil for any other type, and for invalid UTF-8.
  func text(_ column: Int32) -> String? {
    guard sqlite3_column_type(handle, column) == SQLITE_TEXT,
      let start = sqlite3_column_text(handle, column)
    else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(
      validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func blob(_ column: Int32) -> [UInt8]? {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB,
      let start = sqlite3_column_blob(handle, column)
    else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
