import Capture
import ImagePicker
import Imaging
import Platform

/// Finds the frame that a photo is made of: the clean one nearest to the moment, never an old one.
package struct FrameChooser {
  /// A still and what is known of its frame.
  package struct Choice {
    package var still: Still
    /// The number of the frame.
    var frame: FrameID
    var frameTime: MonotonicTime
    var clock: String
    var sequence: UInt32
    /// Nearer frames that only their decoding showed to be damaged.
    var rejected: Int
    /// Frames near the moment that must not be offered.
    var excluded: Set<FrameID> = []
    /// What the decoder says of this one, when there was no better.
    var warning: String?
  }

  /// So many frames in a row that the decoder warns of are no accident: the camera is like that.
  static let warnedLimit = 4
  /// A frame that is farther from the moment than this is an old one: a later one is waited for.
  static let defaultEarliest = Duration.milliseconds(250)
  /// How long frames are tried before there is no photo.
  static let defaultPatience = Duration.seconds(3)

  var ring: FrameRing
  var system: any SystemCalls
  /// A frame from so long before the moment is an old one.
  var earliest: Duration
  /// How long frames are waited for after the moment.
  var patience: Duration
  /// The shortest time from one frame to the next; nil: not known.
  var period: Duration?
  /// Hears of each frame that looked whole and is not, with the decoder's words.
  var note: (DecoderFault, FrameID) -> Void = { _, _ in }

  /// Tries frames, the nearest first, until one gives a still.
  ///
  /// Clean frames are preferred. Where the first few all make the decoder warn, `make` is told to
  /// put up with that, and the nearest is taken.
  /// It blocks until the moment has passed and a frame from after it is there to compare, or until
  /// one is there from so shortly before the moment that the next cannot be nearer.
  func choose(
    nearest moment: MonotonicTime, isWanted: () -> Bool,
    make: (Frame, _ acceptsWarnings: Bool) throws(StillError) -> Still
  ) throws(PickerReason) -> Choice {
    let deadline = max(moment, system.monotonicTime()) + patience
    var excluded: Set<FrameID> = []
    var warned: Set<FrameID> = []
    var rejected = 0
    while isWanted() {
      let left = deadline - system.monotonicTime()
      guard left > .zero else { break }
      guard
        let lease = ring.frame(
          nearest: moment, timeout: left, excluding: excluded, period: period)
      else { continue }
      let frame = lease.frame
      guard frame.timestamp >= moment - earliest else {
        excluded.insert(frame.id)
        continue
      }
      do {
        let still = try make(frame, warned.count >= FrameChooser.warnedLimit)
        return Choice(
          still: still, frame: frame.id, frameTime: frame.timestamp,
          clock: frame.timestampSource.rawValue, sequence: frame.sequence, rejected: rejected,
          excluded: excluded, warning: still.warning)
      } catch {
        guard error.isAboutThisFrame else { throw PickerReason(.captureFailed, error) }
        rejected += 1
        excluded.insert(frame.id)
        guard error.code == .decoderWarning else { continue }
        note(DecoderFault(error.cause ?? ""), frame.id)
        warned.insert(frame.id)
        // A camera whose every frame warns is still usable: the nearest of them it is then.
        if warned.count == FrameChooser.warnedLimit {
          excluded.subtract(warned)
          rejected -= warned.count
        }
      }
    }
    throw PickerReason(.captureFailed)
  }
}

extension FrameChooser {
  /// Makes one for what `camera` gives.
  package init(_ camera: Camera, system: any SystemCalls, patience: Duration) {
    self.init(
      ring: camera.ring, system: system, earliest: FrameChooser.defaultEarliest, patience: patience,
      period: camera.shortestPeriod, note: camera.note)
  }

  /// Makes the still of the frame nearest to `moment`, with what is known of it; it blocks.
  package func still(
    nearest moment: MonotonicTime, from camera: Camera, by maker: StillWorker,
    _ orientation: Orientation, session: SessionID? = nil, isWanted: () -> Bool = { true }
  ) throws(PickerReason) -> (Choice, StillMetadata) {
    // Asked while the frame after the moment is still to come: it costs no time of the path.
    let reading = camera.readExposure()
    var metadata = StillMetadata()
    let made = try choose(nearest: moment, isWanted: isWanted) {
      frame, acceptsWarnings throws(StillError) in
      metadata = StillMetadata(
        of: frame, identity: camera.identity, session: session, moment: moment,
        exposure: reading, now: system.monotonicTime())
      return try maker.make(frame, orientation: orientation, acceptsWarnings: acceptsWarnings) {
        metadata
      }
    }
    return (made, metadata)
  }
}

extension PickerReason {
  init(_ code: Code, _ error: StillError) {
    self.init(
      code,
      problem: AccessProblem(
        who: "the station", what: "the frame", why: error.description, fix: error.message))
  }
}
