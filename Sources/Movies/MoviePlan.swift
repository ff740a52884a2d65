import Imaging
import Media
import Platform

/// The sizes, limits and coding of a movie, decided before its first frame.
public struct MoviePlan: Equatable, Sendable {
  /// The coding of pictures, and the encoder.
  public enum Coding: Equatable, Sendable {
    /// The camera's JPEG pictures as they are.
    case copy
    /// H.264 by an encoder of that name, with libx264's preset if it has one.
    case h264(encoder: String, preset: String?)

    /// The coding for people to read, such as `h264 (libx264, veryfast)`.
    public var description: String {
      switch self {
      case .copy: "copy"
      case .h264(let encoder, let preset):
        "h264 (\(encoder)\(preset.map { ", \($0)" } ?? ""))"
      }
    }

    /// The codec's name in the configuration.
    public var name: String { self == .copy ? "copy" : "h264" }
  }

  /// The settings of the movie.
  public var settings: MovieSettings
  /// The coding of the pictures.
  public var coding: Coding
  /// The size of the camera's frames.
  public var frame: PixelSize
  /// The conversion of frames to pictures.
  ///
  /// Its frame is smaller than ``frame`` if the pictures would have too many pixels.
  public var geometry: StillGeometry
  /// The expected number of frames in a second.
  public var rate: Double
  /// Whether the frames' samples follow ITU-R BT.709.
  public var isBT709: Bool

  /// Creates the plan for frames of a size and rate.
  ///
  /// `isJPEG` means that frames can be decoded at a reduced size.
  public init(
    _ settings: MovieSettings, coding: Coding, orientation: Orientation, frame: PixelSize,
    rate: Double, isJPEG: Bool = true, isBT709: Bool = false
  ) {
    self.settings = settings
    self.coding = coding
    self.rate = min(max(rate, 1), 240)
    self.isBT709 = isBT709
    self.frame = frame
    var reduced = frame
    if coding != .copy {
      reduced = MoviePictureMaker.reducedSize(
        orientation, frame: frame, isJPEG: isJPEG, mostPixels: settings.mostPixels)
    }
    geometry = MoviePictureMaker.geometry(orientation, frame: reduced)
  }

  /// Returns whether frames would become the same pictures with another orientation.
  public func isTurned(by orientation: Orientation, isJPEG: Bool) -> Bool {
    let other = MoviePlan(
      settings, coding: coding, orientation: orientation, frame: frame, rate: rate, isJPEG: isJPEG)
    return geometry == other.geometry
  }

  /// The size of the displayed movie.
  public var size: PixelSize { geometry.size }

  /// The maximum length of the movie.
  public var longest: Duration {
    guard settings.boomerang > 0 else { return settings.maximum }
    let frames = settings.boomerang * 2 * MovieSettings.boomerangRounds
    return .milliseconds(Int64(Double(frames) * 1000 / rate) + 1)
  }

  /// The maximum number of pictures, for which the tables at the file's start have room.
  var mostSamples: Int {
    if settings.boomerang > 0 { return settings.boomerang * 2 * MovieSettings.boomerangRounds + 8 }
    // Cameras may be faster than they report.
    return Int((Double(longest.nanoseconds) / 1e9 + 2) * max(rate, 30) * 1.5) + 64
  }

  /// The maximum number of bits in a second.
  var bitRate: Int {
    let perSecond = rate * Double(size.width) * Double(size.height)
    if case .h264 = coding { return settings.bitRate(pixelsPerSecond: perSecond) }
    // Four bits a pixel of the whole frame: twice what the best webcams send.
    return Int(rate * Double(geometry.frame.width) * Double(geometry.frame.height) * 4)
  }

  /// The maximum size of the file in bytes, which a recording never exceeds.
  ///
  /// This much room must be free before a recording begins.
  public var mostBytes: Int {
    let seconds = Double(longest.nanoseconds) / 1e9 + 1
    return MP4Writer.headBytes(self) + Int(seconds * Double(bitRate) / 8)
      + mostSamples * 32 + (256 << 10)
  }

  /// Returns the bytes for a ``MoviePool``: the pre-roll and two seconds in which an encoder may
  /// fall behind.
  public static func poolBytes(
    _ settings: MovieSettings, frame: PixelSize, rate: Double, largestFrame: Int, isJPEG: Bool
  ) -> Int {
    let pixels = frame.width.multipliedReportingOverflow(by: frame.height).partialValue
    let usual = isJPEG ? Double(pixels) * 0.35 : Double(largestFrame)
    let seconds = Double(settings.preroll.nanoseconds) / 1e9 + 2
    let wanted = Int(min(usual * min(max(rate, 1), 240) * seconds, 1e9))
    // A few of the largest frames always fit; the limit leaves a Pi's memory to other programs.
    return min(max(wanted, min(largestFrame, 32 << 20) * 4, 8 << 20), MemoryBudget.moviePool)
  }
}
