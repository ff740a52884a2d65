/// A camera as a person names it, apart from the names in a configuration.
public enum CameraName: Equatable, Sendable, CustomStringConvertible {
  /// The built-in moving scene.
  case demo
  /// A file of concatenated JPEG pictures.
  case clip(String)
  /// A device: a path, a name under `/dev/v4l/by-id` or `by-path`, or an identity's
  /// ``CameraIdentity/key``.
  case device(String)
  /// The best real camera that is connected.
  case best

  /// Parses `demo`, `best` or `auto`, `clip:FILE`, `/dev/videoN`, a name that the system gave, or
  /// an identity's key.
  public init(_ text: String) {
    if text == "demo" {
      self = .demo
    } else if text == "best" || text == "auto" || text.isEmpty {
      self = .best
    } else if text.hasPrefix("clip:") {
      self = .clip(String(text.dropFirst(5)))
    } else {
      self = .device(text)
    }
  }

  /// The text form, which ``init(_:)`` parses.
  public var description: String {
    switch self {
    case .demo: "demo"
    case .clip(let file): "clip:\(file)"
    case .device(let name): name
    case .best: "best"
    }
  }
}
