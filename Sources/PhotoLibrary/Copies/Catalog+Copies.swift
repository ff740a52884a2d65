import Platform

/// What the catalog says about a photo's copy in one directory.
enum CopyRow: Int, Sendable {
  case copied = 1
  /// Another picture has the name there.
  case conflict = 2
  /// The photo is not what was saved.
  case damaged = 3
  /// A call failed; it is tried again.
  case failed = 4
}

/// How many photos have no copy in a directory, and why.
struct CopyCounts: Sendable, Hashable {
  /// Those that are still to be copied, with those that failed.
  var waiting: Int
  /// Those that it cannot have.
  var refused: Int
  /// Those whose last try failed.
  var failed: Int
}

/// A copy that is to be deleted.
struct CopyRemoval: Sendable, Hashable {
  var album: String
  var name: String
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
      ) { (row: borrowing Statement) throws(DatabaseError) in
        entries.append(try CatalogEntry(row, root: root))
      }
      return entries
    }
  }

  /// Photos whose last try failed, in the order in which they were saved, without some albums.
  func failed(
    in target: String, after id: Int64, except albums: Set<FileName>, limit: Int
  ) throws(LibraryError) -> [CatalogEntry] {
    let root = root
    return try use { (database) throws(DatabaseError) in
      var entries: [CatalogEntry] = []
      try database.rows(
        "SELECT \(CatalogEntry.columns) FROM photo JOIN copy ON copy.photo = photo.id "
          + "WHERE photo.id > ? AND copy.target = ? AND copy.state = 4 "
          + "AND album NOT IN (SELECT value FROM json_each(?)) ORDER BY photo.id LIMIT ?",
        .integer(id), .text(target), .text(Catalog.json(albums.sorted().map(\.text))),
        .integer(limit)
      ) { (row: borrowing Statement) throws(DatabaseError) in
        entries.append(try CatalogEntry(row, root: root))
      }
      return entries
    }
  }

  /// How many photos have no copy in the target.
  func countCopies(_ target: String) throws(LibraryError) -> CopyCounts {
    try use { (database) throws(DatabaseError) in
      let all = try database.integer("SELECT count(*) FROM photo WHERE number IS NOT NULL") ?? 0
      var rows: [CopyRow: Int] = [:]
      try database.rows(
        "SELECT state, count(*) FROM copy WHERE target = ? GROUP BY state", .text(target)
      ) { row in
        let state = CopyRow(rawValue: row.integer(0) ?? 0) ?? .damaged
        rows[state, default: 0] += row.integer(1) ?? 0
      }
      let refused = rows[.conflict, default: 0] + rows[.damaged, default: 0]
      return CopyCounts(
        waiting: max(0, all - rows[.copied, default: 0] - refused), refused: refused,
        failed: rows[.failed, default: 0])
    }
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
  /// Those that are damaged themselves, and those that failed, are left out.
  func copied(
    in target: String, after id: Int64, limit: Int
  ) throws(LibraryError) -> [(CatalogEntry, CopyRow)] {
    let root = root
    return try use { (database) throws(DatabaseError) in
      var rows: [(CatalogEntry, CopyRow)] = []
      try database.rows(
        "SELECT \(CatalogEntry.columns), copy.state FROM photo JOIN copy ON copy.photo = photo.id "
          + "WHERE photo.id > ? AND copy.target = ? AND copy.state IN (1, 2) ORDER BY photo.id LIMIT ?",
        .integer(id), .text(target), .integer(limit)
      ) { (row: borrowing Statement) throws(DatabaseError) in
        guard let state = CopyRow(rawValue: row.integer(13) ?? 0) else {
          throw .impossible("a state")
        }
        rows.append((try CatalogEntry(row, root: root), state))
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
            + "AND state IN (1, 3)", .text(entry.photo.album), .text(entry.photo.name),
          .integer(entry.id))
      }
    }
  }

  /// Copies that are to be deleted in the target, some at a time.
  func removals(
    in target: String, after last: CopyRemoval?
  ) throws(LibraryError) -> [CopyRemoval] {
    try use { (database) throws(DatabaseError) in
      var removals: [CopyRemoval] = []
      try database.rows(
        "SELECT album, name FROM removal WHERE target = ? AND (album, name) > (?, ?) "
          + "ORDER BY album, name LIMIT 100",
        .text(target), .text(last?.album ?? ""), .text(last?.name ?? "")
      ) { (row: borrowing Statement) throws(DatabaseError) in
        removals.append(CopyRemoval(album: try row.albumName(0), name: try row.fileName(1)))
      }
      return removals
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
      var paths: Set<FileName> = []
      try database.rows("SELECT path FROM target") { row in
        paths.insert(FileName(row.text(0) ?? ""))
      }
      return paths.sorted().map(\.text)
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
