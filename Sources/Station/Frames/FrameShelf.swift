import Capture
import ImagePicker
import Imaging
import Media
import Platform
import Synchronization

/// Keeps the frames around each photo under review until the guest has decided.
///
/// Frames are collected and looked at on a thread of its own, so that neither the camera nor the
/// still waits for that. They are kept as they came, JPEG data or raw, with a small picture of each.
/// All calls may come from any thread and none waits, but for ``close(within:)``.
final class FrameShelf: Sendable {
  /// How wide and high the small pictures are at most.
  static let thumbnailSize = PixelSize(width: 480, height: 480)

  /// How the still was made that is under review.
  struct Taken: Sendable {
    /// The frame that was chosen for it.
    var frame: FrameID
    /// Frames that must not be offered, since they are known to be damaged.
    var excluded: Set<FrameID>
    /// Whether every frame of the camera makes the decoder warn.
    var acceptsWarnings: Bool
    var orientation: Orientation
    /// The moment that the frames' times are counted from, by the camera's dates.
    var moment: MonotonicTime
  }

  /// A frame that is offered.
  struct Entry: Sendable {
    var copy: FrameCopy
    var thumbnail: WebBytes
  }

  /// The frames that are offered for one photo.
  struct Offer: Sendable {
    var entries: [Entry]
    var frames: ReviewFrames
    var taken: Taken
  }

  // Of a photo that nobody has decided about.
  private enum Slot: Sendable {
    case collecting
    case collected([FrameCopy])
    case offered(Offer)
  }

  private struct Tools: ~Copyable {
    var scaler = PictureScaler()
    var converter: FrameConverter?
  }

  private let loop: EventLoop
  private let system: any SystemCalls
  private let slots = Mutex<[CandidateID: Slot]>([:])
  // Touched on the loop only.
  private let tools = Mutex(Tools())
  private let log = Log("frames")

  init(system: any SystemCalls) throws(SystemError) {
    loop = try EventLoop("frames", system: system)
    self.system = system
  }

  /// Begins to collect up to `count` frames of `camera` around `moment`.
  func collect(
    for candidate: CandidateID, from camera: Camera, around moment: MonotonicTime, count: Int
  ) {
    slots.withLock { $0[candidate] = .collecting }
    loop.submit { [self] in
      let collector = FrameCollector(ring: camera.ring, system: system)
      let copies = collector.collect(around: moment, count: count) { isWanted(candidate) }
      put(.collected(copies), for: candidate)
    }
  }

  /// Looks at what was collected once it is known which frame the still is of, and has `offer` told
  /// what can be chosen; it is not called where there is nothing to choose.
  ///
  /// `note` hears of each frame that only its decoding showed to be damaged.
  func offer(
    for candidate: CandidateID, _ taken: Taken,
    note: @escaping @Sendable (DecoderFault, FrameID) -> Void,
    _ offer: @escaping @Sendable (ReviewFrames) -> Void
  ) {
    guard isWanted(candidate) else { return }
    loop.submit { [self] in
      guard case .collected(let copies) = slots.withLock({ $0[candidate] }) else { return }
      let entries = copies.compactMap { copy -> Entry? in
        guard !taken.excluded.contains(copy.id), isWanted(candidate) else { return nil }
        return entry(of: copy, taken, note)
      }
      guard let nearest = entries.firstIndex(where: { $0.copy.id == taken.frame }),
        let frames = ReviewFrames(
          offsets: entries.map { $0.copy.timestamp - taken.moment }, nearest: nearest)
      else { return forget(candidate) }
      if put(.offered(Offer(entries: entries, frames: frames, taken: taken)), for: candidate) {
        offer(frames)
      }
    }
  }

  /// The frames that are offered for a photo; nil where there are none, or none yet.
  func offer(for candidate: CandidateID) -> Offer? {
    guard case .offered(let offer) = slots.withLock({ $0[candidate] }) else { return nil }
    return offer
  }

  /// Lets the frames of a photo go; they are gone with the last that is sent or made a still of.
  func forget(_ candidate: CandidateID) {
    // Freed after the lock: there may be megabytes.
    let slot = slots.withLock { $0.removeValue(forKey: candidate) }
    withExtendedLifetime(slot) {}
  }

  /// Lets all frames go, and ends the thread; false: the thread hangs.
  @discardableResult
  func close(within limit: Duration) -> Bool {
    slots.withLock { $0 = [:] }
    return loop.stop(within: limit)
  }

  /// How many photos frames are kept for.
  var count: Int { slots.withLock { $0.count } }

  /// Waits until everything is done that was asked for.
  func settle() async { await loop.run {} }

  private func isWanted(_ candidate: CandidateID) -> Bool {
    slots.withLock { $0[candidate] != nil }
  }

  /// Puts `slot` in the place of the one before; false where nobody wants it any more.
  @discardableResult
  private func put(_ slot: Slot, for candidate: CandidateID) -> Bool {
    let before = slots.withLock { slots -> Slot? in
      guard let before = slots[candidate] else { return nil }
      slots[candidate] = slot
      return before
    }
    return before != nil
  }

  private func entry(
    of copy: FrameCopy, _ taken: Taken, _ note: (DecoderFault, FrameID) -> Void
  ) -> Entry? {
    do throws(StillError) {
      let picture = try tools.withLock { (tools: inout Tools) throws(StillError) in
        let (image, inspection) = try StillWorker.readable(
          copy.image, copy.inspection, &tools.converter)
        return try tools.scaler.scaled(
          image, inspection: inspection, orientation: taken.orientation,
          fitting: FrameShelf.thumbnailSize, acceptsWarnings: taken.acceptsWarnings)
      }
      return Entry(copy: copy, thumbnail: WebBytes(picture))
    } catch {
      if error.code == .decoderWarning { note(DecoderFault(error.cause ?? ""), copy.id) }
      log.debug("frame \(copy.id) is not offered: \(error)")
      return nil
    }
  }
}

extension WebBytes {
  /// Copies a finished picture.
  convenience init(_ picture: EncodedPicture) { self.init(picture.bytes()) }
}
