import Glibc
import Platform
import Synchronization

/// Maintains a library: its catalog, its journal, its copies and its retention.
///
/// A caller that saves a photo waits for none of this. The catalog and the journal have a thread,
/// and copies have threads of their own, since a stick may be slow. Work that a power cut
/// interrupts is done after the next start. The files are the truth, and missing copies are
/// determined from them.
public final class LibraryKeeper: Sendable {
  /// The catalog of the library.
  public let catalog: Catalog
  /// The name of the station's run, in the journal.
  public let run: String
  let configuration: LibraryConfiguration
  let keeping: LibraryKeeping
  let system: any SystemCalls
  let log = Log("library")
  let media: DiskWorkers
  let clock: @Sendable () -> ClockReading
  /// The log of the clocks, written by the keeper's thread only.
  let clocks: Mutex<ClockLog>
  private let loop: EventLoop
  private let copier: Copier
  /// The time that ``stop()`` waits for queued work, because the library's disk may hang.
  static let stopPatience = Duration.seconds(4)

  struct State: Sendable {
    var journalFailed = false
    var isReading = false
    var replacements = 0
    /// The uptime of the next look at the library.
    ///
    /// Unit: seconds.
    var nextLook: Int64?
    /// The date of the machine's start, by the date that was certain at the last look.
    ///
    /// Unit: seconds since 1970.
    var start: Int64?
    /// The first uptime that was read.
    ///
    /// Unit: seconds.
    var begin: Int64?
    var hasToldOfClock = false
    var hasToldOfWaiting = false
    /// The catalog's count of replacements when its albums were last listed.
    var listed = 0
  }
  let state = Mutex(State())
  /// Whether the keeper stops and starts nothing long any more.
  let isStopping = Atomic(false)

  /// Opens the catalog and starts to synchronize it.
  ///
  /// `configuration` must be that of the open library, whose lock the caller holds. `media` has the
  /// threads that wait for the disks of copies. A test passes a `clock` of its own. Blocks on the
  /// library's disk.
  public init(
    configuration: LibraryConfiguration, keeping: LibraryKeeping = LibraryKeeping(),
    media: DiskWorkers = DiskWorkers(), system: any SystemCalls = LinuxSystemCalls(),
    clock: @escaping @Sendable () -> ClockReading = ClockReading.now
  ) throws(LibraryError) {
    self.configuration = configuration
    self.keeping = keeping
    self.media = media
    self.system = system
    self.clock = clock
    clocks = Mutex(ClockLog(root: configuration.root, system))
    let catalog = try Catalog(root: configuration.root, system: system)
    self.catalog = catalog
    run = LibraryKeeper.randomName()
    do throws(SystemError) {
      loop = try EventLoop("keeper", system: LinuxSystemCalls())
      copier = Copier(catalog: catalog, targets: keeping.copies, media: media, system: system)
    } catch {
      throw LibraryError(.failing, "a thread cannot be started: \(error)", cause: error)
    }
    loop.submit { [weak self] in self?.synchronize() }
  }

  /// Finishes queued work, except copies, for which it does not wait.
  ///
  /// Blocks for a few seconds at most; a thread that hangs in the library's disk is abandoned.
  public func stop() {
    copier.stop()
    isStopping.store(true, ordering: .relaxed)
    if !loop.stop(within: LibraryKeeper.stopPatience) {
      log.error("the catalog's thread hangs, and is not waited for")
    }
  }

  /// Calls `answer` on the keeper's thread when it gets to it, which shows that the thread is
  /// alive.
  public func ping(_ answer: @escaping @Sendable () -> Void) { loop.submit(answer) }

  // MARK: What happened

  /// Records a saved photo; never blocks.
  public func saved(_ photo: Photo, checksum: Checksum?) {
    loop.submit { [weak self] in
      guard let self else { return }
      date(photo)
      attempt { try self.catalog.add(photo, checksum: checksum) }
      synchronizeIfDamaged()
      copier.look()
    }
  }

  /// Writes a line to the journal; never blocks.
  public func record(_ record: SessionRecord) {
    loop.submit { [weak self] in self?.write(record) }
  }

  /// Pauses copies while a guest uses the station.
  public func session(isActive: Bool) { copier.pause(isActive) }

  /// Looks for targets that returned, and for photos that are too old.
  ///
  /// Call it every few seconds; it never blocks.
  public func look() {
    copier.look()
    loop.submit { [weak self] in
      guard let self else { return }
      synchronizeIfDamaged()
      watch()
    }
  }

  /// The states of the copies.
  public var copies: [CopyState] { copier.states }

  /// Waits until all queued work is done; for tests and the command line.
  public func settle() async {
    await loop.run {}
    await copier.settle()
  }

  // MARK: - On the keeper's thread

  private func synchronize() {
    // The loop repeats when a pass finds damage and the catalog is replaced.
    for _ in 0..<3 {
      let before = catalog.replacements
      attempt {
        try self.catalog.inspect()
        for album in try PhotoLibrary.albums(root: self.configuration.root, system: self.system) {
          // An album that cannot be read does not stop the others.
          self.attempt { try self.synchronize(album) }
        }
      }
      state.withLock { $0.listed = before }
      if catalog.replacements == before { break }
    }
    readNext()
    copier.look()
  }

  // Any thread may find damage and replace the catalog; its albums are then listed again.
  private func synchronizeIfDamaged() {
    let count = catalog.replacements
    if state.withLock({ $0.listed != count }) { synchronize() }
  }

  private func synchronize(_ album: String) throws(LibraryError) {
    let changes = try catalog.synchronize(album: album)
    guard changes.added + changes.removed > 0 else { return }
    log.info(
      "the catalog caught up",
      [("album", album), ("new", "\(changes.added)"), ("gone", "\(changes.removed)")])
  }

  // Reads one file at a time with pauses, because no caller waits for it.
  private func readNext() {
    guard let entry = (try? catalog.unread()) ?? nil else { return }
    attempt {
      if let checksum = try self.catalog.checksum(of: entry.photo) {
        try self.catalog.note(checksum, for: entry.id)
      } else {
        try self.catalog.remove(album: entry.photo.album, name: entry.photo.name)
      }
    }
    // A file that cannot be read would be returned again and again.
    guard let next = (try? catalog.unread()) ?? nil, next.id != entry.id else { return }
    loop.schedule(at: LinuxSystemCalls().monotonicTime() + .milliseconds(50)) { [weak self] in
      self?.readNext()
    }
  }

  private func write(_ record: SessionRecord) {
    do throws(LibraryError) {
      // Without the mount, the line would go to the disk below.
      try AlbumFolders.checkMount(configuration)
      // The file is opened for each line, because the directory may come and go and lines are rare.
      try SessionJournal.open(root: configuration.root, system).append(record)
      state.withLock { $0.journalFailed = false }
    } catch {
      let isNew = state.withLock { state in
        defer { state.journalFailed = true }
        return !state.journalFailed
      }
      if isNew { log.error("the journal of sessions cannot be written: \(error.operatorMessage)") }
    }
  }

  func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      log.error("the catalog lags behind: \(error)")
    }
  }

  private static func randomName() -> String {
    var generator = SystemRandomNumberGenerator()
    let value = UInt32.random(in: .min ... .max, using: &generator)
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
