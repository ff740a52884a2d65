import KioskServer
import PhotoLibrary
import Platform
import Synchronization

/// The library's photos as the page asks for them.
final class WebPhotos: Sendable {
  /// How many photos there are, which takes long to count.
  private struct Count: Sendable {
    var value: Int
    var at: MonotonicTime
  }
  private let counts = Mutex<[String: Count]>([:])
  private let system: any SystemCalls

  init(system: any SystemCalls = LinuxSystemCalls()) { self.system = system }

  /// A photo's name among all: `ALBUM/NAME`.
  struct Name {
    var album: String
    var file: String

    init?(_ id: String) {
      let parts = id.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, LibraryConfiguration.isAlbumName(parts[0]), !parts[1].isEmpty,
        !parts[1].hasPrefix(".")
      else { return nil }
      album = parts[0]
      file = parts[1]
    }
  }

  /// Where a page ended.
  enum Cursor {
    case start
    case entry(Int64)
    case name(String)

    init?(_ text: String?) {
      guard let text else {
        self = .start
        return
      }
      if text.hasPrefix("~") {
        self = .name(String(text.dropFirst()))
      } else if let id = Int64(text), id >= 0 {
        self = .entry(id)
      } else {
        return nil
      }
    }
  }

  /// A page of the catalog, and where the next one begins.
  func page(
    of catalog: Catalog, before cursor: Cursor, limit: Int, album: String?
  ) throws(LibraryError) -> KioskPhotoPage {
    var entries: [CatalogEntry]
    if let album {
      var last: CatalogEntry?
      if case .name(let name) = cursor { last = try catalog.entry(album: album, name: name) }
      entries = try catalog.page(album: album, after: last, limit: limit + 1)
    } else {
      var id: Int64?
      if case .entry(let place) = cursor { id = place }
      entries = try catalog.page(before: id, limit: limit + 1)
    }
    let hasMore = entries.count > limit
    if hasMore { entries.removeLast() }
    let next = entries.last.map { album == nil ? "\($0.id)" : "~\($0.photo.name)" }
    return KioskPhotoPage(
      photos: entries.map(KioskPhoto.init), next: hasMore ? next : nil,
      total: try count(catalog, album))
  }

  /// Has the photos counted again.
  func forgetCounts() { counts.withLock { $0 = [:] } }

  private func count(_ catalog: Catalog, _ album: String?) throws(LibraryError) -> Int {
    let key = album ?? ""
    let now = system.monotonicTime()
    if let known = counts.withLock({ $0[key] }), now - known.at < .seconds(1) {
      return known.value
    }
    let value = try catalog.count(album: album)
    counts.withLock { counts in
      if counts.count > 100 { counts = [:] }
      counts[key] = Count(value: value, at: now)
    }
    return value
  }
}

extension KioskPhoto {
  init(_ entry: CatalogEntry) {
    self.init(
      id: "\(entry.photo.album)/\(entry.photo.name)", album: entry.photo.album,
      name: entry.photo.name, width: entry.width, height: entry.height,
      bytes: entry.photo.bytes, taken: entry.modified)
  }
}

extension KioskFile {
  convenience init(_ file: OpenPhoto, name: String) {
    let isMovie = name.lowercased().hasSuffix(".mp4")
    self.init(
      owning: file.number, size: file.bytes, tag: "\"\(file.bytes)-\(file.modified)\"",
      type: isMovie ? "video/mp4" : "image/jpeg")
  }
}
