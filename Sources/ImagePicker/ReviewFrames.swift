/// The frames around the exposure that a review offers, in the order in which they were taken.
public struct ReviewFrames: Hashable, Sendable {
  /// The most frames that a review offers.
  public static let limit = 5

  /// How much later than the wanted moment each frame was taken; negative: earlier.
  public let offsets: [Duration]
  /// The index of the frame nearest to the moment, which is kept where nobody chooses.
  public let nearest: Int
  /// The index of the frame that an accept keeps.
  public internal(set) var chosen: Int
  /// Whether the still of the chosen frame is made and can be shown.
  public internal(set) var isReady = true

  /// Makes the offer of the frames with these `offsets`, the nearest of them chosen.
  ///
  /// Returns nil for fewer than two frames, for more than ``limit``, and for a `nearest` that is none
  /// of them.
  public init?(offsets: [Duration], nearest: Int) {
    guard (2...Self.limit).contains(offsets.count), offsets.indices.contains(nearest) else {
      return nil
    }
    self.offsets = offsets
    self.nearest = nearest
    chosen = nearest
  }

  /// How many frames there are, from 2 to ``limit``.
  public var count: Int { offsets.count }

  /// The index of the frame that `choice` means; nil where there is none.
  ///
  /// The step after the last frame leads to the first, and the other way round, so that a single
  /// button reaches every frame.
  func index(of choice: FrameChoice) -> Int? {
    switch choice {
    case .index(let index): offsets.indices.contains(index) ? index : nil
    case .next: (chosen + 1) % count
    case .previous: (chosen + count - 1) % count
    }
  }
}

/// Which frame of a review is wanted.
public enum FrameChoice: Hashable, Sendable {
  /// The frame at an index of ``ReviewFrames/offsets``.
  case index(Int)
  /// The frame after the chosen one.
  case next
  /// The frame before the chosen one.
  case previous
}
