import Media

/// Looks at a frame's bytes and says whether they are a picture; must not allocate or block.
public typealias FrameGate = @Sendable (FrameImage) -> FrameInspection

/// What a camera is asked for.
public struct ModeWish: Equatable, Sendable {
  /// Exactly this size; nil for the best.
  public var size: PixelSize?
  /// Exactly this format; nil for the best.
  public var format: PixelFormat?
  /// This rate, or the nearest that there is.
  public var rate: FrameRate
  /// Exactly this rate, where the driver names its rates; nil: ``rate`` is only preferred.
  public var exactRate: FrameRate?
  /// Modes below this rate are taken only when there is no other.
  public var leastRate: FrameRate
  /// Sizes with more pixels are taken only when `size` says so.
  public var mostPixels: Int

  /// Makes a wish; by default the largest size up to 1920x1440 that reaches 15 frames a second,
  /// as near to 30 as it goes.
  public init(
    size: PixelSize? = nil, format: PixelFormat? = nil, rate: FrameRate? = nil,
    mostPixels: Int = 1920 * 1440
  ) {
    self.size = size
    self.format = format
    self.rate = rate ?? .thirty
    exactRate = rate
    self.leastRate = min(rate ?? .fifteen, .fifteen)
    self.mostPixels = mostPixels
  }
}

/// How a camera is run.
public struct CameraOptions: Sendable {
  /// What it is asked for.
  ///
  /// A clip or the demo camera takes only the rate from it.
  public var wish = ModeWish()
  /// What its controls are set to each time it is opened, by their names.
  public var controls: [String: ControlValue] = [:]
  /// How many driver buffers are asked for, from 2 to 32.
  public var buffers = 8
  /// How many frames are passed over after each start of a device.
  public var skippedFrames = 2
  /// For how long frames are passed over after each start of a device.
  public var skippedTime = Duration.zero
  /// A file to which the demo camera and clips write `number nanoseconds` of each frame they send,
  /// so that others can judge what was captured.
  public var sourceLog: String?
  /// A file to which a line is appended for each frame that comes out of the driver:
  /// `SEQUENCE TIMESTAMP DEQUEUED BYTES FATE`, where the fate is `clean` or `repairable` for those
  /// that were published, else why they were not.
  public var frameLog: String?
  /// The standard Huffman tables as one complete DHT segment, inserted where a frame lacks them.
  public var huffmanTables: [UInt8] = []

  /// Makes the usual options.
  public init() {}
}
