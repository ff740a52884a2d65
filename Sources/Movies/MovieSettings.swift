import Platform

/// How movies are made: `[movie]` of the configuration.
public struct MovieSettings: Equatable, Sendable {
  /// What a movie's pictures are coded with; raw values are the configuration's words.
  public enum Codec: String, CaseIterable, Sendable {
    /// H.264 where something can encode it, else the camera's own pictures.
    case auto
    /// H.264, which everything plays.
    case h264
    /// The camera's JPEG pictures as they are.
    case copy
  }

  /// How much time libx264 takes for better pictures; raw values are the configuration's words.
  public enum Preset: String, CaseIterable, Sendable {
    /// The slowest of these three that keeps up, by a short test.
    case auto
    /// Good pictures in few bytes.
    case veryfast
    /// About a third more bytes.
    case superfast
    /// For slow machines: about twice the bytes.
    case ultrafast
  }

  /// What pictures are coded with.
  public var codec = Codec.auto
  /// How much time libx264 takes.
  public var preset = Preset.auto
  /// How good H.264 pictures are, from 1 to 100.
  public var quality = 75
  /// How much from before the press belongs to the movie.
  public var preroll = Duration.seconds(1)
  /// The longest movie, with what is from before the press.
  public var maximum = Duration.seconds(10)
  /// The most pixels of an H.264 picture: frames that have more are made smaller.
  ///
  /// An encoder's memory grows with them; see ``MemoryBudget/encoder``.
  public var mostPixels = MovieSettings.usualPixels
  /// How many frames go forward and back in a boomerang; 0: plain movies.
  public var boomerang = 0

  /// A little more pixels than 1920x1080 has.
  public static let usualPixels = 2_100_000
  /// Bytes of frames that a boomerang goes back through at most; one of larger frames has fewer.
  public var boomerangBytes = MemoryBudget.boomerang

  /// How often a boomerang goes forward and back.
  public static let boomerangRounds = 3
  /// The most frames that a boomerang can have.
  public static let longestBoomerang = 120
  /// The longest movie that can be asked for.
  public static let longestMaximum = Duration.seconds(600)

  /// Makes the defaults.
  public init() {}

  /// libx264's constant rate factor for ``quality``: 16 at 100, 22 at 75, 40 at 1.
  var constantRateFactor: Int { 40 - (min(max(quality, 1), 100) * 24 + 50) / 100 }

  /// The most bits in a second of H.264 with that many pixels in a second.
  func bitRate(pixelsPerSecond: Double) -> Int {
    // From a tenth of a bit a pixel, a blur, to half a bit, which hardly differs from the frame.
    let perPixel = 0.1 + 0.4 * Double(min(max(quality, 1), 100)) / 100
    return Int(min(max(pixelsPerSecond * perPixel, 500_000), 50_000_000))
  }
}
