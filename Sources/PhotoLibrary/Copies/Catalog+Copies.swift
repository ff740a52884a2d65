import Platform

/// What the catalog says about a photo's copy in one directory.
enum CopyRow: Int, Sendable {
  case copied = 1
  /// Another picture has the name there.
  case conflict = 2
  /// The photo is not what was saved.
  case damaged = 3
}

/// A copy that is to be deleted.
struct CopyRemoval: Sendable, Hashable {
  var album: String
  var name: String

  /// Whether both names can be those of a copy.
  var isPossible: Bool { LibraryConfiguration.isAlbumName(album) && PhotoName.isFileName(name) }
}

extension Catalog {
  /// Notes where a target, known by its own identity, was last seen.
  func note(target: String, at path: String) throws(LibraryError) {
    try use { (database) throws(DatabaseError) in
      try database.run(
        "INSERT INTO target VALUES(?, ?) ON CONFLICT(id) DO UPDATE SET path = excluded.path "
          + "WHERE path <> excluded.path", .text(target), .text(path))
    }
  }

  /// Photos that the target does not have yet, in the order in which they were saved.
  ///
  /// Pictures from elsewhere are not copied.
  func waiting(
    for target: String, after id: Int64, limit: Int
  ) throws(LibraryError) -> [CatalogEntry] {
    let root = root
    return try use { (database) throws(DatabaseError) in
      var entries: [CatalogEntry] = []
      try database.rows(
        "SELECT \(CatalogEntry.columns) FROM photo WHERE id > ? AND number IS NOT NULL AND "
          + "NOT EXISTS (SELECT 1 FROM copy WHERE copy.photo = photo.id "
          + "AND target = ?) ORDER BY id LIMIT ?",
        .integer(id), .text(target), .integer(limit)
      ) { row in entries.append(CatalogEntry(row, root: root)) }
      return entries
    }
  }

  /// How many photos wait for the target, and how many it cannot have.
  func countCopies(_ target: String) throws(LibraryError) -> (waiting: Int, refused: Int) {
    let counts = try use { (database) throws(DatabaseError) in
      let all = try database.integer("SELECT count(*) FROM photo WHERE number IS NOT NULL") ?? 0
      let done =
        try database.integer("SELECT count(*) FROM copy WHERE target = ?", .text(target)) ?? 0
      let refused =
        try database.integer(
          "SELECT count(*) FROM copy WHERE target = ? AND state <> 1", .text(target)) ?? 0
      return [max(0, all - done), refused]
    }
    return (counts[0], counts[1])
  }

  func note(_ row: CopyRow, of id: Int64, in target: String) throws(LibraryError) {
    try use { (database) throws(DatabaseError) in
      // Only while the photo has a row: it may have been deleted meanwhile.
      try database.run(
        "INSERT OR REPLACE INTO copy SELECT ?, id, ? FROM photo WHERE id = ?",
        .text(target), .integer(row.rawValue), .integer(id))
    }
  }

  /// Photos with a row for the target, and what it says, in the order in which they were saved.
  ///
  /// Those that are damaged themselves are left out.
  func copied(
    in target: String, after id: Int64, limit: Int
  ) throws(LibraryError) -> [(CatalogEntry, CopyRow)] {
    let root = root
    return try use { (database) throws(DatabaseError) in
      var rows: [(CatalogEntry, CopyRow)] = []
      try database.rows(
        "SELECT \(CatalogEntry.columns), copy.state FROM photo JOIN copy ON copy.photo = photo.id "
          + "WHERE photo.id > ? AND copy.target = ? AND copy.state <> 3 ORDER BY photo.id LIMIT ?",
        .integer(id), .text(target), .integer(limit)
      ) { row in
        let state = CopyRow(rawValue: row.integer(13) ?? 1) ?? .copied
        rows.append((CatalogEntry(row, root: root), state))
      }
      return rows
    }
  }

