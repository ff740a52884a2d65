/// The catalog's row of a picture.
public struct CatalogEntry: Sendable, Hashable {
  /// The row's number, valid until the catalog is rebuilt.
  public var id: Int64
  /// The file.
  public var photo: Photo
  /// The time of the file's last change, by the clock of that moment.
  ///
  /// Unit: seconds since 1970.
  public var modified: Int64
  /// The file's checksum; nil until the file was read once.
  public var checksum: Checksum?
  /// The width in pixels; 0 if unknown.
  public var width: Int
  /// The height in pixels; 0 if unknown.
  public var height: Int
  /// The range of the file that holds its thumbnail, itself a JPEG; nil if it has none.
  public var thumbnail: Range<Int>?
  /// Whether retention never deletes the picture.
  public var isKept: Bool

  /// The length of a movie in milliseconds; nil if unknown, and for a picture.
  public var durationMilliseconds: Int?

  /// The columns of ``init(_:root:)``; `bytes` is NULL if its mirror does not match.
  static let columns =
    "id, album, name, number, CASE WHEN mirror = ~bytes THEN bytes END, modified, checksum, width, "
    + "height, thumb_at, thumb_bytes, kept, duration"

  /// Reads an untrusted row.
  ///
  /// Throws the error that starts the catalog's repair if no photo can have such a row.
  init(_ row: borrowing Statement, root: String) throws(DatabaseError) {
    id = Int64(try row.integer(0, in: CatalogLimits.rows, "a row"))
    let album = try row.albumName(1)
    let name = try row.fileName(2)
    let place = row.isNull(3) ? nil : try row.integer(3, in: CatalogLimits.places, "a number")
    guard place == PhotoName.place(name) else {
      throw .impossible("a number")
    }
    modified = Int64(try row.integer(5, in: CatalogLimits.dates, "a date"))
    photo = Photo(
      album: album, name: name, number: place.map { $0 / 2 }, path: "\(root)/\(album)/\(name)",
      bytes: try row.integer(4, in: CatalogLimits.bytes, "a size"), modified: modified)
    checksum = try row.checksum(6)
    width = try row.integer(7, in: CatalogLimits.sides, "a width")
    height = try row.integer(8, in: CatalogLimits.sides, "a height")
    if !row.isNull(9) || !row.isNull(10) {
      let start = try row.integer(9, in: 0...photo.bytes, "a thumbnail")
      let count = try row.integer(10, in: CatalogLimits.thumbnails, "a thumbnail")
      guard count <= photo.bytes - start else { throw .impossible("a thumbnail") }
      thumbnail = start..<start + count
    }
    isKept = try row.integer(11, in: 0...1, "a mark") == 1
    if !row.isNull(12) {
      durationMilliseconds = try row.integer(12, in: CatalogLimits.durations, "a length")
    }
  }
}

/// The limits of a row's values, the same for writing, reading and the schema.
enum CatalogLimits {
  /// The numbers of rows.
  static let rows = 1...1 << 52
  /// The ranks of names; see ``PhotoName/place(_:)-(String)``.
  static let places = 0...PhotoName.highest * 2 + 1
  /// A file's size: 16 TB, the maximum of ext4.
  static let bytes = 1...1 << 44
  /// A file's date.
  ///
  /// Unit: seconds since 1970.
  static let dates = -(1 << 40)...1 << 40
  /// The maximum size that JPEG can have.
  ///
  /// Unit: pixels.
  static let sides = 0...65_535
  /// The size of a thumbnail.
  ///
  /// Unit: bytes.
  static let thumbnails = 1...1 << 20
  /// The length of a movie, up to ten years.
  ///
  /// Unit: milliseconds.
  static let durations = 0...315_360_000_000
}

extension Statement {
  /// Returns a column's number, or throws if it is out of range.
  func integer(
    _ column: Int32, in range: ClosedRange<Int>, _ what: String
  ) throws(DatabaseError) -> Int {
    guard let value = integer(column), range.contains(value) else { throw .impossible(what) }
    return value
  }

  /// Returns an album's name; see ``LibraryConfiguration/isAlbumName(_:)``.
  func albumName(_ column: Int32) throws(DatabaseError) -> String {
    guard let name = text(column), LibraryConfiguration.isAlbumName(name) else {
      throw .impossible("an album")
    }
    return name
  }

  /// Returns the name of a picture's file; see ``PhotoName/isListed(_:)``.
  func fileName(_ column: Int32) throws(DatabaseError) -> String {
    guard let name = text(column), PhotoName.isListed(name) else { throw .impossible("a name") }
    return name
  }

  /// Returns a checksum, or nil for NULL.
  func checksum(_ column: Int32) throws(DatabaseError) -> Checksum? {
    if isNull(column) { return nil }
    guard let bytes = blob(column), let checksum = Checksum(bytes: bytes) else {
      throw .impossible("a checksum")
    }
    return checksum
  }
}
