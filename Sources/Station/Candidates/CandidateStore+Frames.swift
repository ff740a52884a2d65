import Capture
import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import Shots

// The frames around the press, which the store collects while the still is made, and which can
// replace the still during the review.
extension CandidateStore {
  /// Starts the collection of frames at once, since the camera's ring holds only the last few
  /// frames.
  nonisolated func collectFrames(_ exposure: Exposure, _ studio: Studio) {
    guard exposure.frames > 1, let source = studio.source else { return }
    shelf.collect(
      for: exposure.candidate, from: source.camera, around: exposure.moment + source.delay,
      count: exposure.frames)
  }

  /// Offers the collected frames beside the still under review.
  func offerFrames(
    _ exposure: Exposure, _ made: Made, _ offer: @escaping @Sendable (ReviewFrames) -> Void
  ) {
    guard exposure.frames > 1 else { return }
    let taken = FrameShelf.Taken(
      frame: made.choice.frame, excluded: made.choice.excluded,
      acceptsWarnings: made.choice.still.warning != nil, orientation: made.orientation,
      moment: exposure.moment + made.source.delay)
    let camera = made.source.camera
    shelf.offer(for: exposure.candidate, taken, note: { camera.note($0, in: $1) }, offer)
  }

  /// Returns the thumbnail of an offered frame, or `nil` when there is no such frame.
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
      // When a guest steps quickly through the frames, only the last wish is worked on.
      guard store.isWished(frame, candidate) else { return }
      do throws(PickerReason) {
        guard let made = try store.exchange(candidate, for: frame, studio) else {
          return answer(.success(()))
        }
        // The guest sees the frame from here on; the file is written and synced during the review.
        answer(.success(()))
        store.keep(made, candidate, studio)
      } catch {
        answer(.failure(error))
      }
    }
  }

  /// Returns whether `prepared` holds the frame that the guest accepted.
  func isSame(_ frame: Int?, _ prepared: Prepared, _ candidate: CandidateID) -> Bool {
    frame == nil
      || frame == prepared.frame ?? shelf.offer(for: candidate)?.frames.nearest
  }

  /// Discards the file of the nearest frame after another frame replaced it.
  func dropNearest(_ candidate: CandidateID, _ library: PhotoLibrary?) {
    let dropped = nearest.removeValue(forKey: candidate)
    if case .success(let file) = dropped?.file { library?.discard(file) }
  }

  /// A still of another frame with its report and metadata.
  private struct Exchange {
    var report: PhotoReport
    var still: Still
    var metadata: StillMetadata
    var frame: Int
  }

  /// Shows the still of `frame`; returns the still when its file is not written yet.
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
      still: still, frame: copy.id, frameTime: copy.timestamp, clock: copy.timestampSource,
      sequence: copy.sequence)
    let moment = MonotonicTime(nanoseconds: known.momentNanoseconds)
    var report = PhotoReport(
      choice, path: "", camera: known.camera,
      press: MonotonicTime(nanoseconds: known.pressNanoseconds), moment: moment,
      delay: taken.moment - moment)
    report.framesRejected = known.framesRejected
    report.framesFromNearest = frame - offer.frames.nearest
    return Exchange(report: report, still: still, metadata: metadata, frame: frame)
  }

  /// Writes the still and makes it the one that an accept saves.
  private func keep(_ made: Exchange, _ candidate: CandidateID, _ studio: Studio) {
    guard isWished(made.frame, candidate), let library = studio.library else { return }
    let file = write(made.still, library)
    if case .failure(let error) = file {
      log.error("the photo cannot be written: \(error.operatorMessage)")
    }
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
