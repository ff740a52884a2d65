import Imaging
import KioskServer
import PhotoLibrary
import Platform
import Synchronization

/// The small pictures of the page's grid, made when they are first asked for and kept in memory.
///
/// Those inside of photos are for cameras' displays, and too small for a screen. Nothing is kept on
/// the disk: a stick's pictures must not stay behind, nor those that were deleted.
final class WebThumbnails: Sendable {
  private static let size = PixelSize(width: 480, height: 480)
  private static let limit = 32 << 20

  private struct Entry: Sendable {
    var bytes: [UInt8]
    var modified: Int64
    var used: Int
  }

  private struct State: Sendable {
    var entries: [String: Entry] = [:]
    var count = 0
    var uses = 0
  }

  private let state = Mutex(State())
  private let opener = Mutex(PictureOpener())

  /// The small picture of an item; nil where none can be made.
  ///
  /// It blocks, and opens pictures one at a time.
  func find(_ item: BrowserItem, in browser: PhotoBrowser) throws(LibraryError) -> [UInt8]? {
    let known = state.withLock { state -> [UInt8]? in
      guard let entry = state.entries[item.id], entry.modified == item.modified else { return nil }
      state.uses += 1
      state.entries[item.id]?.used = state.uses
      return entry.bytes
    }
    if let known { return known }
    guard item.kind == .image, item.bytes <= PhotoBrowser.maximumBytes else {
      return try browser.thumbnail(of: item.id)
    }
    let picture = try browser.original(of: item.id)
    let made = opener.withLock { opener -> [UInt8]? in
      try? picture.withBytes { (bytes) throws(StillError) in
        try opener.open(bytes, fitting: Self.size, quality: 80).bytes()
      }
    }
    guard let made else { return try browser.thumbnail(of: item.id) }
    keep(made, item)
    return made
  }

  private func keep(_ bytes: [UInt8], _ item: BrowserItem) {
    state.withLock { state in
      state.uses += 1
      let old = state.entries[item.id]?.bytes.count ?? 0
      state.entries[item.id] = Entry(bytes: bytes, modified: item.modified, used: state.uses)
      state.count += bytes.count - old
      guard state.count > Self.limit else { return }
      // A quarter at once, so that this is rare.
      for (id, entry) in state.entries.sorted(by: { $0.value.used < $1.value.used }) {
        guard state.count > Self.limit * 3 / 4 else { break }
        state.entries[id] = nil
        state.count -= entry.bytes.count
      }
    }
  }
}

extension KioskPhoto {
  /// What is known of a picture or movie; its size and length only where the catalog knows it.
  ///
  /// A movie that it does not know is asked itself, which may block on its disk.
  init(_ item: BrowserItem, _ catalog: Catalog?, _ browser: PhotoBrowser) {
    let entry = try? catalog?.entry(album: item.album, name: item.name)
    let movie = entry?.durationMilliseconds == nil ? browser.movie(of: item.id) : nil
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
      : lower.hasSuffix(".mp4") || lower.hasSuffix(".m4v") ? "video/mp4" : "image/jpeg"
    self.init(
      owning: file.number, size: file.bytes, tag: "\"\(file.bytes)-\(file.modified)\"", type: type)
  }
}
