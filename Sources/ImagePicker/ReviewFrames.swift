/// The frames around the exposure that a review offers, in the order in which they were taken.
public struct ReviewFrames: Hashable, Sendable {
  /// The maximum number of frames that a review offers.
  public static let limit = 5

  /// The time of each frame relative to the wanted moment; negative for earlier frames.
  public let offsets: [Duration]
  /// The index of the frame nearest to the moment, which is kept unless the guest chooses another.
  public let nearest: Int
  /// The index of the frame that an accept keeps.
  public internal(set) var chosen: Int
  /// Whether the still of the chosen frame is finished and can be shown.
  public internal(set) var isReady = true

  /// Creates an offer of the frames with these `offsets`, with the nearest one chosen.
  ///
  /// Returns nil for fewer than two frames, for more than ``limit``, and for a `nearest` that is
  /// out of range.
  public init?(offsets: [Duration], nearest: Int) {
    guard (2...Self.limit).contains(offsets.count), offsets.indices.contains(nearest) else {
      return nil
    }
    self.offsets = offsets
    self.nearest = nearest
    chosen = nearest
  }

  /// The number of frames, from 2 to ``limit``.
  public var count: Int { offsets.count }

  /// Returns the index of the frame that `choice` means, or nil if it is out of range.
  ///
  /// The frame after the last is the first, and the frame before the first is the last, so that a
  /// single button reaches every frame.
  func index(of choice: FrameChoice) -> Int? {
    switch choice {
    case .index(let index): offsets.indices.contains(index) ? index : nil
    case .next: (chosen + 1) % count
    case .previous: (chosen + count - 1) % count
    }
  }
}

/// A guest's choice among the frames of a review.
public enum FrameChoice: Hashable, Sendable {
  /// The frame at an index of ``ReviewFrames/offsets``.
  case index(Int)
  /// The frame after the chosen one.
  case next
  /// The frame before the chosen one.
  case previous
}
