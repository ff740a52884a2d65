import Capture
import ImagePicker
import Imaging
import PhotoLibrary
import Platform

// The frames around the press: collected while the still is made, and exchanged for it while the
// guest looks.
extension CandidateStore {
  /// Begins to collect frames before the saver has begun, since the ring holds the last few only.
  nonisolated func collectFrames(_ exposure: Exposure, _ studio: Studio) {
    guard exposure.frames > 1, let source = studio.source else { return }
    shelf.collect(
      for: exposure.candidate, from: source.camera, around: exposure.moment + source.delay,
      count: exposure.frames)
  }

  /// Has what was collected offered beside the still that is shown by now.
  func offerFrames(
    _ exposure: Exposure, _ made: Made, _ offer: @escaping @Sendable (ReviewFrames) -> Void
  ) {
    guard exposure.frames > 1 else { return }
    let taken = FrameShelf.Taken(
      frame: made.choice.frame, excluded: made.choice.excluded,
      acceptsWarnings: made.choice.warning != nil, orientation: made.orientation,
      moment: exposure.moment + made.source.delay)
    let camera = made.source.camera
    shelf.offer(for: exposure.candidate, taken, note: { camera.note($0, in: $1) }, offer)
  }

  /// The small picture of a frame that is offered; nil where there is none.
  nonisolated func thumbnail(of candidate: CandidateID, frame: Int) -> WebBytes? {
    guard let offer = shelf.offer(for: candidate), offer.entries.indices.contains(frame) else {
      return nil
    }
    return offer.entries[frame].thumbnail
  }

  nonisolated func useFrame(
    _ candidate: CandidateID, _ frame: Int, in studio: Studio,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) {
    wish(frame, candidate)
    perform { store in
      // Of guests who go through all frames quickly only the last wish is worked on.
      guard store.isWished(frame, candidate) else { return }
      do throws(PickerReason) {
        guard let made = try store.exchange(candidate, for: frame, studio) else {
          return answer(.success(()))
        }
        // The guest sees it now; writing and syncing is done while they decide.
        answer(.success(()))
        store.keep(made, candidate, studio)
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
    let dropped = nearest.removeValue(forKey: candidate)
    if case .success(let file) = dropped?.file { library?.discard(file) }
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
    _ candidate: CandidateID, for frame: Int, _ studio: Studio
  ) throws(PickerReason) -> Exchange? {
    guard let offer = shelf.offer(for: candidate), offer.entries.indices.contains(frame),
      let before = prepared[candidate]
    else { throw PickerReason(.frameUnavailable) }
    if frame == before.frame ?? offer.frames.nearest {
      show(Shown(still: before.still, frame: frame), of: candidate)
      return nil
    }
    let near = nearest[candidate] ?? before
    if frame == offer.frames.nearest {
      prepared[candidate] = near
      nearest[candidate] = nil
      show(Shown(still: near.still, frame: frame), of: candidate)
      if case .success(let file) = before.file { studio.library?.discard(file) }
      return nil
    }
    let made = try make(frame, of: offer, beside: near)
    show(Shown(still: made.still, frame: frame), of: candidate)
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
  private func keep(_ made: Exchange, _ candidate: CandidateID, _ studio: Studio) {
    guard isWished(made.frame, candidate), let library = studio.library else { return }
    let file = write(made.still, library)
    if case .failure(let error) = file { log.error("the photo cannot be written: \(error)") }
    let before = prepared.updateValue(
      Prepared(
        report: made.report, file: file, still: made.still, metadata: made.metadata,
        frame: made.frame), forKey: candidate)
    guard let before else { return }
    if before.frame == nil {
      nearest[candidate] = before
    } else if case .success(let file) = before.file {
      library.discard(file)
    }
  }
}
