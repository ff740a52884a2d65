/// Where photos go, and how much room is left alone.
public struct LibraryConfiguration: Sendable, Equatable {
  /// How much of the disk photos never take.
  public enum Reserve: Sendable, Equatable {
    /// 200 MB, or 2 % of the disk where that is less.
    case standard
    /// That many bytes.
    case bytes(Int)
    /// That many hundredths of the disk.
    case percent(Double)

    /// In bytes, on a disk of that size; never more than the disk.
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
  /// How much of the disk photos never take.
  public var reserve: Reserve
  /// Whether it is meant that the photos are gone at power-off.
  public var allowsVolatile: Bool
  /// Where it says which disks are to be mounted.
  public var mounts = MountTable()

  /// Makes a configuration.
  public init(
    root: String, album: String, reserve: Reserve = .standard, allowsVolatile: Bool = false
  ) {
    self.root = root
    self.album = album
    self.reserve = reserve
    self.allowsVolatile = allowsVolatile
  }

  /// Whether a name can be an album's: 1 to 64 bytes, no slash, no leading dot, no control
  /// characters; and not the directory that ext4 has for what its check finds.
  public static func isAlbumName(_ name: String) -> Bool {
    let bytes = name.utf8
    return name != "lost+found" && (1...64).contains(bytes.count)
      && bytes.first != UInt8(ascii: ".")
      && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
  }
}
