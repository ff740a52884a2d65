import Media
import Platform
import Synchronization

/// The number of one dequeued frame: unique and rising as long as its ``Camera`` lives.
public typealias FrameID = UInt64

/// Which clock dated a frame.
public enum TimestampSource: String, Sendable {
  /// The driver, by CLOCK_MONOTONIC.
  case driver
  /// The instant at which it was dequeued: the driver has another clock, or it cannot be right.
  case dequeue
}

/// One buffer with a picture in it, shared by counting: one object for each driver buffer, made
/// once.
///
/// Everything it says belongs to the frame that is in the buffer while at least one use is held;
/// hold a ``FrameLease``. The last release gives the buffer back to the driver, from any thread
/// and without blocking. The memory lives as long as the object, even if the camera is gone.
public final class Frame: @unchecked Sendable {
  // Unchecked: everything but the count is written by the capture thread while no use is held,
  // and published by the ring's lock.

  /// The buffer's index in the driver's queue.
  public let slot: Int
  /// The number of the frame in the buffer.
  public internal(set) var id: FrameID = 0
  /// The driver's count, which skips what the driver lost.
  public internal(set) var sequence: UInt32 = 0
  /// When it was taken.
  public internal(set) var timestamp = MonotonicTime(nanoseconds: 0)
  /// Who says so.
  public internal(set) var timestampSource = TimestampSource.dequeue
  /// When it came out of the driver.
  public internal(set) var dequeued = MonotonicTime(nanoseconds: 0)
  /// What the frame gate saw.
  public internal(set) var inspection: FrameInspection
  /// Its bytes.
  ///
  /// Valid only while a use is held.
  public internal(set) var image: FrameImage

  // Whether the driver has it; touched by the capture thread only.
  var isQueued = false

  let memory: FrameMemory
  private let returns: ReturnSignal
  private let uses = Atomic<Int>(0)

  init(slot: Int, memory: consuming FrameMemory, returns: ReturnSignal) {
    self.slot = slot
    self.returns = returns
    image = FrameImage(
      bytes: UnsafeRawBufferPointer(start: nil, count: 0), format: PixelFormat(rawValue: 0),
      size: PixelSize(width: 0, height: 0), bytesPerLine: 0)
    inspection = FrameInspection(
      verdict: .damaged(.empty), picture: 0..<0, size: PixelSize(width: 0, height: 0))
    self.memory = memory
  }

  /// Whether somebody uses it.
  var isInUse: Bool { uses.load(ordering: .acquiring) > 0 }

  /// Starts the first use of what was just dequeued or copied, which belongs to the caller.
  func begin() {
    precondition(uses.load(ordering: .acquiring) == 0)
    uses.store(1, ordering: .releasing)
  }

  /// Adds a use to those that the caller knows to be held.
  public func retain() {
    let before = uses.wrappingAdd(1, ordering: .relaxed).oldValue
    precondition(before > 0, "a frame was retained that nobody held")
  }

  /// Ends a use.
  public func release() {
    let after = uses.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue
    precondition(after >= 0, "a frame was released more often than retained")
    if after == 0 { returns.returned() }
  }

  /// A further use of it, for as long as the lease lives.
  ///
  /// The caller must hold one.
  public func lease() -> FrameLease {
    retain()
    return FrameLease(owning: self)
  }
}

/// One use of a ``Frame``, ended when the lease goes.
public struct FrameLease: ~Copyable, Sendable {
  /// The frame; it stays what it is while the lease lives.
  public let frame: Frame

  /// Takes over a use that was retained.
  public init(owning frame: Frame) { self.frame = frame }

  /// Hands the use to the caller, who must `release()` it.
  public consuming func takeFrame() -> Frame {
    // The lease's own use ends with this function, so the caller's is a further one.
    frame.retain()
    return frame
  }

  deinit { frame.release() }
}
