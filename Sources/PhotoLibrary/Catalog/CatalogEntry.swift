/// What the catalog knows of a picture.
public struct CatalogEntry: Sendable, Hashable {
  /// The catalog's number for it, until the catalog is rebuilt.
  public var id: Int64
  /// The file.
  public var photo: Photo
  /// When the file was last changed, by the clock of then.
  ///
  /// Unit: seconds since 1970.
  public var modified: Int64
  /// Nil until the file was read once.
  public var checksum: Checksum?
  /// The width in pixels; 0 when it is not known.
  public var width: Int
  /// The height in pixels; 0 when it is not known.
  public var height: Int
  /// The bytes of the file that are its thumbnail, itself a JPEG; nil where it has none.
  public var thumbnail: Range<Int>?
  /// Whether retention must leave it alone.
  public var isKept: Bool

  /// How long a movie is, in milliseconds; nil for a picture, and where it is not known.
  public var durationMilliseconds: Int?

  /// The columns of ``init(_:root:)``; the bytes are NULL where they do not fit what mirrors them.
  static let columns =
    "id, album, name, number, CASE WHEN mirror = ~bytes THEN bytes END, modified, checksum, width, "
    + "height, thumb_at, thumb_bytes, kept, duration"

  /// Reads a row, which may say anything: throws what the catalog is repaired for if no photo can
  /// have it.
  init(_ row: borrowing Statement, root: String) throws(DatabaseError) {
    id = Int64(try row.integer(0, in: CatalogLimits.rows, "a row"))
    let album = try row.albumName(1)
    let name = try row.fileName(2)
    let place = row.isNull(3) ? nil : try row.integer(3, in: CatalogLimits.places, "a number")
    guard place == PhotoName.place(name) else {
      throw .impossible("a number")
    }
    photo = Photo(
      album: album, name: name, number: place.map { $0 / 2 }, path: "\(root)/\(album)/\(name)",
      bytes: try row.integer(4, in: CatalogLimits.bytes, "a size"))
    modified = Int64(try row.integer(5, in: CatalogLimits.dates, "a date"))
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

/// What a row can say: the same limits when it is written, when it is read, and in the schema.
enum CatalogLimits {
  /// The numbers of rows.
  static let rows = 1...1 << 52
  /// See ``PhotoName/place(_:)-(String)``.
  static let places = 0...PhotoName.highest * 2 + 1
  /// A file's size: 16 TB, the most that ext4 has.
  static let bytes = 1...1 << 44
  /// A file's date.
  ///
  /// Unit: seconds since 1970.
  static let dates = -(1 << 40)...1 << 40
  /// What JPEG can say of a picture.
  ///
  /// Unit: pixels.
  static let sides = 0...65_535
  /// Unit: bytes.
  static let thumbnails = 1...1 << 20
  /// Ten years.
  ///
  /// Unit: milliseconds.
  static let durations = 0...315_360_000_000
}

extension Statement {
  /// A number of a column, which has to be in a range.
  func integer(
    _ column: Int32, in range: ClosedRange<Int>, _ what: String
  ) throws(DatabaseError) -> Int {
    guard let value = integer(column), range.contains(value) else { throw .impossible(what) }
    return value
  }

  /// The name of an album; see ``LibraryConfiguration/isAlbumName(_:)``.
  func albumName(_ column: Int32) throws(DatabaseError) -> String {
    guard let name = text(column), LibraryConfiguration.isAlbumName(name) else {
      throw .impossible("an album")
    }
    return name
  }

  /// The name of a picture's file; see ``PhotoName/isListed(_:)``.
  func fileName(_ column: Int32) throws(DatabaseError) -> String {
    guard let name = text(column), PhotoName.isListed(name) else { throw .impossible("a name") }
    return name
  }

  /// A checksum, or none.
  func checksum(_ column: Int32) throws(DatabaseError) -> Checksum? {
    if isNull(column) { return nil }
    guard let bytes = blob(column), let checksum = Checksum(bytes: bytes) else {
      throw .impossible("a checksum")
    }
    return checksum
  }
}
