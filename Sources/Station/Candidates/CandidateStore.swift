import Capture
import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import Synchronization

/// The store of a running station, whose state lives on its saver's thread.
actor CandidateStore: CandidateStoring, LoopActor {
  struct Prepared: Sendable {
    var report: PhotoReport
    var file: Result<Candidate, LibraryError>
    var still: Still
    var metadata: StillMetadata
    /// Which of the frames that are offered it is made of; nil: the nearest.
    var frame: Int?
  }

  /// The still that is shown in a review.
  struct Shown: Sendable {
    var still: Still
    /// Which of the frames that are offered it is made of; nil: the nearest.
    var frame: Int?
  }

  /// What the station's loop wants by now, which jobs under way look at.
  private struct Wanted {
    /// Which frame was asked for last.
    var frames: [CandidateID: Int] = [:]
    /// What is being collected; another one, or none, once nobody waits for it any more.
    var collecting: CandidateID?
    /// Discarded while they may still be in the making.
    var discarded: Set<CandidateID> = []
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  // Another thread: reading many pictures must not hold up photos.
  private nonisolated let reader: EventLoop
  private nonisolated let system: any SystemCalls
  /// The frames around the photos that nobody has decided about.
  nonisolated let shelf: FrameShelf
  private nonisolated let wanted = Mutex(Wanted())
  /// What guests decide about, for the page; gone as soon as they have.
  private nonisolated let shown = Mutex<[CandidateID: Shown]>([:])
  nonisolated let log = Log("station")

  let maker = StillWorker()
  /// The photo that an accept saves.
  var prepared: [CandidateID: Prepared] = [:]
  /// The nearest frame's, while another one is chosen.
  var nearest: [CandidateID: Prepared] = [:]
  var movies = PreparedMovies()

  /// Makes a store that works on `saver`, and reads a library's pictures on `reader`.
  init(saver: EventLoop, reader: EventLoop, system: any SystemCalls) throws(SystemError) {
    shelf = try FrameShelf(system: system)
    loop = saver
    self.reader = reader
    self.system = system
  }

  /// Lets everything go; candidates that nobody accepted are gone.
  ///
  /// What lies on the saver's thread goes with the jobs that are queued there.
  nonisolated func close() {
    shelf.close(within: .seconds(1))
    shown.withLock { $0 = [:] }
  }

  /// Lets go what nobody has accepted, after the jobs that are queued.
  nonisolated func dropAll() {
    perform { store in
      (store.prepared, store.nearest, store.movies) = ([:], [:], PreparedMovies())
    }
  }

  /// The still of a candidate that nobody has decided about, or that is being saved, and which of
  /// the frames that are offered it is; nil where none are.
  nonisolated func still(of candidate: CandidateID) -> Shown? {
    guard var shown = shown.withLock({ $0[candidate] }) else { return nil }
    shown.frame = shown.frame ?? shelf.offer(for: candidate)?.frames.nearest
    return shown
  }

  // MARK: Jobs

  nonisolated func make(
    _ exposure: Exposure, in studio: Studio, offer: @escaping @Sendable (ReviewFrames) -> Void,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) {
    collectFrames(exposure, studio)
    perform { store in
      do throws(PickerReason) {
        let made = try store.still(of: exposure, studio)
        if !store.isDiscarded(exposure.candidate) {
          store.show(Shown(still: made.choice.still), of: exposure.candidate)
        }
        // The guest sees it now; writing and syncing is done while they decide.
        answer(.success(()))
        store.offerFrames(exposure, made, offer)
        store.prepare(made, exposure, studio)
      } catch {
        store.shelf.forget(exposure.candidate)
        answer(.failure(error))
      }
      // Whoever was discarded before this point was dropped by `prepare`, or never existed.
      store.wanted.withLock { _ = $0.discarded.remove(exposure.candidate) }
    }
  }

  nonisolated func save(
    _ candidate: CandidateID, edit: PickerEdit?, frame: Int?, in studio: Studio,
    answer: @escaping @Sendable (Result<Picked, PickerReason>) -> Void
  ) {
    perform { store in
      defer { store.forgetStill(of: candidate) }
      let prepared = store.prepared.removeValue(forKey: candidate)
      store.dropNearest(candidate, studio.library)
      if let movie = store.movies.take(candidate), let library = studio.library {
        return store.save(movie, library, studio, answer)
      }
      guard let prepared, let library = studio.library else {
        return answer(.failure(PickerReason(.saveFailed)))
      }
      guard store.isSame(frame, prepared, candidate) else {
        if case .success(let file) = prepared.file { library.discard(file) }
        return answer(.failure(PickerReason(.frameUnavailable)))
      }
      store.save(prepared, edit, library, studio, answer)
    }
  }

  nonisolated func collect(
    _ candidate: CandidateID, _ choices: [PickerChoice], allowsMovies: Bool, in studio: Studio,
    answer: @escaping @Sendable (Result<[PickedMedia], PickerReason>) -> Void
  ) {
    wanted.withLock { $0.collecting = candidate }
    guard let browser = studio.browser else {
      return answer(.failure(PickerReason(.libraryUnavailable)))
    }
    reader.submit { [self] in
      do throws(PickerReason) {
        var collector = PhotoCollector(allowsMovies: allowsMovies)
        let media = try collector.collect(choices, from: browser) {
          wanted.withLock { $0.collecting == candidate }
        }
        answer(.success(media))
      } catch {
        answer(.failure(error))
      }
    }
  }

  nonisolated func discard(_ candidate: CandidateID, in studio: Studio) {
    shelf.forget(candidate)
    wanted.withLock { wanted in
      if wanted.collecting == candidate { wanted.collecting = nil }
      wanted.discarded.insert(candidate)
    }
    perform { store in
      store.forgetStill(of: candidate)
      // Dropping the last reference closes the unnamed file, and it is gone.
      let dropped = store.prepared.removeValue(forKey: candidate)
      store.wanted.withLock { _ = $0.discarded.remove(candidate) }
      if case .success(let file) = dropped?.file { studio.library?.discard(file) }
      store.dropNearest(candidate, studio.library)
      store.movies.drop(candidate, studio.library)
    }
  }

  // MARK: What is wanted

  nonisolated func isDiscarded(_ candidate: CandidateID) -> Bool {
    wanted.withLock { $0.discarded.contains(candidate) }
  }

  /// Asks for a frame; of several the last one counts.
  nonisolated func wish(_ frame: Int, _ candidate: CandidateID) {
    wanted.withLock { $0.frames[candidate] = frame }
  }

  nonisolated func isWished(_ frame: Int, _ candidate: CandidateID) -> Bool {
    wanted.withLock { !$0.discarded.contains(candidate) && $0.frames[candidate] == frame }
  }

  // MARK: On the saver's thread

  func show(_ still: Shown, of candidate: CandidateID) {
    shown.withLock { $0[candidate] = still }
  }

  private func forgetStill(of candidate: CandidateID) {
    shelf.forget(candidate)
    wanted.withLock { _ = $0.frames.removeValue(forKey: candidate) }
    // Freed after the lock: it may be the last use of a megabyte.
    let still = shown.withLock { $0.removeValue(forKey: candidate) }
    withExtendedLifetime(still) {}
  }

  private func save(
    _ prepared: Prepared, _ edit: PickerEdit?, _ library: PhotoLibrary, _ studio: Studio,
    _ answer: (Result<Picked, PickerReason>) -> Void
  ) {
    do throws(LibraryError) {
      let file = try prepared.file.get()
      var report = prepared.report
      let size = prepared.still.size
      // A box that cannot be cut out does not cost the photo.
      let (change, refusal) = PictureEdit.held(edit, in: size.width, size.height)
      // Before the photo has its name: if there is no room for both, there is neither.
      let edited = try edited(prepared, change, library)
      let photo = try library.commit(file)
      report.path = photo.path
      var saved = [(photo, file.checksum)]
      if let edited {
        let made = try library.commit(edited.file)
        report.edited = edited.report(at: made.path)
        saved.append((made, edited.file.checksum))
      }
      // First, so that a caller who hears that a photo is saved finds it in the list.
      studio.browser?.noteChange()
      if let refusal {
        answer(.failure(PickerReason(edit: refusal, of: report.path)))
      } else {
        answer(.success(Picked(report, still: prepared.still, edited: edited?.still)))
      }
      for (photo, checksum) in saved { studio.keeper?.saved(photo, checksum: checksum) }
    } catch {
      answer(.failure(PickerReason(error)))
    }
  }

  /// A still, and what is known of it.
  struct Made {
    var choice: FrameChooser.Choice
    var report: PhotoReport
    var metadata: StillMetadata
    var source: Studio.Source
    var orientation: Orientation
  }

  func still(of exposure: Exposure, _ studio: Studio) throws(PickerReason) -> Made {
    guard let source = studio.source else { throw PickerReason(.cameraUnavailable) }
    let camera = source.camera
    let chooser = FrameChooser(camera, system: system, patience: FrameChooser.defaultPatience)
    let (made, metadata) = try chooser.still(
      nearest: exposure.moment + source.delay, from: camera, by: maker, studio.orientation,
      session: exposure.session
    ) { !isDiscarded(exposure.candidate) }
    let report = PhotoReport(
      made, path: "", camera: source.name, press: exposure.press, moment: exposure.moment,
      delay: source.delay)
    if let warning = made.warning {
      log.warning("\(report.camera): every frame has something wrong with it: \(warning)")
    }
    return Made(
      choice: made, report: report, metadata: metadata, source: source,
      orientation: studio.orientation)
  }

  private func prepare(_ made: Made, _ exposure: Exposure, _ studio: Studio) {
    guard !isDiscarded(exposure.candidate), let library = studio.library else { return }
    let file = write(made.choice.still, library)
    if case .failure(let error) = file { log.error("the photo cannot be written: \(error)") }
    if isDiscarded(exposure.candidate) {
      if case .success(let file) = file { library.discard(file) }
      return
    }
    prepared[exposure.candidate] = Prepared(
      report: made.report, file: file, still: made.choice.still, metadata: made.metadata)
  }

  func write(_ still: Still, _ library: PhotoLibrary) -> Result<Candidate, LibraryError> {
    still.withParts { parts in
      do throws(LibraryError) {
        return .success(
          try library.prepare(
            segments: parts.map { UnsafeRawBufferPointer(start: $0.iov_base, count: $0.iov_len) }))
      } catch {
        return .failure(error)
      }
    }
  }
}
