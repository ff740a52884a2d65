import Capture
import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import Synchronization

/// One exposure, as the station's loop asks for it.
struct Exposure: Sendable {
  var candidate: CandidateID
  var session: SessionID
  /// When the shutter was pressed.
  var press: MonotonicTime
  /// The moment that is wanted.
  var moment: MonotonicTime
}

/// Everything between the chosen moment and the durable file: frame, still, unnamed file, commit.
///
/// All of it may block, so it runs on a thread of its own, one job after another; the answers come
/// on that thread. A candidate's bytes are nowhere else, and are gone when it is discarded.
protocol CandidateStoring: Sendable {
  /// Chooses the frame and makes the still; then, after the answer, writes and syncs it.
  func make(
    _ exposure: Exposure, answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void)
  /// Makes the candidate durable, and beside it the picture that `edit` makes of it.
  func save(
    _ candidate: CandidateID, edit: PickerEdit?,
    answer: @escaping @Sendable (Result<Picked, PickerReason>) -> Void)
  /// Reads the chosen pictures of the library and makes their edits.
  func collect(
    _ candidate: CandidateID, _ choices: [PickerChoice], allowsMovies: Bool,
    answer: @escaping @Sendable (Result<[PickedMedia], PickerReason>) -> Void)
  /// Makes a still that shares the fate of the movie that the exposure names.
  func addStill(
    _ exposure: Exposure, answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void)
  /// Leaves nothing of it behind.
  func discard(_ candidate: CandidateID)
}

extension CandidateStoring {
  /// Makes none.
  func addStill(
    _ exposure: Exposure, answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) { answer(.failure(PickerReason(.captureFailed))) }
}

/// The store of a running station, on its saver's thread.
final class CandidateStore: CandidateStoring {
  /// A frame that is farther from the moment than this is an old one: a later one is waited for.
  static let earliest = Duration.milliseconds(250)
  /// How long frames are tried before there is no photo.
  static let patience = Duration.seconds(3)
  /// How many photos beside one movie are kept: each holds a file open until the guest has decided.
  static let mostMovieStills = 32

  private struct Prepared: Sendable {
    var report: PhotoReport
    var file: Result<Candidate, LibraryError>
    var still: Still
    var metadata: StillMetadata
  }

  /// A photo that was taken while a movie was recorded: its file and size, not its bytes.
  private struct PreparedStill: Sendable {
    var report: PhotoReport
    var file: Result<Candidate, LibraryError>
  }

  private struct PreparedMovie: Sendable {
    var report: PhotoReport
    var file: Result<Candidate, LibraryError>
  }

  // Confined to the worker's thread.
  private struct Work {
    var camera: Camera?
    var label = ""
    var delay = Duration.zero
    var orientation: Orientation
    var library: PhotoLibrary?
    var keeper: LibraryKeeper?
    var browser: PhotoBrowser?
    var prepared: [CandidateID: Prepared] = [:]
    var movies: [CandidateID: PreparedMovie] = [:]
    /// Photos that were taken while a movie was recorded, the oldest first.
    var movieStills: [CandidateID: CappedList<PreparedStill>] = [:]
    /// What guests decide about, for the page; gone as soon as they have.
    var stills: [CandidateID: Still] = [:]
  }

  private let worker: EventLoop
  // Another thread: reading many pictures must not hold up photos.
  private let reader: EventLoop
  private let system: any SystemCalls
  private let work: Mutex<Work>
  private let maker: StillWorker
  /// What is being collected; another one, or none, once nobody waits for it any more.
  private let collecting = Mutex<CandidateID?>(nil)
  /// Discarded while they may still be in the making.
  private let discarded = Mutex<Set<CandidateID>>([])
  private let log = Log("station")

  init(
    worker: EventLoop, reader: EventLoop, orientation: Orientation, system: any SystemCalls
  ) {
    self.worker = worker
    self.reader = reader
    work = Mutex(Work(orientation: orientation))
    self.system = system
    maker = StillWorker()
  }

  /// Sets how stills are turned from the next one on.
  func use(_ orientation: Orientation) { work.withLock { $0.orientation = orientation } }

  func use(_ library: PhotoLibrary?, _ keeper: LibraryKeeper?) {
    work.withLock { ($0.library, $0.keeper) = (library, keeper) }
  }

  /// Takes what guests choose from `browser`.
  func use(_ browser: PhotoBrowser?) { work.withLock { $0.browser = browser } }

  /// Takes frames of `camera` from now on, which dates them `delay` after their light.
  func use(_ camera: Camera, label: String, delay: Duration = .zero) {
    work.withLock {
      $0.camera = camera
      $0.delay = delay
      $0.label = label
    }
  }

  /// Lets everything go; candidates that nobody accepted are gone.
  func close() { work.withLock { $0 = Work(orientation: $0.orientation) } }

