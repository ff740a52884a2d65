import ImagePicker
import StationConfiguration

/// The permission of a station for a resource, with the reason for a refusal and the fix.
///
/// The page, the doctor, the log and thrown errors all describe the problem in the same words.
public struct Access: Sendable, Equatable, Encodable {
  /// Whether the station may use the resource; `notDetermined` when the probe cannot tell.
  public var status: ImagePickerController.AuthorizationStatus
  /// The reason for a refusal, or `nil` when the resource may be used or the answer is unknown.
  public var problem: AccessProblem?

  /// Creates an answer.
  public init(
    _ status: ImagePickerController.AuthorizationStatus, _ problem: AccessProblem? = nil
  ) {
    self.status = status
    self.problem = problem
  }

  static let unknown = Access(.notDetermined)

  private enum CodingKeys: CodingKey { case status }

  /// Writes the status by its name, and beside it the problem's parts.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("\(status)", forKey: .status)
    try problem?.encode(to: encoder)
  }
}

/// The permissions of a station for the resources that it needs.
public struct AccessReport: Sendable, Equatable, Encodable {
  /// The permission for the configured camera's device.
  public var camera = Access.unknown
  /// The permission for the directory of the library.
  public var library = Access.unknown
  /// The permission for the chips and devices of the configured buttons and lamps.
  public var buttons = Access.unknown

  /// Creates a report in which every answer is unknown.
  public init() {}

  /// Probes all resources as the user that runs the program.
  ///
  /// Blocks on devices and disks.
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
