import Media

/// A function that inspects a frame's bytes and says whether they are a usable picture; the
/// function must not allocate or block.
public typealias FrameInspector = @Sendable (FrameImage) -> FrameInspection

/// The mode that a camera is asked for.
public struct ModeWish: Equatable, Sendable {
  /// The exact size; nil for the best.
  public var size: PixelSize?
  /// The exact format; nil for the best.
  public var format: PixelFormat?
  /// The preferred rate, in place of which the nearest available rate may be used.
  public var rate: FrameRate
  /// The exact rate, if the driver lists its rates; nil if ``rate`` is only preferred.
  public var exactRate: FrameRate?
  /// The rate below which a mode is used only if there is no other.
  public var leastRate: FrameRate
  /// The maximum number of pixels of a size that `size` does not ask for.
  public var mostPixels: Int

  /// Creates a wish; the default is the largest size up to 1920x1440 with at least 15 frames per
  /// second, at the rate nearest to 30.
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

/// The options of a camera.
public struct CameraOptions: Sendable {
  /// The mode to ask the device for.
  ///
  /// A clip or the demo camera uses only its rate.
  public var wish = ModeWish()
  /// The values of controls by their names, set each time the device is opened.
  public var controls: [String: ControlValue] = [:]
  /// The number of driver buffers to ask for, from 2 to 32.
  public var buffers = 8
  /// The number of frames to skip after each start of a device.
  public var skippedFrames = 2
  /// The time for which frames are skipped after each start of a device.
  public var skippedTime = Duration.zero
  /// A file to which the demo camera and clips write `number nanoseconds` of each frame they send,
  /// so that a test can compare the captured frames.
  public var sourceLog: String?
  /// A file to which a line is appended for each frame that the driver delivers: `SEQUENCE
  /// TIMESTAMP DEQUEUED BYTES FATE`, where the fate is `clean` or `repairable` for published frames
  /// and the reason for others.
  public var frameLog: String?
  /// The standard Huffman tables as one complete DHT segment, inserted into frames that lack them.
  public var huffmanTables: [UInt8] = []

  /// Creates the default options.
  public init() {}
}