  /// The still of a candidate that nobody has decided about, or that is being saved.
  func still(of candidate: CandidateID) -> Still? { work.withLock { $0.stills[candidate] } }

  func make(
    _ exposure: Exposure, answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) {
    worker.submit { [self] in
      do throws(PickerReason) {
        let (still, report, metadata) = try still(of: exposure)
        if !isDiscarded(exposure.candidate) {
          work.withLock { $0.stills[exposure.candidate] = still }
        }
        // The guest sees it now; writing and syncing is done while they decide.
        answer(.success(()))
        prepare(still, report, metadata, exposure)
      } catch {
        answer(.failure(error))
      }
      // Whoever was discarded before this point was dropped by `prepare`, or never existed.
      discarded.withLock { _ = $0.remove(exposure.candidate) }
    }
  }

  func save(
    _ candidate: CandidateID, edit: PickerEdit?,
    answer: @escaping @Sendable (Result<Picked, PickerReason>) -> Void
  ) {
    worker.submit { [self] in
      defer { forgetStill(of: candidate) }
      let (prepared, library, keeper) = work.withLock {
        ($0.prepared.removeValue(forKey: candidate), $0.library, $0.keeper)
      }
      if let movie = work.withLock({ $0.movies.removeValue(forKey: candidate) }), let library {
        return save(movie, of: candidate, library, keeper, answer)
      }
      guard let prepared, let library else {
        return answer(.failure(PickerReason(.saveFailed)))
      }
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
        showSaved()
        if let refusal {
          answer(.failure(PickerReason(edit: refusal, of: report.path)))
        } else {
          answer(.success(Picked(report, still: prepared.still, edited: edited?.still)))
        }
        for (photo, checksum) in saved { keeper?.saved(photo, checksum: checksum) }
      } catch {
        answer(.failure(PickerReason(error)))
      }
    }
  }

  // Who hears that a photo is saved finds it in the list.
  private func showSaved() { work.withLock { $0.browser }?.noteChange() }

  func collect(
    _ candidate: CandidateID, _ choices: [PickerChoice], allowsMovies: Bool,
    answer: @escaping @Sendable (Result<[PickedMedia], PickerReason>) -> Void
  ) {
    collecting.withLock { $0 = candidate }
    reader.submit { [self] in
      guard let browser = work.withLock({ $0.browser }) else {
        return answer(.failure(PickerReason(.libraryUnavailable)))
      }
      do throws(PickerReason) {
        var collector = PhotoCollector(allowsMovies: allowsMovies)
        let media = try collector.collect(choices, from: browser) {
          collecting.withLock { $0 == candidate }
        }
        answer(.success(media))
      } catch {
        answer(.failure(error))
      }
    }
  }

  func discard(_ candidate: CandidateID) {
    collecting.withLock { if $0 == candidate { $0 = nil } }
    discarded.withLock { _ = $0.insert(candidate) }
    worker.submit { [self] in
      forgetStill(of: candidate)
      // Dropping the last reference closes the unnamed file, and it is gone.
      let (dropped, library) = work.withLock {
        ($0.prepared.removeValue(forKey: candidate), $0.library)
      }
      discarded.withLock { _ = $0.remove(candidate) }
      if case .success(let file) = dropped?.file { library?.discard(file) }
      dropMovie(candidate, library)
    }
  }

  // MARK: Movies

  /// Takes over a movie whose file is whole: syncs it, and keeps it until the guest has decided.
  func adopt(_ candidate: CandidateID, _ recording: Recording, bytes: Int, report: PhotoReport) {
    worker.submit { [self] in
      guard !isDiscarded(candidate), let library = work.withLock({ $0.library }) else { return }
      let file: Result<Candidate, LibraryError>
      do throws(LibraryError) {
        file = .success(try library.prepare(recording, bytes: bytes))
      } catch {
        log.error("the movie cannot be written: \(error)")
        file = .failure(error)
      }
      work.withLock { $0.movies[candidate] = PreparedMovie(report: report, file: file) }
    }
  }

  func addStill(
    _ exposure: Exposure, answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) {
    worker.submit { [self] in
      do throws(PickerReason) {
        let (still, report, _) = try still(of: exposure)
        guard let library = work.withLock({ $0.library }) else {
          throw PickerReason(.storageUnavailable)
        }
        let prepared = PreparedStill(report: report, file: write(still, library))
        let dropped = work.withLock {
          $0.movieStills[
            exposure.candidate, default: CappedList(most: CandidateStore.mostMovieStills)
          ].append(prepared)
        }
        if let dropped {
          log.notice(
            "a movie has \(CandidateStore.mostMovieStills) photos at most: the oldest is let go")
          if case .success(let file) = dropped.file { library.discard(file) }
        }
        answer(.success(()))
      } catch {
        answer(.failure(error))
      }
    }
  }

  /// The movie first: a photo that cannot be saved does not cost it.
  private func save(
    _ movie: PreparedMovie, of candidate: CandidateID, _ library: PhotoLibrary,
    _ keeper: LibraryKeeper?, _ answer: (Result<Picked, PickerReason>) -> Void
  ) {
    let stills = work.withLock { $0.movieStills.removeValue(forKey: candidate)?.elements } ?? []
    do throws(LibraryError) {
      var report = movie.report
      let photo = try library.commit(try movie.file.get())
      report.path = photo.path
      var saved = [(photo, Checksum?.none)]
      var shown: [PhotoReport] = []
      for still in stills {
        do throws(LibraryError) {
          let file = try still.file.get()
          let photo = try library.commit(file)
          var report = still.report
          report.path = photo.path
          saved.append((photo, file.checksum))
          shown.append(report)
        } catch {
          log.error("a photo beside the movie was not saved: \(error)")
        }
      }
      showSaved()
      answer(.success(Picked(movie: report, stills: shown)))
      for (photo, checksum) in saved { keeper?.saved(photo, checksum: checksum) }
    } catch {
      for still in stills {
        if case .success(let file) = still.file { library.discard(file) }
      }
      answer(.failure(PickerReason(error)))
    }
  }

  private func dropMovie(_ candidate: CandidateID, _ library: PhotoLibrary?) {
    let (movie, stills) = work.withLock {
      ($0.movies.removeValue(forKey: candidate), $0.movieStills.removeValue(forKey: candidate))
    }
    let files = (stills?.elements ?? []).map(\.file) + (movie.map { [$0.file] } ?? [])
    for case .success(let file) in files { library?.discard(file) }
  }

  private func forgetStill(of candidate: CandidateID) {
    // Freed after the lock: it may be the last use of a megabyte.
    let still = work.withLock { $0.stills.removeValue(forKey: candidate) }
    withExtendedLifetime(still) {}
  }

  private func isDiscarded(_ candidate: CandidateID) -> Bool {
    discarded.withLock { $0.contains(candidate) }
  }

  // MARK: On the worker

  private func still(
    of exposure: Exposure
  ) throws(PickerReason) -> (Still, PhotoReport, StillMetadata) {
    let (camera, label, orientation, delay) = work.withLock {
      ($0.camera, $0.label, $0.orientation, $0.delay)
    }
    let wanted = exposure.moment + delay
    guard let camera else { throw PickerReason(.cameraUnavailable) }
    let chooser = FrameChooser(camera, system: system, patience: CandidateStore.patience)
    let (made, metadata) = try chooser.still(
      nearest: wanted, from: camera, by: maker, orientation, session: exposure.session
    ) { !isDiscarded(exposure.candidate) }
    let report = PhotoReport(
      made, path: "", camera: camera.identity?.name ?? label, press: exposure.press,
      moment: exposure.moment, delay: delay)
    if let warning = made.warning {
      log.warning("\(report.camera): every frame has something wrong with it: \(warning)")
    }
    return (made.still, report, metadata)
  }

  private func prepare(
    _ still: Still, _ report: PhotoReport, _ metadata: StillMetadata, _ exposure: Exposure
  ) {
    guard !isDiscarded(exposure.candidate), let library = work.withLock({ $0.library }) else {
      return
    }
    let file = write(still, library)
    if case .failure(let error) = file { log.error("the photo cannot be written: \(error)") }
    if isDiscarded(exposure.candidate) {
      if case .success(let file) = file { library.discard(file) }
      return
    }
    work.withLock {
      $0.prepared[exposure.candidate] = Prepared(
        report: report, file: file, still: still, metadata: metadata)
    }
  }

  private func write(_ still: Still, _ library: PhotoLibrary) -> Result<Candidate, LibraryError> {
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

  // MARK: Edits

  /// A picture that the guest made of the photo, written but without a name.
  private struct Edited {
    var edit: PictureEdit
    var still: Still
    var file: Candidate

    func report(at path: String) -> PhotoReport.Edited {
      PhotoReport.Edited(
        path: path, width: still.size.width, height: still.size.height, crop: edit.crop,
        turns: edit.turns, isLossless: still.isLossless)
    }
  }

  private func edited(
    _ prepared: Prepared, _ edit: PictureEdit?, _ library: PhotoLibrary
  ) throws(LibraryError) -> Edited? {
    guard let edit else { return nil }
    var editor = PictureEditor()
    let still: Still
    do {
      still = try prepared.still.withPicture { (bytes) throws(StillError) in
        try edit.apply(bytes, &editor, metadata: prepared.metadata)
      }
    } catch {
      throw LibraryError(.failing, "the edited picture could not be made: \(error)")
    }
    return Edited(edit: edit, still: still, file: try write(still, library).get())
  }
}
