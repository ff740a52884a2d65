import Media
import Synchronization

/// What a camera has counted since it was made.
public struct CameraCounts: Equatable, Sendable {
  /// Frames that came out of the driver, with or without a picture.
  public var frames = 0
  /// Frames that were published.
  public var published = 0
  /// Frames that were good as they came.
  public var clean = 0
  /// Frames that a copy repairs.
  public var repairable = 0
  /// Frames that are never shown, by reason, in the order of `FrameDamage.allCases`.
  public var damagedByReason: [Int] { FrameDamage.allCases.indices.map { damage[$0] } }
  /// Frames that only a decoder showed to be damaged, by kind, in the order of
  /// `DecoderFault.allCases`.
  ///
  /// Not every frame is decoded: these are those that a still was to be made of.
  public var decoderFaultsByKind: [Int] { DecoderFault.allCases.indices.map { faults[$0] } }
  /// Those of them that a viewer had seen.
  public var faultsShown = 0
  /// Frames that the driver lost, by the gaps in its count.
  public var dropped = 0
  /// Frames whose number was not higher than the one before.
  public var repeated = 0
  /// Frames that were passed over after a start.
  public var skipped = 0
  /// Frames that were given back at once because every place for them was in use.
  public var starved = 0
  /// Timestamps that could not be believed.
  public var badTimestamps = 0
  /// Frames that were copied in user space, for whatever reason.
  public var framesCopied = 0
  /// Bytes of those.
  public var bytesCopied = 0
  /// Buffers given back to the driver after they were used.
  public var requeued = 0
  /// Calls on the device that failed and mattered.
  public var errors = 0
  /// Buffers that the driver named but could not have given.
  public var badBuffers = 0
  /// How often the stream was restarted, renegotiated or reopened.
  public var recoveries = 0
  /// How often it stopped without a word.
  public var stalls = 0

  // Not arrays: a count that somebody has just read would be copied by the next one.
  private var damage = SIMD16<Int>()
  private var faults = SIMD16<Int>()
  private static let reasons = FrameDamage.allCases
  private static let kinds = DecoderFault.allCases

  /// Makes zeros.
  public init() {}

  /// Frames that are never shown, all reasons together.
  public var damaged: Int { damage.wrappedSum() }

  /// Frames that are never shown for that reason.
  public func damaged(_ reason: FrameDamage) -> Int { damage[CameraCounts.index(of: reason)] }

  /// Frames that only a decoder showed to be damaged in that way.
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

/// The counts, shared by the thread that counts and those that read.
final class Counter: Sendable {
  private let counts = Mutex(CameraCounts())

  /// What was counted so far.
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
