import Glibc
import Platform
import Synchronization

/// Follows a library: its catalog, its journal, its copies, and what is to be deleted in time.
///
/// Nothing here is waited for by whoever saves a photo. The catalog and the journal have a thread,
/// and copies have one of their own, since a stick may be slower than anything. What is not done
/// when the power goes is done after the next start: the files are the truth, and what was not
/// copied is known from them.
public final class LibraryKeeper: Sendable {
  /// The catalog of the library.
  public let catalog: Catalog
  /// One run of the station, in the journal.
  public let run: String
  let configuration: LibraryConfiguration
  let keeping: LibraryKeeping
  let system: any SystemCalls
  let log = Log("library")
  let media: DiskWorkers
  let clock: @Sendable () -> ClockReading
  /// What the clocks said when; one thread at a time writes it, which is the keeper's.
  let clocks: Mutex<ClockLog>
  private let loop: EventLoop
  private let copier: Copier
  /// How long ``stop()`` waits for what is queued; the disk of the library may hang.
  static let stopPatience = Duration.seconds(4)

  struct State: Sendable {
    var journalFailed = false
    var isReading = false
    var replacements = 0
    /// The uptime at which the library is looked at again.
    ///
    /// Unit: seconds.
    var nextLook: Int64?
    /// When the machine was started, by the date that was certain at the last look.
    var start: Int64?
    /// The first uptime that was read.
    ///
    /// Unit: seconds.
    var begin: Int64?
    var hasToldOfClock = false
    var hasToldOfWaiting = false
    /// What the catalog's count was when it was last listed anew.
    var listed = 0
  }
  let state = Mutex(State())
  /// Whether it ends: nothing long is begun any more.
  let isStopping = Atomic(false)

  /// Opens the catalog and starts to make it right.
  ///
  /// Use the library's configuration as it was opened; whoever makes a keeper has the library's
  /// lock. `media` has the threads that wait for the disks of copies. A test gives a `clock` of its
  /// own.
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

  /// Finishes what is queued, except copies, for which it does not wait.
  ///
  /// It blocks, but no longer than some seconds: a thread that hangs in the library's disk is left to
  /// itself.
  public func stop() {
    copier.stop()
    isStopping.store(true, ordering: .relaxed)
    if !loop.stop(within: LibraryKeeper.stopPatience) {
      log.error("the catalog's thread hangs, and is not waited for")
    }
  }

  /// Calls `answer` once the keeper's thread gets to it: a sign that it lives.
  public func ping(_ answer: @escaping @Sendable () -> Void) { loop.submit(answer) }

  // MARK: What happened

  /// A photo was saved.
  public func saved(_ photo: Photo, checksum: Checksum?) {
    loop.submit { [weak self] in
      guard let self else { return }
      date(photo)
      attempt { try self.catalog.add(photo, checksum: checksum) }
      synchronizeIfDamaged()
      copier.look()
    }
  }

  /// A line for the journal.
  public func record(_ record: SessionRecord) {
    loop.submit { [weak self] in self?.write(record) }
  }

  /// Whether a guest is using the station: copies wait meanwhile.
  public func session(isActive: Bool) { copier.pause(isActive) }

  /// Looks for directories that came back, and for photos that are old enough; call it every few
  /// seconds.
  public func look() {
    copier.look()
    loop.submit { [weak self] in
      guard let self else { return }
      synchronizeIfDamaged()
      watch()
    }
  }

  /// How the copies stand.
  public var copies: [CopyState] { copier.states }

  /// Waits until everything that was queued is done; for tests and the command line.
  public func settle() async {
    await loop.run {}
    await copier.settle()
  }

  // MARK: - On the keeper's thread

  private func synchronize() {
    // Again, if a try finds damage inside and the catalog is made anew.
    for _ in 0..<3 {
      let before = catalog.replacements
      attempt {
        try self.catalog.inspect()
        for album in try PhotoLibrary.albums(root: self.configuration.root, system: self.system) {
          // One that cannot be read must not keep the others away.
          self.attempt { try self.synchronize(album) }
        }
      }
      state.withLock { $0.listed = before }
      if catalog.replacements == before { break }
    }
    readNext()
    copier.look()
  }

  // Damage shows when it is met, by any thread; what was in the old catalog is read again.
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

  // One file at a time, and not one after the other: nobody waits for it.
  private func readNext() {
    guard let entry = (try? catalog.unread()) ?? nil else { return }
    attempt {
      if let checksum = try self.catalog.checksum(of: entry.photo) {
        try self.catalog.note(checksum, for: entry.id)
      } else {
        try self.catalog.remove(album: entry.photo.album, name: entry.photo.name)
      }
    }
    // One that cannot be read would be found again and again.
    guard let next = (try? catalog.unread()) ?? nil, next.id != entry.id else { return }
    loop.schedule(at: LinuxSystemCalls().monotonicTime() + .milliseconds(50)) { [weak self] in
      self?.readNext()
    }
  }

  private func write(_ record: SessionRecord) {
    do throws(LibraryError) {
      // The line would go to the disk below.
      try AlbumFolders.checkMount(configuration)
      // Opened for each line: the directory may come and go, and lines are rare.
      try SessionJournal.open(root: configuration.root, system).append(record)
      state.withLock { $0.journalFailed = false }
    } catch {
      let isNew = state.withLock { state in
        defer { state.journalFailed = true }
        return !state.journalFailed
      }
      if isNew { log.error("the journal of sessions cannot be written: \(error)") }
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
