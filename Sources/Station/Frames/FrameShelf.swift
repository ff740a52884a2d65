import Capture
import ImagePicker
import Imaging
import Media
import Platform
import Shots
import Synchronization

/// The frames around each photo under review, kept until the guest has decided.
///
/// A thread of the shelf collects and decodes the frames, so that neither the camera nor the still
/// waits for them. The frames are kept as the camera sent them, JPEG or raw, each with a thumbnail.
/// All calls may come from any thread, and only ``close(within:)`` and ``settle()`` wait.
final class FrameShelf: Sendable {
  /// The maximum size of the thumbnails.
  static let thumbnailSize = PixelSize(width: 480, height: 480)

  /// The facts about the still under review that decide which frames are offered.
  struct Taken: Sendable {
    /// The frame that the still is made of.
    var frame: FrameID
    /// The damaged frames, which must not be offered.
    var excluded: Set<FrameID>
    /// Whether every frame of the camera makes the decoder warn.
    var acceptsWarnings: Bool
    var orientation: Orientation
    /// The moment from which the frames' times are counted, on the camera's clock.
    var moment: MonotonicTime
  }

  /// An offered frame.
  struct Entry: Sendable {
    var copy: FrameCopy
    var thumbnail: WebBytes
  }

  /// The offered frames of one photo.
  struct Offer: Sendable {
    var entries: [Entry]
    var frames: ReviewFrames
    var taken: Taken
  }

  // The frames of a photo under review.
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
  // The tools are used only on the loop.
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

  /// Prepares the collected frames and passes the frames that can be chosen to `offer`.
  ///
  /// `offer` is not called when there is no choice. `note` receives each frame that was found
  /// damaged during decoding.
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

  /// Returns the offered frames of a photo, or `nil` when there are none yet.
  func offer(for candidate: CandidateID) -> Offer? {
    guard case .offered(let offer) = slots.withLock({ $0[candidate] }) else { return nil }
    return offer
  }

  /// Drops the frames of a photo.
  ///
  /// A frame that is being sent or made a still of is freed after its last use.
  func forget(_ candidate: CandidateID) {
    // The frames are freed after the lock is released, since they may take megabytes.
    let slot = slots.withLock { $0.removeValue(forKey: candidate) }
    withExtendedLifetime(slot) {}
  }

  /// Drops all frames and ends the thread; returns false when the thread hangs.
  @discardableResult
  func close(within limit: Duration) -> Bool {
    slots.withLock { $0 = [:] }
    return loop.stop(within: limit)
  }

  /// The number of photos whose frames are kept.
  var count: Int { slots.withLock { $0.count } }

  /// Waits until all requested work is done.
  func settle() async { await loop.run {} }

  private func isWanted(_ candidate: CandidateID) -> Bool {
    slots.withLock { $0[candidate] != nil }
  }

  /// Replaces the slot of a photo; returns false when the photo was forgotten.
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
  /// Copies an encoded picture.
  convenience init(_ picture: EncodedPicture) { self.init(picture.bytes()) }
}
