import Glibc
import PhotoLibrary
import Platform

/// The printed facts about a photo.
struct PhotoRow: Encodable {
  var album: String
  var name: String
  var number: Int?
  var kind: String
  var durationMilliseconds: Int?
  var path: String
  var bytes: Int
  var width: Int
  var height: Int
  var modified: String
  var sha256: String?
  var hasThumbnail: Bool
  var isKept: Bool
  var copies: [String]?
  var copyFiles: [String]?

  init(_ entry: CatalogEntry, _ titles: AlbumTitles) {
    album = titles.title(entry.photo.album)
    name = entry.photo.name
    number = entry.photo.number
    kind = entry.photo.kind.rawValue
    durationMilliseconds = entry.durationMilliseconds
    path = entry.photo.path
    bytes = entry.photo.bytes
    width = entry.width
    height = entry.height
    modified = timeText(entry.modified)
    sha256 = entry.checksum.map { "\($0)" }
    hasThumbnail = entry.thumbnail != nil
    isKept = entry.isKept
  }

  private var length: String {
    durationMilliseconds.map { "  \(Double(($0 + 50) / 100) / 10) s" } ?? ""
  }

  private var size: String { width > 0 ? "\(width)x\(height)" : "?" }

  var line: String {
    "\(name.plain)  \(padded(size, 9))  \(padded(sizeText(bytes), 8))  \(modified)\(length)"
      + (isKept ? "  keep" : "")
  }

  var details: [String] {
    var lines = [
      path, "  album: \(album)", "  size: \(size) pixels, \(bytes) bytes",
      "  written: \(modified)", "  sha256: \(sha256 ?? "not read yet")",
      "  thumbnail: \(hasThumbnail ? "yes" : "no")",
    ]
    if !length.isEmpty { lines.append("  length:\(length)") }
    if isKept { lines.append("  kept: never deleted for its age") }
    for copy in copyFiles ?? [] { lines.append("  copy: \(copy)") }
    return lines
  }
}

/// Returns `text` with spaces before it, up to `width`.
func padded(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

/// Returns a size in words, as in `1.2 MB`.
func sizeText(_ bytes: Int) -> String {
  var value = Double(bytes)
  for unit in ["B", "kB", "MB", "GB"] {
    if value < 1000 {
      let rounded = unit == "B" || value >= 100 ? value.rounded() : (value * 10).rounded() / 10
      return rounded == rounded.rounded() ? "\(Int(rounded)) \(unit)" : "\(rounded) \(unit)"
    }
    value /= 1000
  }
  return "\((value * 10).rounded() / 10) TB"
}

/// Returns the local time of a number of seconds since 1970.
func timeText(_ seconds: Int64) -> String {
  var (time, parts) = (time_t(seconds), tm())
  guard localtime_r(&time, &parts) != nil else { return "?" }
  var text = [CChar](repeating: 0, count: 64)
  let count = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &parts)
  return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// A progress bar at the bottom of a terminal; without a terminal, nothing is drawn.
struct ProgressBar {
  private let title: String
  private let isShown = isatty(2) == 1
  private var shown = -1

  init(_ title: String) { self.title = title }

  mutating func draw(_ done: Int, of total: Int) {
    guard isShown, total > 0 else { return }
    let percent = min(100, done * 100 / total)
    guard percent != shown else { return }
    shown = percent
    let width = 30
    let filled = percent * width / 100
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    write("\r\u{1B}[K\(title.plain) [\(bar)] \(done) of \(total)")
  }

  mutating func clear() {
    if shown >= 0 { write("\r\u{1B}[K") }
    shown = -1
  }

  private func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
  }
}

/// Returns a number of photos in words, as in `1 photo` or `13 photos`.
func photosText(_ count: Int) -> String { count == 1 ? "1 photo" : "\(count) photos" }
