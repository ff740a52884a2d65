import CLinux
import Platform

extension Catalog {
  /// Pictures of all albums, those last that came first, a page at a time.
  ///
  /// Give the ``CatalogEntry/id`` of a page's last one to get the next page.
  public func page(before id: Int64?, limit: Int = 50) throws(LibraryError) -> [CatalogEntry] {
    let root = root
    return try use { (database) throws(DatabaseError) in
      var entries: [CatalogEntry] = []
      try database.rows(
        "SELECT \(CatalogEntry.columns) FROM photo WHERE id < ? ORDER BY id DESC LIMIT ?",
        .integer(id.map { Int(clamping: $0) } ?? .max), .integer(limit)
      ) { row in entries.append(CatalogEntry(row, root: root)) }
      return entries
    }
  }

  /// How many pictures there are, in one album or in all.
  public func count(album: String? = nil) throws(LibraryError) -> Int {
    try use { (database) throws(DatabaseError) in
      guard let album else { return try database.integer("SELECT count(*) FROM photo") ?? 0 }
      return try database.integer("SELECT count(*) FROM photo WHERE album = ?", .text(album)) ?? 0
    }
  }

  /// Deletes a picture: file, thumbnail, row, and copies; those on disks that are away, when they
  /// return.
  public func delete(_ entry: CatalogEntry) throws(LibraryError) {
    try PhotoDeletion(catalog: self).delete(entry)
  }

  /// Opens a picture's file for reading; the caller closes it.
  ///
  /// Nil for what is no picture of an album: no name and no link leads out of the library.
  public func original(album: String, name: String) throws(LibraryError) -> OpenPhoto? {
    guard LibraryConfiguration.isAlbumName(album), PhotoName.isPicture(name), !name.contains("/")
    else { return nil }
    do throws(SystemError) {
      let flags = clinux_o_directory | clinux_o_path
      let library = try Descriptor(opening: root, flags: flags, system: system)
      let number = system.openat(library.number, album, flags | clinux_o_nofollow, 0)
      if [-Errno.noEntry, -Errno.loop, -Errno.notADirectory].contains(number) { return nil }
      let directory = Descriptor(owning: try system.check(number, "open", album), system: system)
      guard let file = try PhotoFile.open(name, in: directory.number, system) else { return nil }
      let copy = try system.check(
        system.openat(
          directory.number, name, clinux_o_nofollow | clinux_o_nonblock, 0), "open", name)
      return OpenPhoto(number: copy, bytes: file.bytes, modified: file.modified)
    } catch {
      throw LibraryError(error, at: "\(root)/\(album)/\(name)")
    }
  }
}

/// A picture's file, open for reading.
public struct OpenPhoto: Sendable {
  /// The descriptor, which belongs to whoever asked.
  public var number: Int32
  /// The file's size in bytes.
  public var bytes: Int
  /// When the file was last changed.
  ///
  /// Unit: seconds since 1970.
  public var modified: Int64
}
