import CLinux
import Glibc
import Platform
import Synchronization

/// The pictures and movies of all albums for guests, newest first, a page at a time.
///
/// The browser keeps an index of some 50 bytes a picture in memory. When a caller asks and the
/// index is more than a second old, the browser updates it from the disks, reading only what
/// changed. Disks may appear and disappear. The browser writes to no disk and follows no link.
///
/// All calls may block on a disk, for at most the time that `DiskWorkers` waits for a silent disk.
/// Calls may come from any thread. While one caller reads, the others get the index as it is.
public final class PhotoBrowser: Sendable {
  /// Makes a small upright JPEG of a picture's bytes; returns nil if that fails.
  public typealias ThumbnailMaker = @Sendable ([UInt8]) -> [UInt8]?

  /// The largest picture that is read, in bytes.
  public static let maximumBytes = 64 << 20

  /// The maximum number of listed pictures, of all roots together; the library's own come first.
  ///
  /// No guest looks through more of them. Each takes some 100 bytes, twice while the list is read
  /// (`MemoryBudget.pictureIndex`).
  public static let mostPictures = 200_000
  /// The maximum number of movies whose headers are remembered.
  static let mostMovies = 4096

  /// The directories and albums to show.
  public let configuration: BrowserConfiguration
  let system: any SystemCalls
  let media: DiskWorkers
  let makeThumbnail: ThumbnailMaker
  private let hidden: @Sendable () -> Set<String>
  private let limit: Int
  let index: Mutex<Index>
  let thumbnails = ThumbnailCache()
  let movies = Mutex<[ThumbnailCache.Key: MovieFacts]>([:])
  // The lock is held while a disk is read, an exception to the rule for locks. Later callers that
  // find it taken do not wait for it.
  private let reading = Mutex(())
  let making = Mutex(())

  struct Index: Sendable {
    var roots: [PictureRoot]
    // Nil before the first reading, and after a change since.
    var readAt: MonotonicTime?
    var changes = 0
  }

  /// Creates a browser, which reads nothing before the first request.
  ///
  /// `media` has the threads that wait for disks. `hidden` returns the names in the station's album
  /// that are no photos. `makeThumbnail` is called for pictures without a thumbnail of their own,
  /// one at a time. At most `limit` pictures are listed.
  public init(
    configuration: BrowserConfiguration, system: any SystemCalls = LinuxSystemCalls(),
    media: DiskWorkers = DiskWorkers(),
    hidden: @escaping @Sendable () -> Set<String> = { [] },
    limit: Int = PhotoBrowser.mostPictures,
    makeThumbnail: @escaping ThumbnailMaker = { _ in nil }
  ) {
    self.configuration = configuration
    self.system = SteppedSystemCalls(system)
    self.media = media
    self.hidden = hidden
    self.limit = limit
    self.makeThumbnail = makeThumbnail
    index = Mutex(Index(roots: configuration.places.map { PictureRoot(path: $0) }))
  }

  // MARK: Looking

  /// Returns the pictures after `cursor`, newest first, of all albums or of one.
  ///
  /// - Parameters:
  ///   - cursor: The end of the page before; nil for the first page.
  ///   - limit: The maximum number of pictures, clamped to 1...500.
  ///   - album: An album's ``BrowserAlbum/id``; nil for all. An unknown album has no pictures.
  ///   - kinds: The wanted kinds; other files are skipped and not counted.
  /// - Returns: The page, which is empty after the last picture.
  public func page(
    before cursor: BrowserCursor? = nil, limit: Int = 50, album: String? = nil,
    kinds: Set<PhotoKind> = Set(PhotoKind.allCases)
  ) -> BrowserPage {
    refresh(olderThan: .seconds(1))
    let limit = max(1, min(500, limit))
    let roots = index.withLock { $0.roots }
    var runs: [PictureRun] = []
    var count = 0
    var unshown = UnshownFiles()
    for (number, root) in roots.enumerated() {
      for directory in root.directories.values
      where directory.count > 0 || !directory.unshown.isEmpty {
        let id = PictureAddress.albumID(root: number, album: directory.album)
        guard album.map({ $0.hasBytes(of: id) }) ?? true else { continue }
        for (kind, files) in directory.unshown where kinds.contains(kind) { unshown.add(files) }
        count += directory.count(of: kinds)
        for entries in [directory.numbered, directory.foreign] where !entries.isEmpty {
          var run = PictureRun(
            root: number, album: directory.album, entries: entries, kinds: kinds)
          if let cursor { run.skip(to: cursor.order) }
          if !run.isAtEnd { runs.append(run) }
        }
      }
    }
    var items: [BrowserItem] = []
    while items.count < limit, let next = runs.indices.min(by: { runs[$0].head < runs[$1].head }) {
      items.append(runs[next].item(below: roots[runs[next].root].path))
      runs[next].advance()
      if runs[next].isAtEnd { runs.remove(at: next) }
    }
    return BrowserPage(
      items: items, next: runs.isEmpty ? nil : items.last?.cursor, count: count, unshown: unshown)
  }