  /// What is said of one photo's copies, by target and its path.
  func copyRows(
    of entry: CatalogEntry
  ) throws(LibraryError) -> [(target: String, path: String, row: CopyRow)] {
    try use { (database) throws(DatabaseError) in
      var rows: [(target: String, path: String, row: CopyRow)] = []
      try database.rows(
        "SELECT id, path, state FROM copy JOIN target ON target.id = copy.target WHERE photo = ? "
          + "ORDER BY path, id", .integer(entry.id)
      ) { row in
        let state = CopyRow(rawValue: row.integer(2) ?? 0) ?? .damaged
        rows.append((row.text(0) ?? "", row.text(1) ?? "", state))
      }
      return rows
    }
  }

  /// Lets a photo wait for the target again.
  func forgetCopy(of id: Int64, in target: String) throws(LibraryError) {
    try use { (database) throws(DatabaseError) in
      try database.run(
        "DELETE FROM copy WHERE target = ? AND photo = ?", .text(target), .integer(id))
    }
  }

  // MARK: - Deleting

  /// Notes, durably, which copies of a photo are to be deleted.
  func planRemovals(of entry: CatalogEntry) throws(LibraryError) {
    try use { (database) throws(DatabaseError) in
      // A stick that is away does not come back with what was deleted, whatever happens here.
      try database.run("PRAGMA synchronous = FULL")
      defer { try? database.run("PRAGMA synchronous = NORMAL") }
      try database.transaction { () throws(DatabaseError) in
        try database.run(
          "INSERT OR IGNORE INTO removal SELECT target, ?, ? FROM copy WHERE photo = ? "
            + "AND state <> 2", .text(entry.photo.album), .text(entry.photo.name),
          .integer(entry.id))
      }
    }
  }

  func removals(in target: String) throws(LibraryError) -> [CopyRemoval] {
    try use { (database) throws(DatabaseError) in
      var removals: [CopyRemoval] = []
      try database.rows(
        "SELECT album, name FROM removal WHERE target = ? LIMIT 100", .text(target)
      ) { row in
        removals.append(CopyRemoval(album: row.text(0) ?? "", name: row.text(1) ?? ""))
      }
      // A row that cannot be of this program's making leads nowhere.
      for removal in removals where !removal.isPossible {
        try database.run(
          "DELETE FROM removal WHERE target = ? AND album = ? AND name = ?", .text(target),
          .text(removal.album), .text(removal.name))
      }
      return removals.filter(\.isPossible)
    }
  }

  func forget(_ removal: CopyRemoval, in target: String) throws(LibraryError) {
    try use { (database) throws(DatabaseError) in
      try database.run(
        "DELETE FROM removal WHERE target = ? AND album = ? AND name = ?", .text(target),
        .text(removal.album), .text(removal.name))
    }
  }

  /// The disks that copies were ever made to.
  func identities() throws(LibraryError) -> Set<String> {
    try use { (database) throws(DatabaseError) in
      var names: Set<String> = []
      try database.rows("SELECT id FROM target") { row in names.insert(row.text(0) ?? "") }
      return names
    }
  }

  /// The directories that copies were ever made to.
  func targets() throws(LibraryError) -> [String] {
    try use { (database) throws(DatabaseError) in
      var paths: Set<String> = []
      try database.rows("SELECT path FROM target") { row in paths.insert(row.text(0) ?? "") }
      return paths.sorted()
    }
  }

  /// Where a photo's copies are.
  public func copies(of entry: CatalogEntry) throws(LibraryError) -> [String] {
    try use { (database) throws(DatabaseError) in
      var paths: [String] = []
      try database.rows(
        "SELECT path FROM copy JOIN target ON target.id = copy.target WHERE photo = ? AND state = 1 "
          + "ORDER BY path", .integer(entry.id)
      ) { row in paths.append(row.text(0) ?? "") }
      return paths
    }
  }
}
