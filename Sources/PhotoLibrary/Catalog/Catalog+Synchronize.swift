import CLinux
import Media
import Platform

extension Catalog {
  /// The result of a synchronization.
  public struct Changes: Sendable, Hashable {
    /// The number of pictures that the catalog did not have.
    public var added = 0
    /// The number of rows whose pictures are gone.
    public var removed = 0
    /// The number of pictures in the album now.
    public var photos = 0

    /// Creates a result of zeros.
    public init() {}
  }

  /// Updates an album's rows from its directory.
  ///
  /// The call reads the names of all files and opens only new ones. `progress` gets the number of
  /// new files that were read, and their total. Blocks on the disk.
  public func synchronize(
    album: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> Changes {
    guard LibraryConfiguration.isAlbumName(album) else { throw .invalidAlbum(album) }
    let directory = try open(album: album)
    let listing = try list(album)
    var changes = Changes()
    let (new, missing) = try compare(listing, album)
    changes.photos = listing.numbers.count + listing.names.count
    for name in missing where isAbsent(name, directory.number) {
      try remove(album: album, name: name)
      changes.removed += 1
    }
    var position = 0
    while position < new.count {
      // Files are added in batches, so that the database is not locked for long and the memory
      // stays small.
      let names = new.part(position, min(position + 256, new.count))
      var records: [(String, Record)] = []
      for name in names {
        if let record = try read(name, directory.number, album) { records.append((name, record)) }
      }
      let batch = records
      try use { (database) throws(DatabaseError) in
        try database.transaction { () throws(DatabaseError) in
          for (name, record) in batch {
            try database.insert(album, name, record, checksum: nil)
          }
        }
      }
      changes.added += records.count
      changes.photos -= names.count - records.count
      position += names.count
      progress(position, new.count)
    }
    // The rows now have the checksums of an older catalog.
    try use { (database) throws(DatabaseError) in
      try database.run("DELETE FROM temp.known WHERE album = ?", .text(album))
    }
    return changes
  }

  /// Deletes an album's rows and reads the album again.
  ///
  /// The checksums of files that have not changed since are kept, because only they can show that a
  /// file went bad. Blocks on the disk.
  public func rebuild(
    album: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(LibraryError) -> Changes {
    try use { (database) throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        try database.remember("album = ?", .text(album))
        try database.run(
          "DELETE FROM copy WHERE photo IN (SELECT id FROM photo WHERE album = ?)", .text(album))
        try database.run("DELETE FROM photo WHERE album = ?", .text(album))
      }
    }
    return try synchronize(album: album, progress: progress)
  }

  // MARK: - Comparing

  /// The pictures of a directory; the library's own take four bytes each, for their ranks.
  private struct Listing {
    var numbers: [UInt32] = []
    var names: [String] = []

    var count: Int { numbers.count + names.count }

    func part(_ from: Int, _ to: Int) -> [String] {
      (from..<to).map { index in
        index < numbers.count
          ? PhotoName.name(place: Int(numbers[index])) : names[index - numbers.count]
      }
    }
  }

  private func list(_ album: String) throws(LibraryError) -> Listing {
    var listing = Listing()
    let path = "\(root)/\(album)"
    let result = system.scan(path) { name in
      if let place = PhotoName.place(name) {
        listing.numbers.append(UInt32(place))
      } else {
        // A name that is not UTF-8, or that could control a terminal, gets no row.
        guard let text = PhotoName.listed(name), PhotoName.isPicture(text) else { return }
        listing.names.append(text)
      }
    }
    do throws(SystemError) {
      try system.check(result, "readdir", path)
    } catch {
      throw LibraryError(error, at: path)
    }
    listing.numbers.sort()
    return listing
  }

  // Returns the files without a row, and the rows without a file.
  private func compare(
    _ listing: Listing, _ album: String
  ) throws(LibraryError) -> (new: Listing, missing: [String]) {
    let result = try use { (database) throws(DatabaseError) -> (new: Listing, missing: [String]) in
      var (new, missing) = (Listing(), [String]())
      var position = 0
      let numbers = listing.numbers
      try database.rows(
        "SELECT number FROM photo WHERE album = ? AND number IS NOT NULL ORDER BY number",
        .text(album)
      ) { (row: borrowing Statement) throws(DatabaseError) in
        let known = try row.integer(0, in: CatalogLimits.places, "a number")
        while position < numbers.count, numbers[position] < known {
          new.numbers.append(numbers[position])
          position += 1
        }
        if position < numbers.count, numbers[position] == known {
          position += 1
        } else {
          missing.append(PhotoName.name(place: known))
        }
      }
      new.numbers += numbers[position...]
      var strangers = Set(listing.names.map(FileName.init))
      try database.rows(
        "SELECT name FROM photo WHERE album = ? AND number IS NULL", .text(album)
      ) { (row: borrowing Statement) throws(DatabaseError) in
        let name = try row.fileName(0)
        if strangers.remove(FileName(name)) == nil { missing.append(name) }
      }
      new.names = strangers.sorted().map(\.text)
      return (new, missing)
    }
    return result
  }

  // A photo that was saved after the directory was read is not missing.
  private func isAbsent(_ name: String, _ directory: Int32) -> Bool {
    let fd = system.openat(directory, name, clinux_o_path | clinux_o_nofollow, 0)
    if fd >= 0 { _ = system.close(fd) }
    return fd == -Errno.noEntry
  }
}