  /// Returns the albums that have pictures; the library's own come first.
  public func albums() -> [BrowserAlbum] {
    refresh(olderThan: .seconds(1))
    return index.withLock { $0.roots }.enumerated().flatMap { number, root in
      root.directories.values.filter { $0.count > 0 }.sorted {
        FileName($0.album) < FileName($1.album)
      }.map {
        BrowserAlbum(
          id: PictureAddress.albumID(root: number, album: $0.album),
          name: $0.album.isEmpty ? BrowserConfiguration.name(ofRoot: root.path) : $0.title,
          count: $0.count)
      }
    }
  }

  /// Returns the picture with a unique name, as last seen; nil if there is none.
  public func item(_ id: String) -> BrowserItem? {
    guard let address = PictureAddress(id) else { return nil }
    return index.withLock { index in
      guard address.root < index.roots.count,
        let directory = index.roots[address.root].directories[FileName(address.album)],
        let entry = directory.entry(address.name)
      else { return nil }
      let run = PictureRun(root: address.root, album: address.album, entries: [entry])
      return run.item(below: index.roots[address.root].path)
    }
  }

  /// Returns the item with a file's absolute path; nil if no listed item has it.
  public func item(atPath path: String) -> BrowserItem? {
    ids(atPath: path).lazy.compactMap { self.item($0) }.first
  }

  private func ids(atPath path: String) -> [String] {
    configuration.places.enumerated().compactMap { number, place in
      path.bytes(after: "\(place)/").map { number == 0 ? $0 : ".\(number)/\($0)" }
    }
  }

  /// Returns whether a file, given by its unique name or absolute path, is still being copied.
  ///
  /// The browser offers such a file once it is complete, or no longer grows.
  public func isGrowing(_ text: String) -> Bool {
    ([text] + ids(atPath: text)).compactMap { PictureAddress($0) }.contains { address in
      index.withLock { index in
        guard address.root < index.roots.count else { return false }
        let directory = index.roots[address.root].directories[FileName(address.album)]
        return directory?.watched[FileName(address.name)]?.isOffered == false
      }
    }
  }

  /// The number of files that are still being copied, as last seen.
  public var growing: Int {
    index.withLock { index in
      index.roots.reduce(0) { sum, root in
        sum
          + root.directories.values.reduce(0) { sum, directory in
            sum + directory.watched.values.count { !$0.isOffered }
          }
      }
    }
  }

  /// Blocks until none of the files is being copied any more, for at most `limit`.
  ///
  /// The directories are read again every half second.
  public func waitUntilWhole(_ texts: [String], limit: Duration = .seconds(12)) {
    let deadline = system.monotonicTime() + limit
    while texts.contains(where: isGrowing), system.monotonicTime() < deadline {
      usleep(500_000)
      refresh()
    }
  }

  /// The problems of the disks of pictures that did not answer at the last reading.
  public var silentDisks: [LibraryError] {
    index.withLock { $0.roots.compactMap(\.problem).filter { $0.code == .silent } }
  }

