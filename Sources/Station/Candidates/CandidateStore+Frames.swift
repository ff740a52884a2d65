import Capture
import ImagePicker
import Imaging
import PhotoLibrary
import Platform

// The frames around the press: collected while the still is made, and exchanged for it while the
// guest looks.
extension CandidateStore {
  /// Begins to collect frames before the saver has begun, since the ring holds the last few only.
  func collectFrames(_ exposure: Exposure) {
    let (camera, delay) = work.withLock { ($0.camera, $0.delay) }
    guard exposure.frames > 1, let camera else { return }
    shelf.collect(
      for: exposure.candidate, from: camera, around: exposure.moment + delay,
      count: exposure.frames)
  }

  /// Has what was collected offered beside the still that is shown by now.
  func offerFrames(
    _ exposure: Exposure, _ made: Made, _ offer: @escaping @Sendable (ReviewFrames) -> Void
  ) {
    guard exposure.frames > 1 else { return }
    let delay = work.withLock { $0.delay }
    let taken = FrameShelf.Taken(
      frame: made.choice.frame, excluded: made.choice.excluded,
      acceptsWarnings: made.choice.warning != nil, orientation: made.orientation,
      moment: exposure.moment + delay)
    let camera = made.camera
    shelf.offer(for: exposure.candidate, taken, note: { camera.note($0, in: $1) }, offer)
  }

  /// The small picture of a frame that is offered; nil where there is none.
  func thumbnail(of candidate: CandidateID, frame: Int) -> WebBytes? {
    guard let offer = shelf.offer(for: candidate), offer.entries.indices.contains(frame) else {
      return nil
    }
    return offer.entries[frame].thumbnail
  }

  func useFrame(
    _ candidate: CandidateID, _ frame: Int,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) {
    wishes.withLock { $0[candidate] = frame }
    worker.submit { [self] in
      // Of guests who go through all frames quickly only the last wish is worked on.
      guard isWished(frame, candidate) else { return }
      do throws(PickerReason) {
        guard let made = try exchange(candidate, for: frame) else { return answer(.success(())) }
        // The guest sees it now; writing and syncing is done while they decide.
        answer(.success(()))
        keep(made, candidate)
      } catch {
        answer(.failure(error))
      }
    }
  }

  /// Whether `prepared` is what the guest has accepted.
  func isSame(_ frame: Int?, _ prepared: Prepared, _ candidate: CandidateID) -> Bool {
    frame == nil
      || frame == prepared.frame ?? shelf.offer(for: candidate)?.frames.nearest
  }

  /// Closes the nearest frame's file, where another one took its place.
  func dropNearest(_ candidate: CandidateID, _ library: PhotoLibrary?) {
    let nearest = work.withLock { $0.nearest.removeValue(forKey: candidate) }
    if case .success(let file) = nearest?.file { library?.discard(file) }
  }

  // MARK: On the worker

  private func isWished(_ frame: Int, _ candidate: CandidateID) -> Bool {
    !isDiscarded(candidate) && wishes.withLock { $0[candidate] } == frame
  }

  /// A still of another frame, with what is known of it.
  private struct Exchange {
    var report: PhotoReport
    var still: Still
    var metadata: StillMetadata
    var frame: Int
  }

  /// Shows the still of `frame`; returns it where it still has to be written.
  private func exchange(
    _ candidate: CandidateID, for frame: Int
  ) throws(PickerReason) -> Exchange? {
    let (prepared, kept, library) = work.withLock {
      ($0.prepared[candidate], $0.nearest[candidate], $0.library)
    }
    guard let offer = shelf.offer(for: candidate), offer.entries.indices.contains(frame),
      let prepared
    else { throw PickerReason(.frameUnavailable) }
    if frame == prepared.frame ?? offer.frames.nearest {
      work.withLock { $0.stills[candidate] = Shown(still: prepared.still, frame: frame) }
      return nil
    }
    let nearest = kept ?? prepared
    if frame == offer.frames.nearest {
      work.withLock { work in
        work.prepared[candidate] = nearest
        work.nearest[candidate] = nil
        work.stills[candidate] = Shown(still: nearest.still, frame: frame)
      }
      if case .success(let file) = prepared.file { library?.discard(file) }
      return nil
    }
    let made = try make(frame, of: offer, beside: nearest)
    work.withLock { $0.stills[candidate] = Shown(still: made.still, frame: frame) }
    return made
  }

  private func make(
    _ frame: Int, of offer: FrameShelf.Offer, beside nearest: Prepared
  ) throws(PickerReason) -> Exchange {
    let (copy, taken) = (offer.entries[frame].copy, offer.taken)
    let metadata = nearest.metadata.of(frameAt: copy.timestamp)
    let still: Still
    do {
      still = try maker.make(
        copy, orientation: taken.orientation, acceptsWarnings: taken.acceptsWarnings,
        metadata: metadata)
    } catch {
      throw PickerReason(.frameUnavailable, error)
    }
    let known = nearest.report
    let choice = FrameChooser.Choice(
      still: still, frame: copy.id, frameTime: copy.timestamp,
      clock: copy.timestampSource.rawValue, sequence: copy.sequence,
      rejected: known.framesRejected, warning: still.warning)
    let moment = MonotonicTime(nanoseconds: known.momentNanoseconds)
    var report = PhotoReport(
      choice, path: "", camera: known.camera,
      press: MonotonicTime(nanoseconds: known.pressNanoseconds), moment: moment,
      delay: taken.moment - moment)
    report.framesFromNearest = frame - offer.frames.nearest
    return Exchange(report: report, still: still, metadata: metadata, frame: frame)
  }

  /// Writes the still, and lets it take the place of what an accept would have saved.
  private func keep(_ made: Exchange, _ candidate: CandidateID) {
    guard isWished(made.frame, candidate), let library = work.withLock({ $0.library }) else {
      return
    }
    let file = write(made.still, library)
    if case .failure(let error) = file { log.error("the photo cannot be written: \(error)") }
    let before = work.withLock { work -> Prepared? in
      let before = work.prepared[candidate]
      work.prepared[candidate] = Prepared(
        report: made.report, file: file, still: made.still, metadata: made.metadata,
        frame: made.frame)
      if let before, before.frame == nil {
        work.nearest[candidate] = before
        return nil
      }
      return before
    }
    if case .success(let file) = before?.file { library.discard(file) }
  }
}
