import Glibc
import Imaging
import Media
import Platform
import Station
import StationConfiguration

/// Makes a still of a picture file or a raw dump, with the same code as for a camera's frame.
public struct StillFile: Sendable {
  /// The result of the work.
  public struct Report: Equatable, Sendable, Encodable {
    /// The file's absolute path.
    public var path: String
    /// The width of the still in pixels.
    public var width: Int
    /// The height of the still in pixels.
    public var height: Int
    /// The size of the file in bytes.
    public var bytes: Int
    /// Whether the still has the source's own coefficients, so that nothing was decoded.
    public var isLossless: Bool
    /// The number of quarter turns clockwise.
    public var turns: Int
    /// Whether the still is mirrored.
    public var isMirrored: Bool
    /// The kept part of the source, in the source's coordinates: `X,Y,W,H`.
    public var crop: String
    /// The number of edge columns of the source that were cut off for a lossless turn.
    public var trimmedColumns: Int
    /// The number of edge rows of the source that were cut off for a lossless turn.
    public var trimmedRows: Int
  }

  /// The configuration of the orientation.
  public var configuration: Configuration
  /// The file to read.
  public var input: String
  /// The output file; an existing file is replaced when the new one is complete.
  public var output: String
  /// The format of a raw dump, as in `YUYV:1920x1080`, or `nil` for a picture file.
  public var raw: String?
  /// The crop in pixels of the upright picture, `X,Y,W,H`, or `nil` for the configured one.
  public var crop: String?

  /// The maximum size of an input file.
  static let maximumBytes = 256 << 20

  /// Creates a still that reads `input` and writes `output`.
  public init(configuration: Configuration, input: String, output: String) {
    self.configuration = configuration
    self.input = input
    self.output = output
  }

  /// Reads the input, makes the still, and writes it.
  ///
  /// Blocks the thread. A fault of the input is an error of the kind `configuration`.
  public func make() throws(StationError) -> Report {
    try OutputFormat.jpeg.check(output)
    let raw = try rawDescription()
    let box = try cropBox()
    let bytes = try read()
    var tool = StillTool()
    var metadata = StillMetadata()
    metadata.software = Retake.software
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
        .configuration, "'\(input)' cannot be read: \(error.reason)", fix: "name another file",
        cause: error)
    }
  }

  private static func problem(_ input: String, _ error: StillError) -> StationError {
    switch error.code {
    case .failed: StationError(.system, "'\(input)': \(error)", fix: error.fix, cause: error)
    case .decoderWarning, .damaged, .noFrame:
      StationError(
        .configuration, "'\(input)' is damaged or cut short", fix: "choose another file",
        cause: error)
    case .unsupported, .badCrop:
      StationError(.configuration, "'\(input)': \(error.message)", fix: error.fix, cause: error)
    }
  }
}
