import CLinux
import Glibc
import Platform
import Synchronization

/// What guests look through: the pictures and movies of all albums, newest first, a page at a time.
///
/// It keeps an index in memory, of some 50 bytes a picture, and makes it say what the disks say
/// whenever it is asked and the index is more than a second old; only what changed is read. Disks
/// may come and go. Nothing here writes to a disk, and nothing follows a link.
///
/// All calls may block on a disk, but none for longer than `DiskWorkers` lets a call to a silent disk
/// wait; they may come from any thread. While one of them reads, the others get what is known.
public final class PhotoBrowser: Sendable {
  /// Makes a small upright JPEG of a picture's bytes; nil where that cannot be done.
  public typealias ThumbnailMaker = @Sendable ([UInt8]) -> [UInt8]?

  /// The largest picture that is read, in bytes.
  public static let maximumBytes = 64 << 20

  /// How many pictures are listed, of all roots together; the library's own come first.
  ///
  /// Nobody looks through more of them, and each takes some 100 bytes, twice while the list is read
  /// (``MemoryBudget/pictureIndex``).
  public static let mostPictures = 200_000
  /// How many movies' heads are remembered.
  static let mostMovies = 4096

  /// What it shows.
  public let configuration: BrowserConfiguration
  let system: any SystemCalls
  let media: DiskWorkers
  let makeThumbnail: ThumbnailMaker
  private let hidden: @Sendable () -> Set<String>
  private let limit: Int
  let index: Mutex<Index>
  let thumbnails = ThumbnailCache()
  let movies = Mutex<[ThumbnailCache.Key: MovieFacts]>([:])
  // Held while a disk is read, against the rule for locks: those who find it taken go on without.
  private let reading = Mutex(())
  let making = Mutex(())

  struct Index: Sendable {
    var roots: [PictureRoot]
    // nil: never, or something changed since.
    var readAt: MonotonicTime?
    var changes = 0
  }

  /// Makes a browser; nothing is read before it is asked.
  ///
  /// `media` has the threads that wait for disks. `hidden` are names in the station's album that are
  /// no photos; `makeThumbnail` is asked for pictures that have no thumbnail of their own, one at a
  /// time. No more than `limit` pictures are listed.
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

  /// The pictures after `cursor`, newest first; of all albums, or of one.
  ///
  /// - Parameters:
  ///   - cursor: Where the page before ended; nil: the first page.
  ///   - limit: How many at most, 1...500; other numbers are brought there.
  ///   - album: An album's ``BrowserAlbum/id``; nil: all. One that is not there has no pictures.
  ///   - kinds: What is wanted; the rest is passed over and not counted.
  /// - Returns: The page; empty where nothing is left.
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

  /// The albums that have pictures; the station's own come first.
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

  /// The picture of that name, as last seen; nil if there is none.
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

  /// The item with a file's absolute path; nil if it is none of those shown.
  public func item(atPath path: String) -> BrowserItem? {
    ids(atPath: path).lazy.compactMap { self.item($0) }.first
  }

  private func ids(atPath path: String) -> [String] {
    configuration.places.enumerated().compactMap { number, place in
      path.bytes(after: "\(place)/").map { number == 0 ? $0 : ".\(number)/\($0)" }
    }
  }

  /// Whether the file of that name, or with that absolute path, is being copied: it is offered once
  /// it is whole, or no longer grows.
  public func isGrowing(_ text: String) -> Bool {
    ([text] + ids(atPath: text)).compactMap { PictureAddress($0) }.contains { address in
      index.withLock { index in
        guard address.root < index.roots.count else { return false }
        let directory = index.roots[address.root].directories[FileName(address.album)]
        return directory?.watched[FileName(address.name)]?.isOffered == false
      }
    }
  }

  /// Why nothing can be shown: of all roots, or of the station's own album; nil: something can.
  ///
  /// Looks at the directories themselves, which costs little: the index is not brought up to date.
  public func problem(ofStationAlbum isOwn: Bool = false) -> LibraryError? {
    let album = configuration.album
    if isOwn {
      guard configuration.allows(album, ofRoot: 0) else {
        return LibraryError(
          .notFound,
          "the album \(album) is not among those that may be shown; add it to 'library.albums'")
      }
      return problem(at: "\(configuration.root)/\(album)")
    }
    let problems = configuration.places.map { problem(at: $0) }
    guard !problems.contains(nil) else { return nil }
    // A disk that hangs is what keeps the pictures away; the library may not have been made yet.
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

  /// What the threads that wait for disks are for.
  enum Purpose {
    static let looks = "looks"
    static let files = "files"
    static let pictures = "pictures"
  }

  /// Makes the index right where it was not read for that long; another one's reading is not waited
  /// for.
  public func refresh(olderThan age: Duration = .zero) {
    let readAt = index.withLock { $0.readAt }
    if let readAt, system.monotonicTime() - readAt < age { return }
    guard readAt != nil else { return reading.withLock { _ in readOnce(after: nil) } }
    _ = reading.withLockIfAvailable { _ in readOnce(after: readAt) }
  }

  /// Has whoever looks next see the disks as they are; for who changed something there.
  public func noteChange() {
    index.withLock { index in
      index.readAt = nil
      index.changes &+= 1
    }
  }

  private func readOnce(after date: MonotonicTime?) {
    let before = index.withLock { $0 }
    // Somebody else did it while this one waited.
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
          // The station's own names are asked for here, too: its disk may be the one that hangs.
          var walk = PictureRoot.Walk(
            index: number, configuration: configuration, hidden: number == 0 ? hidden() : [],
            system: system, seen: others, room: left)
          var root = known
          root.read(&walk)
          return (root, walk.seen, walk.room)
        }
      } catch {
        // What was known of it stays; a picture that is asked for says that it cannot be had.
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
      // What changed meanwhile may have been missed.
      let readAt = index.changes == before.changes ? system.monotonicTime() : nil
      (index.roots, index.readAt) = (roots, readAt)
    }
  }

  /// How many pictures are there and not listed, since there are too many, as last seen.
  public var omitted: Int { PhotoBrowser.omitted(in: index.withLock { $0.roots }) }

  private static func omitted(in roots: [PictureRoot]) -> Int {
    roots.reduce(0) { $0 + $1.directories.values.reduce(0) { $0 + $1.omitted } }
  }
}
