import Station

/// The format of an output file, which the file's name must not contradict.
enum OutputFormat: Sendable {
  case jpeg
  case mp4

  /// The file name extensions of the format.
  var endings: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
    case .mp4: ["mp4", "m4v"]
    }
  }

  private var words: String {
    switch self {
    case .jpeg: "photos are JPEG"
    case .mp4: "movies are MP4"
    }
  }

  /// Throws when the extension of `path` belongs to another format of pictures or movies.
  ///
  /// An unknown or missing extension is accepted.
  func check(_ path: String) throws(StationError) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return }
    let ending = name[name.index(after: dot)...].lowercased()
    guard !endings.contains(ending), OutputFormat.known.contains(ending) else { return }
    throw StationError(
      .configuration,
      "'\(path)' ends with .\(ending), and \(words); name a file that ends with .\(endings[0])")
  }

  /// The extensions of all known formats of pictures and movies.
  private static let known: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "apng", "webp", "gif", "tif", "tiff", "bmp", "heic",
    "heif", "avif", "jxl", "jp2", "j2k", "svg", "pdf", "psd", "raw", "dng", "cr2", "cr3", "nef",
    "arw", "orf", "rw2", "ppm", "pgm", "pbm", "pnm", "tga", "ico", "mp4", "m4v", "mov", "mkv",
    "avi",
    "webm", "mpg", "mpeg", "m2ts", "ts", "ogv", "wmv", "flv", "3gp", "mjpg", "mjpeg", "h264",
  ]
}
