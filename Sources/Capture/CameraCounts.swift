import Media
import Synchronization

/// The counts of a camera since it was created.
public struct CameraCounts: Equatable, Sendable {
  /// Frames that the driver delivered, with or without a picture.
  public var frames = 0
  /// Frames that were published.
  public var published = 0
  /// Frames that arrived undamaged.
  public var clean = 0
  /// Frames that are repaired while they are copied.
  public var repairable = 0
  /// Frames that a viewer had seen before a decoder found their damage.
  public var faultsShown = 0
  /// Frames that the driver lost, by the gaps in its sequence numbers.
  public var dropped = 0
  /// Frames whose sequence number was not higher than the one before.
  public var repeated = 0
  /// Frames that were skipped after a start.
  public var skipped = 0
  /// Frames that were dropped because the driver needed the buffer and no spare was free.
  public var starved = 0
  /// Frames whose timestamp was implausible.
  public var badTimestamps = 0
  /// Frames that were copied in user space, for any reason.
  public var framesCopied = 0
  /// The number of bytes in ``framesCopied``.
  public var bytesCopied = 0
  /// Buffers that were given back to the driver after use.
  public var requeued = 0
  /// Failed calls on the device that led to a recovery or another state.
  public var errors = 0
  /// Buffers that the driver returned with an invalid index.
  public var badBuffers = 0
  /// Attempts to restart, renegotiate or reopen the stream.
  public var recoveries = 0
  /// Times that the camera stopped sending frames without an error.
  public var stalls = 0

  // Vectors hold the counts, because an array that a caller has just read would be copied by the
  // next change.
  private var damage = SIMD16<Int>()
  private var faults = SIMD16<Int>()
  private static let reasons = FrameDamage.allCases
  private static let kinds = DecoderFault.allCases

  /// Creates counts of zero.
  public init() {}

  /// Damaged frames, all reasons together.
  public var damaged: Int { damage.wrappedSum() }

  /// Returns the number of frames that were damaged for that reason.
  public func damaged(_ reason: FrameDamage) -> Int { damage[CameraCounts.index(of: reason)] }

  /// Returns the number of frames whose damage of that kind only a decoder found.
  public func decoderFaults(_ kind: DecoderFault) -> Int { faults[CameraCounts.index(of: kind)] }

  mutating func count(_ reason: FrameDamage) { damage[CameraCounts.index(of: reason)] += 1 }

  mutating func count(_ kind: DecoderFault) { faults[CameraCounts.index(of: kind)] += 1 }

  private static func index(of reason: FrameDamage) -> Int {
    var index = 0
    while index < reasons.count - 1, reasons[index] != reason { index += 1 }
    return index
  }

  private static func index(of kind: DecoderFault) -> Int {
    var index = 0
    while index < kinds.count - 1, kinds[index] != kind { index += 1 }
    return index
  }
}

/// The counts, shared by the capture thread and the threads that read them.
final class Counter: Sendable {
  private let counts = Mutex(CameraCounts())

  /// The current counts.
  var value: CameraCounts { counts.withLock { $0 } }

  /// Changes the counts; `change` only adds.
  func add(_ change: (inout CameraCounts) -> Void) {
    counts.withLock { change(&$0) }
  }

  /// Adds one to `field`.
  func add(_ field: WritableKeyPath<CameraCounts, Int>) {
    counts.withLock { $0[keyPath: field] += 1 }
  }
}
