import Station

/// The content of a file of the program, which the file's name must not deny.
enum OutputFormat: Sendable {
  case jpeg
  case mp4

  /// The endings that say so.
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

  /// Throws where the ending of `path` names another kind of picture or movie.
  ///
  /// An ending that names neither, or none at all, is the caller's own.
  func check(_ path: String) throws(StationError) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return }
    let ending = name[name.index(after: dot)...].lowercased()
    guard !endings.contains(ending), OutputFormat.known.contains(ending) else { return }
    throw StationError(
      .configuration,
      "'\(path)' ends with .\(ending), and \(words); name a file that ends with .\(endings[0])")
  }

  /// Endings of pictures and movies, of this kind and of others.
  private static let known: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "apng", "webp", "gif", "tif", "tiff", "bmp", "heic",
    "heif", "avif", "jxl", "jp2", "j2k", "svg", "pdf", "psd", "raw", "dng", "cr2", "cr3", "nef",
    "arw", "orf", "rw2", "ppm", "pgm", "pbm", "pnm", "tga", "ico", "mp4", "m4v", "mov", "mkv",
    "avi",
    "webm", "mpg", "mpeg", "m2ts", "ts", "ogv", "wmv", "flv", "3gp", "mjpg", "mjpeg", "h264",
  ]
}
