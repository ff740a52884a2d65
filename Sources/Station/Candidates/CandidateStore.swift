import Capture
import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import Shots
import StationConfiguration
import Synchronization

/// The candidate store of a running station.
///
/// The state lives on the saver's thread.
actor CandidateStore: CandidateStoring, LoopActor {
  struct Prepared: Sendable {
    var report: PhotoReport
    var file: Result<Candidate, LibraryError>
    var still: Still
    var metadata: StillMetadata
    /// The index of the offered frame that the still is made of, or `nil` for the nearest frame.
    var frame: Int?
  }

  /// The still under review.
  struct Shown: Sendable {
    var still: Still
    /// The index of the offered frame that the still is made of, or `nil` for the nearest frame.
    var frame: Int?
  }

  /// The present wishes of the station's loop, which running jobs read.
  private struct Wanted {
    /// The frame that was last asked for, by candidate.
    var frames: [CandidateID: Int] = [:]
    /// The candidate whose pictures a job collects, or `nil` when no caller waits for a collection.
    var collecting: CandidateID?
    /// The candidates that were discarded while a job may still be making them.
    var discarded: Set<CandidateID> = []
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  // The reader is a thread of its own, so that reading many pictures does not delay photos.
  private nonisolated let reader: EventLoop
  private nonisolated let system: any SystemCalls
  /// The frames around the photos that are under review.
  nonisolated let shelf: FrameShelf
  private nonisolated let wanted = Mutex(Wanted())
  /// The stills that guests decide about, for the page; a decision removes the still.
  private nonisolated let shown = Mutex<[CandidateID: Shown]>([:])
  nonisolated let log = Log("station")

  let maker = StillWorker()
  /// The photos that an accept saves.
  var prepared: [CandidateID: Prepared] = [:]
  /// The photos of the nearest frames, kept while another frame is chosen.
  var nearest: [CandidateID: Prepared] = [:]
  var movies = PreparedMovies()

  /// Creates a store that works on `saver`, and reads a library's pictures on `reader`.
  init(saver: EventLoop, reader: EventLoop, system: any SystemCalls) throws(SystemError) {
    shelf = try FrameShelf(system: system)
    loop = saver
    self.reader = reader
    self.system = system
  }

  /// Frees the offered frames and the shown stills.
  ///
  /// Candidates that were not accepted are lost. The saver's own state is freed by ``dropAll()`` or
  /// with the store.
  nonisolated func close() {
    shelf.close(within: .seconds(1))
    shown.withLock { $0 = [:] }
  }

  /// Drops all candidates that were not accepted, after the queued jobs.
  nonisolated func dropAll() {
    perform { store in
      (store.prepared, store.nearest, store.movies) = ([:], [:], PreparedMovies())
    }
  }

  /// Returns the still of a candidate that is under review or being saved.
  ///
  /// Its frame index is `nil` when no frames are offered.
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
        // The guest sees the still from here on; the file is written and synced during the review.
        answer(.success(()))
        store.offerFrames(exposure, made, offer)
        store.prepare(made, exposure, studio)
      } catch {
        store.shelf.forget(exposure.candidate)
        answer(.failure(error))
      }
      // A candidate discarded before this point was dropped by `prepare`, or was never made.
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
      // The unnamed file vanishes when its last reference is dropped.
      let dropped = store.prepared.removeValue(forKey: candidate)
      store.wanted.withLock { _ = $0.discarded.remove(candidate) }
      if case .success(let file) = dropped?.file { studio.library?.discard(file) }
      store.dropNearest(candidate, studio.library)
      store.movies.drop(candidate, studio.library)
    }
  }

  // MARK: Wishes

  nonisolated func isDiscarded(_ candidate: CandidateID) -> Bool {
    wanted.withLock { $0.discarded.contains(candidate) }
  }

  /// Stores the frame that the guest wishes; a later wish replaces it.
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
    // The still is freed after the lock is released, since freeing it may take time.
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
      // A crop that cannot be made does not cost the photo.
      let (change, refusal) = PictureEdit.held(edit, in: size.width, size.height)
      // The edit is written before the commit, so that a full disk saves neither of the two files.
      let edited = try edited(prepared, change, library)
      let photo = try library.commit(file)
      report.path = photo.path
      var saved = [(photo, file.checksum)]
      if let edited {
        let made = try library.commit(edited.file)
        report.edited = edited.report(at: made.path)
        saved.append((made, edited.file.checksum))
      }
      // The list is refreshed first, so that a caller who is told of a saved photo finds it there.
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

  /// A still with its report and metadata.
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
    let (made, metadata): (FrameChooser.Choice, StillMetadata)
    do throws(StillError) {
      (made, metadata) = try chooser.still(
        nearest: exposure.moment + source.delay, from: camera, by: maker, studio.orientation,
        software: Retake.software, session: "\(exposure.session.rawValue)"
      ) { !isDiscarded(exposure.candidate) }
    } catch {
      throw PickerReason(.captureFailed, error)
    }
    let report = PhotoReport(
      made, path: "", camera: source.name, press: exposure.press, moment: exposure.moment,
      delay: source.delay)
    if let warning = made.still.warning {
      log.warning("\(report.camera): every frame has something wrong with it: \(warning)")
    }
    return Made(
      choice: made, report: report, metadata: metadata, source: source,
      orientation: studio.orientation)
  }

  private func prepare(_ made: Made, _ exposure: Exposure, _ studio: Studio) {
    guard !isDiscarded(exposure.candidate), let library = studio.library else { return }
    let file = write(made.choice.still, library)
    if case .failure(let error) = file {
      log.error("the photo cannot be written: \(error.operatorMessage)")
    }
    if isDiscarded(exposure.candidate) {
      if case .success(let file) = file { library.discard(file) }
      return
    }
    prepared[exposure.candidate] = Prepared(
      report: made.report, file: file, still: made.choice.still, metadata: made.metadata)
  }

  func write(_ still: Still, _ library: PhotoLibrary) -> Result<Candidate, LibraryError> {
    do throws(LibraryError) {
      return .success(try library.prepare(still))
    } catch {
      return .failure(error)
    }
  }
}
