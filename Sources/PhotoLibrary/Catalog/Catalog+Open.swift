import Glibc
import Platform

/// Opening of the catalog's file, whatever it contains.
extension Catalog {
  static func opened(
    _ place: CatalogPlace, _ access: Access, _ log: Log
  ) throws(LibraryError) -> State {
    let path = place.path
    if access == .reader { return State(database: try readOnlyCopy(place)) }
    // A pipe would block SQLite, and a link would lead it elsewhere.
    try place.clear()
    do throws(DatabaseError) {
      return State(database: try openSound(path, access))
    } catch {
      guard error.isDamage, access == .holder else { throw LibraryError(error, path) }
      setAside(place, error, log)
    }
    do throws(DatabaseError) {
      return State(database: try openSound(path, access), replacements: 1)
    } catch {
      throw LibraryError(error, path)
    }
  }

  static func openSound(
    _ path: String, _ access: Access
  ) throws(DatabaseError) -> Database {
    let database = try Database.open(path)
    // The statement reads the first page, so that a file that is no database fails here.
    let version = try database.integer("PRAGMA user_version") ?? 0
    // The photos' files are synced. The catalog only has to stay consistent, and may lose its last
    // rows in a power cut.
    try database.run("PRAGMA journal_mode = WAL")
    try database.run("PRAGMA synchronous = NORMAL")
    try database.run("PRAGMA cache_size = -1024")
    // The file's schema must not run code in this process.
    try database.run("PRAGMA trusted_schema = OFF")
    try database.run("PRAGMA cell_size_check = ON")
    try database.adopt(version, isOwn: access != .visitor)
    try database.run(
      "CREATE TEMP TABLE known(album TEXT, name TEXT, bytes INTEGER, modified INTEGER, "
        + "checksum BLOB, PRIMARY KEY(album, name))")
    return database
  }

  // More pages than any library needs, and a bound on the memory that a foreign file may take.
  private static let mostPages = 65_536

  /// Copies the catalog into memory; the copy is empty if the catalog cannot be read.
  ///
  /// The files tell the rest then.
  private static func readOnlyCopy(_ place: CatalogPlace) throws(LibraryError) -> Database {
    let path = place.path
    let tables = ["photo", "copy", "target"]
    do throws(DatabaseError) {
      let database = try openSound(":memory:", .holder)
      try database.run("PRAGMA main.max_page_count = \(mostPages)")
      guard place.isSound else { return database }
      // A write-ahead log means that a station may be running. Without one the file does not
      // change.
      let isAtRest = Glibc.access("\(path)-wal", F_OK) != 0
      let address = "file:\(uri(path))?" + (isAtRest ? "immutable=1" : "mode=ro")
      do throws(DatabaseError) {
        try database.run("ATTACH ? AS disk", .text(address))
        let version = try database.integer("PRAGMA disk.user_version") ?? 0
        if version == Database.schemaVersion, try database.hasOwnSchema("disk") {
          for table in tables {
            try database.run("INSERT INTO main.\(table) SELECT * FROM disk.\(table)")
          }
        }
        try database.run("DETACH disk")
      } catch {
        for table in tables { try database.run("DELETE FROM main.\(table)") }
      }
      return database
    } catch {
      throw LibraryError(error, path)
    }
  }

  /// Returns the path with the characters that have a meaning in a URI percent-encoded.
  private static func uri(_ path: String) -> String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), ..<33, 127...:
        "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      default: String(UnicodeScalar(byte))
      }
    }.joined()
  }

  static func setAside(_ place: CatalogPlace, _ error: DatabaseError, _ log: Log) {
    log.warning(
      "the catalog is damaged (\(error.message)): it is set aside and made again from the files; "
        + "no photo is lost", [("file", place.setAside())])
  }
}
