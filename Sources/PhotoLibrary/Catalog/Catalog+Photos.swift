import CLinux
import Media
import Platform

extension Catalog {
  /// Adds a photo that was just saved.
  public func add(_ photo: Photo, checksum: Checksum?) throws(LibraryError) {
    let directory = try open(album: photo.album)
    guard let record = try read(photo.name, directory.number, photo.album) else { return }
    try use { (database) throws(DatabaseError) in
      try database.insert(photo.album, photo.name, record, checksum: checksum)
    }
  }

  /// Removes a picture's row and leaves its file alone.
  public func remove(album: String, name: String) throws(LibraryError) {
    try use { (database) throws(DatabaseError) in try database.remove(album, name) }
  }

  /// Returns the pictures of an album, a page at a time.
  ///
  /// Numbered photos come first, newest first; pictures from elsewhere follow by name. The next
  /// page begins after the last entry of this one.
  public func page(
    album: String, after last: CatalogEntry? = nil, limit: Int = 50
  ) throws(LibraryError) -> [CatalogEntry] {
    let root = root
    return try use { (database) throws(DatabaseError) in
      var entries: [CatalogEntry] = []
      // Each entry must come after the one before, because a damaged index could make an endless
      // list.
      var end = last?.photo.name
      let add = { (row: borrowing Statement) throws(DatabaseError) -> Void in
        let entry = try CatalogEntry(row, root: root)
        let name = entry.photo.name
        guard entry.photo.album == album, end.map({ PhotoName.comes($0, before: name) }) ?? true
        else { throw .damage("its photos are out of order") }
        end = name
        entries.append(entry)
      }
      if last == nil || last?.photo.number != nil {
        try database.rows(
          "SELECT \(CatalogEntry.columns) FROM photo WHERE album = ? AND number < ? "
            + "ORDER BY number DESC LIMIT ?",
          .text(album), .integer(last.flatMap { PhotoName.place($0.photo.name) } ?? .max),
          .integer(limit), body: add)
      }
      guard entries.count < limit else { return entries }
      let name = last.flatMap { $0.photo.number == nil ? $0.photo.name : nil } ?? ""
      try database.rows(
        "SELECT \(CatalogEntry.columns) FROM photo WHERE album = ? AND number IS NULL "
          + "AND name > ? ORDER BY name LIMIT ?",
        .text(album), .text(name), .integer(limit - entries.count), body: add)
      return entries
    }
  }

  /// Returns one picture; nil if the catalog has no row for it.
  public func entry(album: String, name: String) throws(LibraryError) -> CatalogEntry? {
    let root = root
    return try use { (database) throws(DatabaseError) in
      var entry: CatalogEntry?
      try database.rows(
        "SELECT \(CatalogEntry.columns) FROM photo WHERE album = ? AND name = ?",
        .text(album), .text(name)
      ) { (row: borrowing Statement) throws(DatabaseError) in
        entry = try CatalogEntry(row, root: root)
      }
      return entry
    }
  }

  /// Returns the number of an album's pictures, and their bytes.
  public func size(album: String) throws(LibraryError) -> (photos: Int, bytes: Int) {
    let pair = try use { (database) throws(DatabaseError) in
      try database.size("album = ?", .text(album))
    }
    return (pair[0], pair[1])
  }

  /// Returns the bytes of a picture's thumbnail, itself a JPEG; nil if it has none.
  public func thumbnail(_ entry: CatalogEntry) throws(LibraryError) -> [UInt8]? {
    guard let range = entry.thumbnail else { return nil }
    do throws(SystemError) {
      let directory = try AlbumDirectory.open(entry.photo.album, of: root, system)
      guard let file = try PhotoFile.open(entry.photo.name, in: directory.number, system) else {
        return nil
      }
      return try file.read(at: range.lowerBound, count: range.count)
    } catch {
      throw LibraryError(error, at: entry.photo.path)
    }
  }

  /// Reads a picture's file and returns its checksum; nil if the file is gone.
  func checksum(of photo: Photo) throws(LibraryError) -> Checksum? {
    let directory = try open(album: photo.album)
    do throws(SystemError) {
      guard let file = try PhotoFile.open(photo.name, in: directory.number, system) else {
        return nil
      }
      return try file.checksum()
    } catch {
      throw LibraryError(error, at: photo.path)
    }
  }

  /// Records the checksum of a file.
  func note(_ checksum: Checksum, for id: Int64) throws(LibraryError) {
    try use { (database) throws(DatabaseError) in
      try database.run(
        "UPDATE photo SET checksum = ? WHERE id = ?", .blob(checksum.bytes), .integer(id))
    }
  }

