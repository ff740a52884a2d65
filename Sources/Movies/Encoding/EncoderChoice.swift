import CLibAV
import CLinux
import Imaging
import Media
import Platform
import Synchronization

/// The choice of the encoder for movies on this machine.
///
/// The hardware encoder is chosen if it exists and works. Otherwise libx264 is chosen, with a
/// preset that is fast enough. Without both there is no encoder.
public enum EncoderChoice {
  private struct Key: Hashable {
    var size: PixelSize
    var rate: Double
    var preset: MovieSettings.Preset
  }

  /// The results of tests, by the size and rate of movies.
  private static let known = Mutex<[Key: MoviePlan.Coding]>([:])
  private static let hardware = "h264_v4l2m2m"
  private static let software = "libx264"
  /// The maximum share of the time between two frames that an encoder may take, which leaves time
  /// for other work.
  private static let share = 0.5

  /// The version of libavcodec; nil if it is not installed.
  public static var version: String? {
    let text = String(cString: clibav_version())
    return text.isEmpty ? nil : text
  }

  /// Returns the coding for frames of a size and rate.
  ///
  /// The first call for a size and rate tests the encoders by encoding some pictures and decoding
  /// them again; it blocks for up to a second.
  public static func coding(
    _ settings: MovieSettings, orientation: Orientation, frame: PixelSize, rate: Double,
    isJPEG: Bool
  ) throws(MovieError) -> MoviePlan.Coding {
    if settings.codec == .copy {
      guard isJPEG else {
        throw MovieError(
          .unsupported,
          "the camera sends no JPEG pictures, so there is nothing to copy",
          fix: "set 'movie.codec' to \"h264\", or 'camera.format' to \"MJPG\"")
      }
      return .copy
    }
    let plan = MoviePlan(
      settings, coding: .h264(encoder: software, preset: nil), orientation: orientation,
      frame: frame, rate: rate, isJPEG: isJPEG)
    let key = Key(size: plan.size, rate: plan.rate, preset: settings.preset)
    if let coding = known.withLock({ $0[key] }) { return coding }
    do throws(MovieError) {
      // The encoder's memory would otherwise stay with the heap: 10 MB for 720p.
      defer { clinux_trim_memory() }
      let coding = try test(plan)
      known.withLock { $0[key] = coding }
      return coding
    } catch {
      guard settings.codec == .auto, isJPEG else { throw error }
      Log("movies").notice("\(error.operatorMessage); movies are copies of the camera's pictures")
      return .copy
    }
  }

  private static func test(_ plan: MoviePlan) throws(MovieError) -> MoviePlan.Coding {
    let (isLoaded, reason) = VideoEncoder.words { text, room in clibav_load(text, room) }
    guard isLoaded else {
      throw MovieError(
        .noEncoder,
        "no movie can be encoded: libavcodec is not installed (\(reason)); sudo apt install \(package)"
      )
    }
    // The hardware encoder is tested first if libavcodec has it: a Pi 4 has one, a Pi 5 and most
    // computers have none.
    if clibav_has_encoder(hardware), testHardware(plan).seconds != nil {
      return .h264(encoder: hardware, preset: nil)
    }
    guard clibav_has_encoder(software) else {
      throw MovieError(
        .noEncoder,
        "libavcodec has neither \(hardware) nor \(software); "
          + "sudo apt install --reinstall \(package)")
    }
    guard plan.settings.preset == .auto else {
      return .h264(encoder: software, preset: plan.settings.preset.rawValue)
    }
    for preset in [MovieSettings.Preset.veryfast, .superfast] {
      if let seconds = run(plan, software, preset.rawValue, frames: 16).seconds,
        seconds * plan.rate <= share
      {
        return .h264(encoder: software, preset: preset.rawValue)
      }
    }
    return .h264(encoder: software, preset: MovieSettings.Preset.ultrafast.rawValue)
  }

  private static func testHardware(_ plan: MoviePlan) -> (seconds: Double?, reason: String) {
    run(plan, hardware, nil, frames: 8)
  }

  /// Returns the seconds that a picture took; nil and the reason if the encoder fails.
  private static func run(
    _ plan: MoviePlan, _ encoder: String, _ preset: String?, frames: Int32
  ) -> (seconds: Double?, reason: String) {
    var seconds = 0.0
    let (result, reason) = VideoEncoder.words { text, room in
      VideoEncoder.with(plan, encoder, preset) { settings in
        clibav_self_test(settings, frames, &seconds, text, room)
      }
    }
    Log("movies").debug(
      "encoder \(encoder) \(preset ?? ""): \(result == 0 ? "\(seconds * 1000) ms" : reason)")
    return (result == 0 ? seconds : nil, reason)
  }
}

// MARK: For people

extension EncoderChoice {
  /// The abilities of this machine for movies, as found by tests.
  public struct Report: Equatable, Sendable {
    /// The coding of movies; nil if none is possible.
    public var coding: MoviePlan.Coding?
    /// Whether the configuration asks for this coding, so that it is not a fallback.
    public var isWanted = true
    /// The reason why no better coding is used, in the operator's words; empty if nothing is wrong.
    public var problem = ""
    /// The result of the hardware encoder's test, in words.
    public var hardware: String
    /// The command that fixes the problem.
    public var fix = "sudo apt install \(EncoderChoice.package)"

    /// Creates a report.
    public init(_ coding: MoviePlan.Coding?, problem: String = "", hardware: String) {
      (self.coding, self.problem, self.hardware) = (coding, problem, hardware)
      isWanted = problem.isEmpty
    }
  }

  /// Debian's package of the libavcodec that this program can use.
  public static var package: String { "libavcodec\(clibav_wanted_version())" }

  /// Tests the encoders for movies of frames of a size and rate, blocking for up to a second.
  public static func report(
    _ settings: MovieSettings, frame: PixelSize, rate: Double = 30, isJPEG: Bool = true
  ) -> Report {
    let plan = MoviePlan(
      settings, coding: .h264(encoder: software, preset: nil), orientation: Orientation(),
      frame: frame, rate: rate, isJPEG: isJPEG)
    let hardware = hardwareWords(plan)
    var wanted = settings
    // H.264 is requested, so that the report also has the reason for a fallback.
    if settings.codec == .auto { wanted.codec = .h264 }
    do throws(MovieError) {
      let coding = try coding(
        wanted, orientation: Orientation(), frame: frame, rate: rate, isJPEG: isJPEG)
      return Report(coding, hardware: hardware)
    } catch {
      let isCopied = settings.codec == .auto && isJPEG
      return Report(isCopied ? .copy : nil, problem: error.operatorMessage, hardware: hardware)
    }
  }

  private static func hardwareWords(_ plan: MoviePlan) -> String {
    guard version != nil else { return "libavcodec is not installed" }
    guard clibav_has_encoder(hardware) else { return "libavcodec has no \(hardware)" }
    let (seconds, reason) = testHardware(plan)
    return seconds == nil
      ? "no hardware encoder (\(hardware): \(reason))" : "\(hardware) passed its test"
  }
}
