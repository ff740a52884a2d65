import CLinux
import Glibc
import Platform
import Synchronization

/// What is in a library, for those who list it: a SQLite file beside the albums.
///
/// The files are the truth. The catalog may lag behind them, and can be thrown away at any time:
/// ``synchronize(album:progress:)`` makes it right again. It is written after a photo is saved, by
/// whoever holds the library, and by the command line for what it deletes.
///
/// All calls block; they may come from any thread and are done one after the other.
public final class Catalog: Sendable {
  /// Who opens it.
  public enum Access: Sendable {
    /// Whoever has the library's lock: sets a damaged catalog aside.
    case holder
    /// Anyone beside a running station.
    case visitor
    /// Anyone who may read the library and not write it: works on a copy in memory.
    case reader
  }

  struct State: ~Copyable, @unchecked Sendable {
    var database: Database
    var replacements = 0
  }

  /// The library's directory.
  public let root: String
  let system: any SystemCalls
  let log = Log("library")
  private let access: Access
  private let place: CatalogPlace
  private let state: Mutex<State>

  /// Opens or makes the catalog of the library at `root`.
  public init(
    root: String, access: Access = .holder, system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) {
    self.root = root
    self.access = access
    self.system = system
    let place = CatalogPlace(root, system)
    self.place = place
    state = Mutex(try Catalog.opened(place, access, log))
  }

  /// Where it is.
  public static func path(_ root: String) -> String { "\(root)/.retake.catalog" }

  /// How often a damaged catalog was replaced by an empty one.
  public var replacements: Int { state.withLock { $0.replacements } }

  /// Closes the file, which may write to the disk; what is asked from then on finds an empty catalog.
  ///
  /// For an owner that ends while others still hold the object, whose last use would close it.
  public func close() {
    state.withLock { state in
      if let nothing = Catalog.nothing { state.database = nothing }
    }
  }

  private static var nothing: Database? {
    do throws(DatabaseError) {
      return try openSound(":memory:")
    } catch {
      return nil
    }
  }

  // MARK: Opening

  private static func opened(
    _ place: CatalogPlace, _ access: Access, _ log: Log
  ) throws(LibraryError) -> State {
    let path = place.path
    if access == .reader { return State(database: try readOnlyCopy(place)) }
    try place.clear()
    do throws(DatabaseError) {
      return State(database: try openSound(path))
    } catch {
      guard error.isDamage, access == .holder else { throw LibraryError(error, path) }
      setAside(path, error, log)
    }
    do throws(DatabaseError) {
      return State(database: try openSound(path), replacements: 1)
    } catch {
      throw LibraryError(error, path)
    }
  }

  private static func openSound(_ path: String) throws(DatabaseError) -> Database {
    let database = try Database.open(path)
    // Reads the first page, so that garbage shows here.
    let version = try database.integer("PRAGMA user_version") ?? 0
    // The files are synced; this only has to be whole, and may lose its last rows with the power.
    try database.run("PRAGMA journal_mode = WAL")
    try database.run("PRAGMA synchronous = NORMAL")
    try database.run("PRAGMA cache_size = -1024")
    guard version != schemaVersion else { return database }
    try database.transaction { () throws(DatabaseError) in
      for table in ["photo", "copy", "target", "removal"] {
        try database.run("DROP TABLE IF EXISTS \(table)")
      }
      for statement in schema { try database.run(statement) }
      try database.run("PRAGMA user_version = \(schemaVersion)")
    }
    return database
  }

  /// What the catalog says, in memory; empty where it cannot be read: the files say the rest.
  private static func readOnlyCopy(_ place: CatalogPlace) throws(LibraryError) -> Database {
    let path = place.path
    do throws(DatabaseError) {
      let database = try openSound(":memory:")
      guard place.isSound else { return database }
      // A log that nobody may set up belongs to a running station. Without one nothing changes.
      let isAtRest = Glibc.access("\(path)-wal", F_OK) != 0
      let address = "file:\(uri(path))?" + (isAtRest ? "immutable=1" : "mode=ro")
      do throws(DatabaseError) {
        try database.run("ATTACH ? AS disk", .text(address))
        let version = try database.integer("PRAGMA disk.user_version") ?? 0
        if version == schemaVersion {
          for table in ["photo", "copy", "target"] {
            try database.run("INSERT INTO main.\(table) SELECT * FROM disk.\(table)")
          }
        }
        try database.run("DETACH disk")
      } catch {
        for table in ["photo", "copy", "target"] { try database.run("DELETE FROM main.\(table)") }
      }
      return database
    } catch {
      throw LibraryError(error, path)
    }
  }

  /// The path with what means something in a URI written in numbers.
  private static func uri(_ path: String) -> String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), ..<33, 127...:
        "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      default: String(UnicodeScalar(byte))
      }
    }.joined()
  }

  private static func setAside(_ path: String, _ error: DatabaseError, _ log: Log) {
    let aside = "\(path).damaged"
    let moved = rename(path, aside) == 0
    for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    if !moved { unlink(path) }
    log.warning(
      "the catalog is damaged (\(error.message)): it is set aside and made anew from the files; "
        + "no photo is lost", [("file", aside)])
  }

  private static let schemaVersion = 2
  // The number of a photo is its place: see PhotoName.
  private static let schema = [
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
  ]

  // MARK: Use

  /// Works on the database; a damaged one is set aside, and the call fails once.
  func use<Value: Sendable>(
    _ body: (borrowing Database) throws(DatabaseError) -> Value
  ) throws(LibraryError) -> Value {
    let path = place.path
    return try state.withLock { (state) throws(LibraryError) -> Value in
      do throws(DatabaseError) {
        return try body(state.database)
      } catch {
        guard error.isDamage, access == .holder else { throw LibraryError(error, path) }
        Catalog.setAside(path, error, log)
        let count = state.replacements + 1
        if let fresh = try? Catalog.openSound(path) {
          state = State(database: fresh, replacements: count)
        }
        throw LibraryError(error, path)
      }
    }
  }
}

extension LibraryError {
  init(_ error: DatabaseError, _ path: String) {
    self.init(
      .failing,
      "the catalog \(path) cannot be used: \(error.message); `retake photos rebuild` makes it anew "
        + "from the files")
  }
}
