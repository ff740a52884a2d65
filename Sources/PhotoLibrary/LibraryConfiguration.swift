/// The place of the photos, and the room that they leave free.
public struct LibraryConfiguration: Sendable, Equatable {
  /// The part of the disk that photos leave free.
  public enum Reserve: Sendable, Equatable {
    /// 200 MB, or 2 % of the disk if that is less.
    case standard
    /// A number of bytes.
    case bytes(Int)
    /// A percentage of the disk.
    case percent(Double)

    /// Returns the reserve in bytes on a disk of `total` bytes, at most all of it.
    func bytes(of total: Int) -> Int {
      switch self {
      case .standard: min(200_000_000, total / 50)
      case .bytes(let bytes): min(max(0, bytes), total)
      case .percent(let percent): Int(Double(total) * max(0, min(100, percent)) / 100)
      }
    }
  }

  /// The directory with the albums; absolute.
  public var root: String
  /// The name of the album, a directory in `root`.
  public var album: String
  /// The part of the disk that photos leave free.
  public var reserve: Reserve
  /// Whether sessions may run although the photos are lost at power-off.
  public var allowsVolatile: Bool
  /// The tables that name the disks to be mounted.
  public var mounts = MountTable()

  /// Creates a configuration.
  public init(
    root: String, album: String, reserve: Reserve = .standard, allowsVolatile: Bool = false
  ) {
    self.root = root
    self.album = album
    self.reserve = reserve
    self.allowsVolatile = allowsVolatile
  }

  /// Returns whether a name can be an album's.
  ///
  /// Such a name has 1 to 64 bytes, no slash, no leading dot and no control characters. The name
  /// `lost+found` is excluded, because ext4's check puts recovered files there.
  public static func isAlbumName(_ name: String) -> Bool {
    let bytes = name.utf8
    return name != "lost+found" && (1...64).contains(bytes.count)
      && bytes.first != UInt8(ascii: ".")
      && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
  }
}
