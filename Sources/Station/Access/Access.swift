import ImagePicker
import StationConfiguration

/// Whether a station may use a resource, and if not, why and what to do.
///
/// Page, doctor, log and thrown error all say the problem in the same words.
public struct Access: Sendable, Equatable, Encodable {
  /// Whether it may; `notDetermined` where there is nothing to find out with.
  public var status: ImagePickerController.AuthorizationStatus
  /// Why not; nil where it may, or where it is not known.
  public var problem: AccessProblem?

  /// Makes an answer.
  public init(
    _ status: ImagePickerController.AuthorizationStatus, _ problem: AccessProblem? = nil
  ) {
    self.status = status
    self.problem = problem
  }

  static let unknown = Access(.notDetermined)

  private enum CodingKeys: CodingKey { case status, who, what, why, fix }

  /// Writes the status by its name, and the problem's parts.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("\(status)", forKey: .status)
    try container.encodeIfPresent(problem?.who, forKey: .who)
    try container.encodeIfPresent(problem?.what, forKey: .what)
    try container.encodeIfPresent(problem?.why, forKey: .why)
    try container.encodeIfPresent(problem?.fix, forKey: .fix)
  }
}

/// Whether a station may use what it needs.
public struct AccessReport: Sendable, Equatable, Encodable {
  /// The configured camera's device.
  public var camera = Access.unknown
  /// The directory of the library.
  public var library = Access.unknown
  /// The chips and devices of the configured buttons and lamps.
  public var buttons = Access.unknown

  /// Makes a report that knows nothing.
  public init() {}

  /// Probes all of it, as the user that runs the program; it blocks.
  public init(_ configuration: Configuration) {
    let probe = AccessProbe()
    camera = probe.camera(configuration.camera.device ?? "auto", configuration)
    library = probe.library(configuration)
    buttons = probe.panel(configuration)
  }

  package subscript(_ resource: ImagePickerController.Resource) -> Access {
    get {
      switch resource {
      case .camera: camera
      case .library: library
      case .buttons: buttons
      }
    }
    set {
      switch resource {
      case .camera: camera = newValue
      case .library: library = newValue
      case .buttons: buttons = newValue
      }
    }
  }
}
