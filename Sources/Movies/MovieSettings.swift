import Platform

/// The settings of movies: `[movie]` of the configuration.
public struct MovieSettings: Equatable, Sendable {
  /// The coding of a movie's pictures; raw values are the configuration's words.
  public enum Codec: String, CaseIterable, Sendable {
    /// H.264 if an encoder works, else the camera's own pictures.
    case auto
    /// H.264, which all players support.
    case h264
    /// The camera's JPEG pictures as they are.
    case copy
  }

  /// The time that libx264 spends on better pictures; raw values are the configuration's words.
  public enum Preset: String, CaseIterable, Sendable {
    /// The slowest of the other three that is fast enough, by a short test.
    case auto
    /// Good pictures in few bytes.
    case veryfast
    /// About a third more bytes.
    case superfast
    /// For slow machines: about twice the bytes.
    case ultrafast
  }

  /// The coding of pictures.
  public var codec = Codec.auto
  /// The time that libx264 spends on better pictures.
  public var preset = Preset.auto
  /// The quality of H.264 pictures, from 1 to 100.
  public var quality = 75
  /// The part of a movie from before the press.
  public var preroll = Duration.seconds(1)
  /// The maximum length of a movie, including the part from before the press.
  public var maximum = Duration.seconds(10)
  /// The maximum number of pixels in an H.264 picture; larger frames are reduced.
  ///
  /// The encoder's memory grows with them; see `MemoryBudget.encoder`.
  public var mostPixels = MovieSettings.usualPixels
  /// The number of frames that a boomerang repeats; 0 for plain movies.
  public var boomerang = 0

  /// Slightly more pixels than 1920x1080 has.
  public static let usualPixels = 2_100_000
  /// The maximum bytes of frames in a boomerang, which limits the number of large frames.
  public var boomerangBytes = MemoryBudget.boomerang

  /// The number of times that a boomerang goes forward and back.
  public static let boomerangRounds = 3
  /// The maximum number of frames in a boomerang.
  public static let longestBoomerang = 120

  /// Creates the default settings.
  public init() {}

  /// The libx264 constant rate factor for ``quality``: 16 at 100, 22 at 75, 40 at 1.
  var constantRateFactor: Int { 40 - (min(max(quality, 1), 100) * 24 + 50) / 100 }

  /// Returns the maximum bits in a second of H.264 for a number of pixels in a second.
  func bitRate(pixelsPerSecond: Double) -> Int {
    // From 0.1 bits a pixel, which blurs, to 0.5 bits, which hardly differs from the frame.
    let perPixel = 0.1 + 0.4 * Double(min(max(quality, 1), 100)) / 100
    return Int(min(max(pixelsPerSecond * perPixel, 500_000), 50_000_000))
  }
}