  /// Returns a picture whose file has no checksum yet.
  func unread() throws(LibraryError) -> CatalogEntry? {
    let root = root
    return try use { (database) throws(DatabaseError) in
      var entry: CatalogEntry?
      try database.rows(
        "SELECT \(CatalogEntry.columns) FROM photo WHERE checksum IS NULL ORDER BY id LIMIT 1"
      ) { (row: borrowing Statement) throws(DatabaseError) in
        entry = try CatalogEntry(row, root: root)
      }
      return entry
    }
  }

  // MARK: - Files

  /// The file's properties that its row needs.
  struct Record: Sendable {
    var bytes: Int
    var modified: Int64
    var isKept: Bool
    var header: PhotoHeader
  }

  func open(album: String) throws(LibraryError) -> Descriptor {
    do throws(SystemError) {
      return try AlbumDirectory.open(album, of: root, system)
    } catch {
      throw LibraryError(error, at: "\(root)/\(album)")
    }
  }

  func read(
    _ name: String, _ directory: Int32, _ album: String
  ) throws(LibraryError) -> Record? {
    do throws(SystemError) {
      guard let file = try PhotoFile.open(name, in: directory, system) else { return nil }
      guard CatalogLimits.bytes.contains(file.bytes) else { return nil }
      return Record(
        bytes: file.bytes, modified: Catalog.date(file.modified), isKept: file.isKept,
        header: try PhotoHeader.read(file).possible(in: file.bytes))
    } catch {
      // A file that cannot be read is not listed; the others are.
      log.warning("\(root)/\(album)/\(name) cannot be read: \(error.reason)")
      return nil
    }
  }
}

extension Catalog {
  /// Returns a file's date, clamped to the range that a row may have.
  static func date(_ modified: Int64) -> Int64 {
    let limits = CatalogLimits.dates
    return min(max(modified, Int64(limits.lowerBound)), Int64(limits.upperBound))
  }
}

extension PhotoHeader {
  /// Returns the header without values that no row may have, because a file may contain any.
  fileprivate func possible(in bytes: Int) -> PhotoHeader {
    var header = self
    if !CatalogLimits.sides.contains(size.width) || !CatalogLimits.sides.contains(size.height) {
      header.size = PixelSize(width: 0, height: 0)
    }
    if let range = thumbnail,
      range.lowerBound < 0 || range.upperBound > bytes
        || !CatalogLimits.thumbnails.contains(range.count)
    {
      header.thumbnail = nil
    }
    if let length = duration, !CatalogLimits.durations.contains(length) { header.duration = nil }
    return header
  }
}

extension Database {
  /// Returns the number of photos that match a condition, and their bytes.
  func size(_ condition: String, _ values: DatabaseValue...) throws(DatabaseError) -> [Int] {
    let statement = try prepare(
      "SELECT count(*), CAST(total(bytes) AS INTEGER), "
        + "total(typeof(bytes) = 'integer' AND bytes BETWEEN 1 AND 1 << 44 AND mirror = ~bytes) "
        + "= count(*) FROM photo WHERE \(condition)")
    try statement.bind(values)
    guard try statement.step() else { return [0, 0] }
    guard statement.integer(2) == 1 else { throw .impossible("a size") }
    return [statement.integer(0) ?? 0, statement.integer(1) ?? 0]
  }

  func insert(
    _ album: String, _ name: String, _ record: Catalog.Record, checksum: Checksum?
  ) throws(DatabaseError) {
    let range = record.header.thumbnail
    try run(
      """
      INSERT INTO photo(album, name, number, bytes, modified, checksum, width, height, thumb_at,
        thumb_bytes, kept, duration, mirror) VALUES(?1, ?2, ?3, ?4, ?5,
        coalesce(?6, (SELECT checksum FROM temp.known WHERE album = ?1 AND name = ?2
          AND bytes = ?4 AND modified = ?5)), ?7, ?8, ?9, ?10, ?11, ?12, ~?4)
      ON CONFLICT(album, name) DO UPDATE SET bytes = excluded.bytes, mirror = excluded.mirror,
        modified = excluded.modified, width = excluded.width, height = excluded.height,
        thumb_at = excluded.thumb_at, thumb_bytes = excluded.thumb_bytes, kept = excluded.kept,
        duration = excluded.duration,
        checksum = coalesce(excluded.checksum, checksum)
      """,
      .text(album), .text(name), .optional(PhotoName.place(name)), .integer(record.bytes),
      .integer(record.modified), checksum.map { .blob($0.bytes) } ?? .null,
      .integer(record.header.size.width), .integer(record.header.size.height),
      .optional(range?.lowerBound), .optional(range?.count), .integer(record.isKept ? 1 : 0),
      .optional(record.header.duration))
  }

  func remove(_ album: String, _ name: String) throws(DatabaseError) {
    try run(
      "DELETE FROM copy WHERE photo = (SELECT id FROM photo WHERE album = ? AND name = ?)",
      .text(album), .text(name))
    try run("DELETE FROM photo WHERE album = ? AND name = ?", .text(album), .text(name))
  }
}
