import Platform

/// The catalog's statement about a photo's copy in one directory.
enum CopyRow: Int, Sendable {
  case copied = 1
  /// Another picture has the name there.
  case conflict = 2
  /// The photo's bytes are not those that were saved.
  case damaged = 3
  /// A call failed; the copier tries again.
  case failed = 4
}

/// The numbers of photos without a copy in a directory, by reason.
struct CopyCounts: Sendable, Hashable {
  /// Photos that are still to be copied, including those that failed.
  var waiting: Int
  /// Photos that the directory cannot have.
  var refused: Int
  /// Photos whose last try failed.
  var failed: Int
}

/// A copy that is to be deleted.
struct CopyRemoval: Sendable, Hashable {
  var album: String
  var name: String
}

extension Catalog {
  /// Records the path at which a target, known by its own identity, was last seen.
  func note(target: String, at path: String) throws(LibraryError) {
    try use { (database) throws(DatabaseError) in
      try database.run(
        "INSERT INTO target VALUES(?, ?) ON CONFLICT(id) DO UPDATE SET path = excluded.path "
          + "WHERE path <> excluded.path", .text(target), .text(path))
    }
  }

  /// Returns photos that the target does not have yet, in the order in which they were saved.
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

  /// Returns photos whose last try failed, in the order in which they were saved.
  ///
  /// Photos of the excepted albums are left out.
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

  /// Counts the photos without a copy in the target.
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
      // The photo may have been deleted meanwhile; without its row, nothing is recorded.
      try database.run(
        "INSERT OR REPLACE INTO copy SELECT ?, id, ? FROM photo WHERE id = ?",
        .text(target), .integer(row.rawValue), .integer(id))
    }
  }

  /// Returns photos with a row for the target, and its state, in the order in which they were
  /// saved.
  ///
  /// Photos that are damaged themselves, and those that failed, are left out.
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

  /// Returns the rows of one photo's copies, with each target's identity and path.
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

  /// Removes a photo's row for the target, so that the photo is copied again.
  func forgetCopy(of id: Int64, in target: String) throws(LibraryError) {
    try use { (database) throws(DatabaseError) in
      try database.run(
        "DELETE FROM copy WHERE target = ? AND photo = ?", .text(target), .integer(id))
    }
  }

  // MARK: - Deleting

  /// Records durably which copies of a photo are to be deleted.
  func planRemovals(of entry: CatalogEntry) throws(LibraryError) {
    try use { (database) throws(DatabaseError) in
      // The row is synced, so that a deleted photo does not return with an absent stick after a
      // power cut.
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

  /// Returns copies that are to be deleted in the target, at most 100 at a time.
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

  /// Returns the identities of all targets that were ever used.
  func identities() throws(LibraryError) -> Set<String> {
    try use { (database) throws(DatabaseError) in
      var names: Set<String> = []
      try database.rows("SELECT id FROM target") { row in names.insert(row.text(0) ?? "") }
      return names
    }
  }

  /// Returns the paths of all targets that were ever used.
  func targets() throws(LibraryError) -> [String] {
    try use { (database) throws(DatabaseError) in
      var paths: Set<FileName> = []
      try database.rows("SELECT path FROM target") { row in
        paths.insert(FileName(row.text(0) ?? ""))
      }
      return paths.sorted().map(\.text)
    }
  }

  /// Returns the directories with copies of a photo.
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
