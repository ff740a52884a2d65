import Capture
import Imaging
import Platform

/// Finds the clean frame nearest to the requested moment.
///
/// Frames from before the moment by more than `earliest` are never used.
package struct FrameChooser {
  /// A frame that was refused during decoding.
  package struct Rejection: Sendable {
    /// The number of the frame.
    package var frame: FrameID
    /// The reason.
    package var error: StillError
  }

  /// A still with the facts about its frame.
  package struct Choice: Sendable {
    package var still: Still
    /// The number of the frame.
    package var frame: FrameID
    package var frameTime: MonotonicTime
    package var clock: TimestampSource
    package var sequence: UInt32
    /// The nearer frames that were found damaged during decoding.
    package var rejections: [Rejection]
    /// The frames that must not be offered to the guest, since they are damaged or too old.
    package var excluded: Set<FrameID>

    package init(
      still: Still, frame: FrameID, frameTime: MonotonicTime, clock: TimestampSource,
      sequence: UInt32, rejections: [Rejection] = [], excluded: Set<FrameID> = []
    ) {
      self.still = still
      self.frame = frame
      self.frameTime = frameTime
      self.clock = clock
      self.sequence = sequence
      self.rejections = rejections
      self.excluded = excluded
    }
  }

  /// The number of frames with a decoder warning after which warnings count as normal for the
  /// camera.
  static let warnedLimit = 4
  /// The default of ``earliest``.
  package static let defaultEarliest = Duration.milliseconds(250)
  /// The default of ``patience``.
  package static let defaultPatience = Duration.seconds(3)

  var ring: FrameRing
  var system: any SystemCalls
  /// The maximum age of a frame before the moment; the chooser waits for a later frame otherwise.
  var earliest: Duration
  /// The time to wait for frames after the moment.
  var patience: Duration
  /// The shortest time between two frames, or `nil` when it is unknown.
  var period: Duration?
  /// Receives each frame that looked whole and made the decoder warn, with the kind of fault.
  var note: (DecoderFault, FrameID) -> Void = { _, _ in }

  /// Tries frames, the nearest first, until one of them gives a still.
  ///
  /// Clean frames are preferred. When the first few frames all make the decoder warn, `make` is
  /// told to accept warnings, and the nearest frame is taken. Blocks until a frame after the moment
  /// has arrived for comparison, or until a frame is so near to the moment that the next one cannot
  /// be nearer. Throws `noFrame` when the patience is over or the still is not wanted any more.
  func choose(
    nearest moment: MonotonicTime, isWanted: () -> Bool,
    make: (Frame, _ acceptsWarnings: Bool) throws(StillError) -> Still
  ) throws(StillError) -> Choice {
    let deadline = max(moment, system.monotonicTime()) + patience
    var excluded: Set<FrameID> = []
    var warned: Set<FrameID> = []
    var rejections: [Rejection] = []
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
          clock: frame.timestampSource, sequence: frame.sequence, rejections: rejections,
          excluded: excluded)
      } catch {
        guard error.isAboutThisFrame else { throw error }
        rejections.append(Rejection(frame: frame.id, error: error))
        excluded.insert(frame.id)
        guard error.code == .decoderWarning else { continue }
        note(DecoderFault(error.cause ?? ""), frame.id)
        warned.insert(frame.id)
        // A camera that warns of every frame is still usable, so the nearest of its frames is
        // taken.
        if warned.count == FrameChooser.warnedLimit {
          excluded.subtract(warned)
          rejections.removeAll { warned.contains($0.frame) }
        }
      }
    }
    throw .noFrame
  }
}

extension FrameChooser {
  /// Creates a chooser for the frames of `camera`.
  package init(_ camera: Camera, system: any SystemCalls, patience: Duration) {
    self.init(
      ring: camera.ring, system: system, earliest: FrameChooser.defaultEarliest, patience: patience,
      period: camera.shortestPeriod, note: camera.note)
  }

  /// Makes the still of the frame nearest to `moment`, with its metadata; blocks.
  ///
  /// `session` is the session's name in the program's logs.
  package func still(
    nearest moment: MonotonicTime, from camera: Camera, by maker: StillWorker,
    _ orientation: Orientation, software: String?, session: String? = nil,
    isWanted: () -> Bool = { true }
  ) throws(StillError) -> (Choice, StillMetadata) {
    // The exposure is read while the chooser waits for the next frame, so the reading costs no
    // time.
    let reading = camera.readExposure()
    var metadata = StillMetadata()
    let made = try choose(nearest: moment, isWanted: isWanted) {
      frame, acceptsWarnings throws(StillError) in
      metadata = StillMetadata(
        of: frame, camera: camera.identity, software: software, now: system.monotonicTime())
      metadata.session = session
      metadata.pressToFrame = frame.timestamp - moment
      metadata.exposureTime = reading?.time
      metadata.hasManualExposure = reading?.isManual
      return try maker.make(frame, orientation: orientation, acceptsWarnings: acceptsWarnings) {
        metadata
      }
    }
    return (made, metadata)
  }
}