  /// Returns why no root, or not the station's own album, can be shown; nil if one can.
  ///
  /// The call opens the directories themselves and does not update the index, so that it costs
  /// little.
  public func problem(ofStationAlbum isOwn: Bool = false) -> LibraryError? {
    let album = configuration.album
    if isOwn {
      guard configuration.allows(album, ofRoot: 0) else {
        return LibraryError(
          .notFound,
          "the album \(album) is not among those that may be shown",
          fix: "add it to 'library.albums'")
      }
      return problem(at: "\(configuration.root)/\(album)")
    }
    let problems = configuration.places.map { problem(at: $0) }
    guard !problems.contains(nil) else { return nil }
    // A silent disk is the likelier cause: the library's own directory may not have been made yet.
    return problems.first { $0?.code == .silent } ?? problems.first ?? nil
  }

  private func problem(at path: String) -> LibraryError? {
    let result: Int32
    do throws(MediumSilence) {
      result = try media.worker(Purpose.looks, for: path).run(media.reading) { [system] _ in
        let fd = system.retrying { $0.open(path, clinux_o_directory, 0) }
        if fd >= 0 { _ = system.close(fd) }
        return fd
      }
    } catch {
      return LibraryError(error)
    }
    guard result < 0 else { return nil }
    return LibraryError(reading: SystemError(errno: 0 - result, call: "open", path: path), at: path)
  }

  /// The purposes of the threads that wait for disks.
  enum Purpose {
    static let looks = "looks"
    static let files = "files"
    static let pictures = "pictures"
  }

  /// Updates the index if its last reading is at least `age` old.
  ///
  /// The call waits for another caller's reading only if there was none before.
  public func refresh(olderThan age: Duration = .zero) {
    let readAt = index.withLock { $0.readAt }
    if let readAt, system.monotonicTime() - readAt < age { return }
    guard readAt != nil else { return reading.withLock { _ in readOnce(after: nil) } }
    _ = reading.withLockIfAvailable { _ in readOnce(after: readAt) }
  }

  /// Makes the next request read the disks again, after a change by the station.
  public func noteChange() {
    index.withLock { index in
      index.readAt = nil
      index.changes &+= 1
    }
  }

  private func readOnce(after date: MonotonicTime?) {
    let before = index.withLock { $0 }
    // Another thread updated the index while this one waited.
    guard before.readAt == date else { return }
    var roots = before.roots
    var seen: Set<[UInt]> = []
    var room = limit
    for number in roots.indices {
      let (known, others, left) = (roots[number], seen, room)
      do throws(MediumSilence) {
        let worker = media.worker(Purpose.looks, for: known.path)
        (roots[number], seen, room) = try worker.run(media.reading) {
          [configuration, system, hidden] _ in
          // `hidden` is called here, too, because the library's disk may be the one that hangs.
          var walk = PictureRoot.Walk(
            index: number, configuration: configuration, hidden: number == 0 ? hidden() : [],
            system: system, seen: others, room: left)
          var root = known
          root.read(&walk)
          return (root, walk.seen, walk.room)
        }
      } catch {
        // The known pictures stay listed; opening one of them throws.
        roots[number].problem = LibraryError(error)
        room -= min(room, known.directories.values.reduce(0) { $0 + $1.count })
      }
    }
    let omitted = PhotoBrowser.omitted(in: roots)
    if omitted > 0, omitted != PhotoBrowser.omitted(in: before.roots) {
      Log("library").warning(
        "the first \(limit) pictures are shown, \(omitted) are not: put fewer of them below "
          + "'library.path' and 'library.roots'")
    }
    index.withLock { index in
      // A change during the reading may have been missed.
      let readAt = index.changes == before.changes ? system.monotonicTime() : nil
      (index.roots, index.readAt) = (roots, readAt)
    }
  }

  /// The number of pictures that exceed the limit and are not listed, as last seen.
  public var omitted: Int { PhotoBrowser.omitted(in: index.withLock { $0.roots }) }

  private static func omitted(in roots: [PictureRoot]) -> Int {
    roots.reduce(0) { $0 + $1.directories.values.reduce(0) { $0 + $1.omitted } }
  }
}
