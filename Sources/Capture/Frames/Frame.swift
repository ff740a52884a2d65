import Media
import Platform
import Synchronization

/// The number of one published frame, unique and increasing during the life of its ``Camera``.
public typealias FrameID = UInt64

/// The source of a frame's timestamp.
public enum TimestampSource: String, Sendable {
  /// The driver dated the frame by CLOCK_MONOTONIC.
  case driver
  /// The timestamp is the instant of the dequeue, because the driver uses another clock or its time
  /// was implausible.
  case dequeue
}

/// A buffer with a picture in it, shared by reference counting; each driver buffer has one such
/// object, which is created once.
///
/// The properties are valid only while at least one use is held by a ``FrameLease``.
/// The last release gives the buffer back to the driver, from any thread and without blocking. The
/// memory lives as long as the object, even after the camera is gone.
public final class Frame: @unchecked Sendable {
  // Unchecked because only the capture thread writes the properties, while no use is held, and the
  // ring's lock publishes them.

  /// The buffer's index in the driver's queue.
  public let slot: Int
  /// The number of the frame in the buffer.
  public internal(set) var id: FrameID = 0
  /// The driver's sequence number, which skips frames that the driver lost.
  public internal(set) var sequence: UInt32 = 0
  /// The time at which the frame was taken.
  public internal(set) var timestamp = MonotonicTime(nanoseconds: 0)
  /// The source of ``timestamp``.
  public internal(set) var timestampSource = TimestampSource.dequeue
  /// The time at which the frame was dequeued from the driver.
  public internal(set) var dequeued = MonotonicTime(nanoseconds: 0)
  /// The result of the frame gate.
  public internal(set) var inspection: FrameInspection
  /// The bytes and format of the frame.
  ///
  /// The view is valid only while a use is held.
  public internal(set) var image: FrameImage

  // Whether the driver has the buffer; accessed only by the capture thread.
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

  /// Whether at least one use is held.
  var isInUse: Bool { uses.load(ordering: .acquiring) > 0 }

  /// Starts the first use of a frame that was just dequeued or copied; the caller owns that use.
  func begin() {
    precondition(uses.load(ordering: .acquiring) == 0)
    uses.store(1, ordering: .releasing)
  }

  /// Adds a use; the caller must hold one already.
  package func retain() {
    let before = uses.wrappingAdd(1, ordering: .relaxed).oldValue
    precondition(before > 0, "a frame was retained that nobody held")
  }

  /// Ends a use; the last one gives the buffer back to the driver.
  package func release() {
    let after = uses.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue
    precondition(after >= 0, "a frame was released more often than retained")
    if after == 0 { returns.returned() }
  }

  /// Returns a further use of the frame, which lasts as long as the lease lives.
  ///
  /// The caller must hold a use.
  public func lease() -> FrameLease {
    retain()
    return FrameLease(owning: self)
  }
}

/// One use of a ``Frame``, which ends with the life of the lease.
public struct FrameLease: ~Copyable, Sendable {
  /// The frame, which does not change while the lease lives.
  public let frame: Frame

  /// Creates a lease that takes over a retained use.
  package init(owning frame: Frame) { self.frame = frame }

  /// Transfers the use to the caller, who must `release()` it.
  package consuming func takeFrame() -> Frame {
    // The lease's own use ends with this function, so the caller gets a further one.
    frame.retain()
    return frame
  }

  deinit { frame.release() }
}
