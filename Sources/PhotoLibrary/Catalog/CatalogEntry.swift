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

  static let columns =
    "id, album, name, number, bytes, modified, checksum, width, height, thumb_at, thumb_bytes, "
    + "kept, duration"

  init(_ row: borrowing Statement, root: String) {
    id = Int64(row.integer(0) ?? 0)
    let album = row.text(1) ?? ""
    let name = row.text(2) ?? ""
    photo = Photo(
      album: album, name: name, number: row.integer(3).map { $0 / 2 },
      path: "\(root)/\(album)/\(name)",
      bytes: row.integer(4) ?? 0)
    modified = Int64(row.integer(5) ?? 0)
    checksum = row.blob(6).flatMap { Checksum(bytes: $0) }
    width = row.integer(7) ?? 0
    height = row.integer(8) ?? 0
    if let start = row.integer(9), let count = row.integer(10), start >= 0, count > 0,
      start < 1 << 32, count < 1 << 32
    {
      thumbnail = start..<start + count
    }
    isKept = row.integer(11) == 1
    durationMilliseconds = row.integer(12)
  }
}
