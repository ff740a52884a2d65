import KioskServer
import PhotoLibrary
import Platform

/// The thumbnails of the page's grid, made on first use and kept in memory.
///
/// The thumbnails inside photos are made for camera displays, and are too small for a screen.
final class WebThumbnails: Sendable {
  private let cache = ThumbnailCache(limit: MemoryBudget.pageThumbnails)
  private let maker = SmallPictureMaker(side: 480, quality: 80)

  /// Returns the thumbnail of an item, or `nil` when none can be made.
  ///
  /// Blocks, and opens pictures one at a time.
  func find(_ item: BrowserItem, in browser: PhotoBrowser) throws(LibraryError) -> [UInt8]? {
    let key = ThumbnailCache.Key(item)
    if let known = cache.find(key) { return known.bytes }
    var made: [UInt8]?
    if item.kind == .image, item.bytes <= PhotoBrowser.maximumBytes {
      made = maker.make(try browser.original(of: item.id))
    }
    // A file that cannot be decoded may still contain a thumbnail.
    if made == nil { made = try browser.thumbnail(of: item.id) }
    cache.add(made, key)
    return made
  }
}

extension KioskPhoto {
  /// Creates the entry of a picture or movie; the size and the length come from the catalog.
  ///
  /// A movie without an entry in the catalog is opened for them, which may block on its disk.
  init(_ item: BrowserItem, _ catalog: Catalog?, _ browser: PhotoBrowser) {
    let entry = try? catalog?.entry(album: item.album, name: item.name)
    let isUnknown = item.kind == .movie && entry?.durationMilliseconds == nil
    let movie = isUnknown ? browser.movie(of: item.id) : nil
    self.init(
      id: item.id, album: item.album, name: item.name, width: entry?.width ?? movie?.width ?? 0,
      height: entry?.height ?? movie?.height ?? 0, bytes: item.bytes, taken: item.modified,
      isMovie: item.kind == .movie,
      duration: (entry?.durationMilliseconds ?? movie?.durationMilliseconds).map {
        .milliseconds($0)
      })
  }
}

extension KioskFile {
  convenience init(_ file: OpenPhoto, name: String) {
    let lower = name.lowercased()
    let type =
      lower.hasSuffix(".mov")
      ? "video/quicktime"
      : lower.hasSuffix(".mp4") || lower.hasSuffix(".m4v")
        ? "video/mp4" : lower.hasSuffix(".png") ? "image/png" : "image/jpeg"
    self.init(
      owning: file.number, size: file.bytes, tag: "\"\(file.bytes)-\(file.modified)\"", type: type,
      reader: Reader(file.worker, file.patience))
  }
}
