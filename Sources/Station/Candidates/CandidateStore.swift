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
  /// How many frames around the moment are offered to choose from; 1: only the nearest.
  var frames = 1
}

/// Everything between the chosen moment and the durable file: frame, still, unnamed file, commit.
///
/// All of it may block, so it runs on a thread of its own, one job after another; the answers come
/// on that thread. A candidate's bytes are nowhere else, and are gone when it is discarded.
protocol CandidateStoring: Sendable {
  /// Chooses the frame and makes the still; then, after the answer, writes and syncs it.
  ///
  /// After the answer `offer` is told which frames can be chosen, unless there is no other one.
  func make(
    _ exposure: Exposure, offer: @escaping @Sendable (ReviewFrames) -> Void,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void)
  /// Lets another of the frames that are offered take the place of the candidate's.
  ///
  /// There is no answer where a later call has taken the place of this one.
  func useFrame(
    _ candidate: CandidateID, _ frame: Int,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void)
  /// Makes the candidate durable, and beside it the picture that `edit` makes of it.
  ///
  /// `frame` is the one that was accepted of those that are offered.
  func save(
    _ candidate: CandidateID, edit: PickerEdit?, frame: Int?,
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

  /// A photo that was taken while a movie was recorded: its file and size, not its bytes.
  struct PreparedStill: Sendable {
    var report: PhotoReport
    var file: Result<Candidate, LibraryError>
  }

  struct PreparedMovie: Sendable {
    var report: PhotoReport
    var file: Result<Candidate, LibraryError>
  }

  // Changed on the worker's thread, but for what it works with.
  struct Work {
    var camera: Camera?
    var label = ""
    var delay = Duration.zero
    var orientation: Orientation
    var library: PhotoLibrary?
    var keeper: LibraryKeeper?
    var browser: PhotoBrowser?
    /// The photo that an accept saves.
    var prepared: [CandidateID: Prepared] = [:]
    /// The nearest frame's, while another one is chosen.
    var nearest: [CandidateID: Prepared] = [:]
    var movies: [CandidateID: PreparedMovie] = [:]
    /// Photos that were taken while a movie was recorded, the oldest first.
    var movieStills: [CandidateID: CappedList<PreparedStill>] = [:]
    /// What guests decide about, for the page; gone as soon as they have.
    var stills: [CandidateID: Shown] = [:]
  }

  let worker: EventLoop
  // Another thread: reading many pictures must not hold up photos.
  private let reader: EventLoop
  private let system: any SystemCalls
  let work: Mutex<Work>
  let maker: StillWorker
  /// The frames around the photos that nobody has decided about.
  let shelf: FrameShelf
  /// Which frame was asked for last.
  let wishes = Mutex<[CandidateID: Int]>([:])
  /// What is being collected; another one, or none, once nobody waits for it any more.
  private let collecting = Mutex<CandidateID?>(nil)
  /// Discarded while they may still be in the making.
  private let discarded = Mutex<Set<CandidateID>>([])
  let log = Log("station")

  init(
    worker: EventLoop, reader: EventLoop, orientation: Orientation, system: any SystemCalls
  ) throws(SystemError) {
    shelf = try FrameShelf(system: system)
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
  func close() {
    shelf.close(within: .seconds(1))
    work.withLock { $0 = Work(orientation: $0.orientation) }
  }

  /// The still of a candidate that nobody has decided about, or that is being saved, and which of
  /// the frames that are offered it is; nil where none are.
  func still(of candidate: CandidateID) -> Shown? {
    guard var shown = work.withLock({ $0.stills[candidate] }) else { return nil }
    shown.frame = shown.frame ?? shelf.offer(for: candidate)?.frames.nearest
    return shown
  }

  func make(
    _ exposure: Exposure, offer: @escaping @Sendable (ReviewFrames) -> Void,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) {
    collectFrames(exposure)
    worker.submit { [self] in
      do throws(PickerReason) {
        let made = try still(of: exposure)
        if !isDiscarded(exposure.candidate) {
          work.withLock { $0.stills[exposure.candidate] = Shown(still: made.choice.still) }
        }
        // The guest sees it now; writing and syncing is done while they decide.
        answer(.success(()))
        offerFrames(exposure, made, offer)
        prepare(made, exposure)
      } catch {
        shelf.forget(exposure.candidate)
        answer(.failure(error))
      }
      // Whoever was discarded before this point was dropped by `prepare`, or never existed.
      discarded.withLock { _ = $0.remove(exposure.candidate) }
    }
  }

  func save(
    _ candidate: CandidateID, edit: PickerEdit?, frame: Int?,
    answer: @escaping @Sendable (Result<Picked, PickerReason>) -> Void
  ) {
    worker.submit { [self] in
      defer { forgetStill(of: candidate) }
      let (prepared, library, keeper) = work.withLock {
        ($0.prepared.removeValue(forKey: candidate), $0.library, $0.keeper)
      }
      dropNearest(candidate, library)
      if let movie = work.withLock({ $0.movies.removeValue(forKey: candidate) }), let library {
        return save(movie, of: candidate, library, keeper, answer)
      }
      guard let prepared, let library else {
        return answer(.failure(PickerReason(.saveFailed)))
      }
      guard isSame(frame, prepared, candidate) else {
        if case .success(let file) = prepared.file { library.discard(file) }
        return answer(.failure(PickerReason(.frameUnavailable)))
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
  func showSaved() { work.withLock { $0.browser }?.noteChange() }

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
    shelf.forget(candidate)
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
      dropNearest(candidate, library)
      dropMovie(candidate, library)
    }
  }

  private func forgetStill(of candidate: CandidateID) {
    shelf.forget(candidate)
    wishes.withLock { _ = $0.removeValue(forKey: candidate) }
    // Freed after the lock: it may be the last use of a megabyte.
    let still = work.withLock { $0.stills.removeValue(forKey: candidate) }
    withExtendedLifetime(still) {}
  }

  func isDiscarded(_ candidate: CandidateID) -> Bool {
    discarded.withLock { $0.contains(candidate) }
  }

  // MARK: On the worker

  /// A still, and what is known of it.
  struct Made {
    var choice: FrameChooser.Choice
    var report: PhotoReport
    var metadata: StillMetadata
    var camera: Camera
    var orientation: Orientation
  }

  func still(of exposure: Exposure) throws(PickerReason) -> Made {
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
    return Made(
      choice: made, report: report, metadata: metadata, camera: camera, orientation: orientation)
  }

  private func prepare(_ made: Made, _ exposure: Exposure) {
    guard !isDiscarded(exposure.candidate), let library = work.withLock({ $0.library }) else {
      return
    }
    let file = write(made.choice.still, library)
    if case .failure(let error) = file { log.error("the photo cannot be written: \(error)") }
    if isDiscarded(exposure.candidate) {
      if case .success(let file) = file { library.discard(file) }
      return
    }
    work.withLock {
      $0.prepared[exposure.candidate] = Prepared(
        report: made.report, file: file, still: made.choice.still, metadata: made.metadata)
    }
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
