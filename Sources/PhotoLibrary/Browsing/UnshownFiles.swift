/// The numbers of pictures and movies that cannot be shown, by format.
public struct UnshownFiles: Sendable, Hashable {
  /// The number of files of each format, such as `HEIC`.
  public private(set) var counts: [String: Int] = [:]

  /// Creates an empty count.
  public init() {}

  /// The number of files of all formats.
  public var count: Int { counts.values.reduce(0, +) }

  /// The formats, the most frequent one first.
  public var formats: [String] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  /// The count in words, such as "12 files cannot be shown here (HEIC)"; nil for no files.
  public var sentence: String? {
    guard count > 0 else { return nil }
    let what = count == 1 ? "1 file" : "\(count) files"
    return "\(what) cannot be shown here (\(formats.joined(separator: ", ")))"
  }

  /// The pseudo-format of files whose names are not UTF-8, which no address can name.
  public static let unreadableName = "names that are not UTF-8"

  mutating func add(_ format: String, _ count: Int = 1) { counts[format, default: 0] += count }

  mutating func add(_ other: UnshownFiles) {
    for (format, count) in other.counts { add(format, count) }
  }

  /// Returns the format of a picture or movie that cannot be shown, by its name.
  ///
  /// Returns nil for files that no guest misses.
  static func format(_ name: String) -> (name: String, kind: PhotoKind)? {
    let isHidden = name.utf8.first == UInt8(ascii: ".")
    guard !isHidden, let dot = name.lastIndex(of: ".") else { return nil }
    return formats[name[name.index(after: dot)...].lowercased()]
  }

  /// The formats by suffix.
  ///
  /// Source: IANA media types, and the camera makers' names of raw files.
  private static let formats: [String: (name: String, kind: PhotoKind)] = {
    var formats: [String: (name: String, kind: PhotoKind)] = [:]
    for (name, suffixes) in [
      ("HEIC", ["heic", "heif", "hif"]), ("WebP", ["webp"]), ("AVIF", ["avif"]), ("GIF", ["gif"]),
      ("TIFF", ["tif", "tiff"]), ("BMP", ["bmp"]), ("JPEG XL", ["jxl"]), ("JPEG 2000", ["jp2"]),
      (
        "raw",
        [
          "dng", "cr2", "cr3", "nef", "nrw", "arw", "raf", "orf", "rw2", "pef", "srw", "x3f",
        ]
      ),
    ] {
      for suffix in suffixes { formats[suffix] = (name, .image) }
    }
    for (name, suffixes) in [
      ("AVI", ["avi"]), ("MKV", ["mkv"]), ("WebM", ["webm"]), ("AVCHD", ["mts", "m2ts"]),
      ("3GP", ["3gp", "3g2"]), ("WMV", ["wmv"]), ("MPEG", ["mpg", "mpeg"]), ("insta360", ["insv"]),
    ] {
      for suffix in suffixes { formats[suffix] = (name, .movie) }
    }
    return formats
  }()
}
