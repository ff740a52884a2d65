import Glibc
import Imaging
import Media
import Platform
import Station
import StationConfiguration

/// One still of a picture that lies in a file, or of a raw dump: what a frame goes through, alone.
public struct StillFile: Sendable {
  /// What was made.
  public struct Report: Equatable, Sendable, Encodable {
    /// The file's absolute path.
    public var path: String
    /// Width of the still in pixels.
    public var width: Int
    /// Height of the still in pixels.
    public var height: Int
    /// Bytes of the file.
    public var bytes: Int
    /// Whether the coefficients are the source's own: nothing was decoded.
    public var isLossless: Bool
    /// Quarter turns clockwise.
    public var turns: Int
    /// Whether it is mirrored.
    public var isMirrored: Bool
    /// What was kept of the source, in its own coordinates: `X,Y,W,H`.
    public var crop: String
    /// Columns of the source's edge that were cut off so that nothing had to be decoded.
    public var trimmedColumns: Int
    /// Rows, likewise.
    public var trimmedRows: Int
  }

  /// Where the orientation comes from.
  public var configuration: Configuration
  /// The file to read.
  public var input: String
  /// The file to write; one that exists is replaced once the new one is whole.
  public var output: String
  /// What a raw dump holds, as in `YUYV:1920x1080`; nil for a picture file.
  public var raw: String?
  /// A crop in pixels of the upright picture: `X,Y,W,H`; nil: the configuration's.
  public var crop: String?

  /// The largest file that is read.
  static let maximumBytes = 256 << 20

  /// Makes one that reads `input` and writes `output`.
  public init(configuration: Configuration, input: String, output: String) {
    self.configuration = configuration
    self.input = input
    self.output = output
  }

  /// Reads, makes the still, and writes it.
  ///
  /// It blocks its thread. What is wrong with the input is an error of the kind `configuration`.
  public func make() throws(StationError) -> Report {
    try OutputFormat.jpeg.check(output)
    let raw = try rawDescription()
    let box = try cropBox()
    let bytes = try read()
    var tool = StillTool()
    var metadata = StillMetadata()
    metadata.software = "Retake \(Retake.version)"
    metadata.lacksClock = false
    let made = bytes.withUnsafeBytes { bytes -> Result<Still, StillError> in
      do throws(StillError) {
        return .success(
          try tool.still(
            of: bytes, name: input, raw: raw, orientation: configuration.orientation, box: box,
            metadata: metadata))
      } catch {
        return .failure(error)
      }
    }
    let still: Still
    switch made {
    case .success(let made): still = made
    case .failure(let error): throw Self.problem(input, error)
    }
    var file = try OutputFile.create(output)
    try file.write(still)
    let path = try file.publish()
    return Report(
      path: path, width: still.size.width, height: still.size.height, bytes: still.count,
      isLossless: still.isLossless, turns: still.geometry.turns,
      isMirrored: still.geometry.isMirrored, crop: still.geometry.crop.description,
      trimmedColumns: still.trimmed.width, trimmedRows: still.trimmed.height)
  }

  private func rawDescription() throws(StationError) -> StillTool.RawDescription? {
    guard let raw else { return nil }
    guard let description = StillTool.RawDescription(raw) else {
      throw StationError(
        .configuration,
        "'--raw' must be a format and a size, such as YUYV:1920x1080, and is '\(raw)'")
    }
    return description
  }

  private func cropBox() throws(StationError) -> PixelRect? {
    guard let crop else { return nil }
    guard let box = PixelRect(crop) else {
      throw StationError(
        .configuration,
        "'--crop' must be left, top, width and height, such as 0,0,600,800, and is '\(crop)'")
    }
    return box
  }

  private func read() throws(StationError) -> [UInt8] {
    do throws(SystemError) {
      let file = try RootWalk.openFile(input)
      return try readBytes(file, input, limit: Self.maximumBytes)
    } catch {
      throw StationError(
        .configuration, "'\(input)' cannot be read: \(error.reason); name another file",
        cause: error)
    }
  }

  private static func problem(_ input: String, _ error: StillError) -> StationError {
    switch error.code {
    case .failed: StationError(.system, "'\(input)': \(error)", cause: error)
    case .decoderWarning, .damaged:
      StationError(
        .configuration, "'\(input)' is damaged or cut short; choose another file", cause: error)
    case .unsupported, .badCrop:
      StationError(.configuration, "'\(input)': \(error.message)", cause: error)
    }
  }
}
