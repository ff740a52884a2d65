/// The mounting of a camera and the shape of its photos.
///
/// The properties are the keys of `[orientation]` in the configuration, and the raw values are its
/// words.
public struct Orientation: Hashable, Sendable {
  /// The clockwise turn of the camera's body in degrees, seen from behind the camera.
  public enum Mount: Int, CaseIterable, Sendable {
    /// The camera stands as it was built to.
    case upright = 0
    /// The camera's right side is down.
    case clockwise = 90
    /// The camera is upside down.
    case upsideDown = 180
    /// The camera's left side is down.
    case counterclockwise = 270
  }

  /// The pictures that are mirrored.
  public enum Mirror: String, CaseIterable, Sendable {
    /// No picture is mirrored.
    case none
    /// Only the live preview is mirrored.
    case preview
    /// Only the saved photo and its review are mirrored.
    case saved
    /// The preview, the review and the saved photo are mirrored.
    case both
  }

  /// The shape that photos must have.
  public enum Shape: String, CaseIterable, Sendable {
    /// The photo must be higher than wide.
    case portrait
    /// The photo must be wider than high.
    case landscape
    /// The photo keeps the camera's shape.
    case off
  }

  /// The change of an upright picture that does not have the required shape.
  public enum Method: String, CaseIterable, Sendable {
    /// The picture is turned a quarter clockwise.
    case rotateClockwise = "rotate-cw"
    /// The picture is turned a quarter counter-clockwise.
    case rotateCounterclockwise = "rotate-ccw"
    /// The picture is cropped to its middle.
    case crop
  }

  /// The ratio of the short side to the long side of a crop.
  public enum Aspect: String, CaseIterable, Sendable {
    /// Three to four.
    case threeToFour = "3:4"
    /// Two to three.
    case twoToThree = "2:3"
    /// Nine to sixteen.
    case nineToSixteen = "9:16"
    /// The camera's own ratio, turned; three to four for square pictures.
    case free
  }

  /// The turn of the camera's body, by which the picture is first made upright.
  public var mount = Mount.upright
  /// The pictures that are mirrored, left to right as the viewer sees them.
  public var mirror = Mirror.preview
  /// The shape that photos must have.
  public var enforce = Shape.portrait
  /// The method by which photos get that shape.
  ///
  /// A square picture is always cropped, because turning does not change its shape.
  public var method = Method.crop
  /// The aspect ratio of a crop.
  public var aspect = Aspect.threeToFour

  /// Whether frames are re-encoded if a lossless transform would lose pixels at the edge.
  public var isExact = false

  /// Creates the default orientation.
  public init() {}

  /// Creates an orientation with these settings.
  public init(
    mount: Mount = .upright, mirror: Mirror = .preview, enforce: Shape = .portrait,
    method: Method = .crop, aspect: Aspect = .threeToFour, isExact: Bool = false
  ) {
    self.mount = mount
    self.mirror = mirror
    self.enforce = enforce
    self.method = method
    self.aspect = aspect
    self.isExact = isExact
  }

  /// Whether the saved photo and its review are mirrored.
  public var mirrorsSaved: Bool { mirror == .saved || mirror == .both }
  /// Whether the live preview is mirrored.
  public var mirrorsPreview: Bool { mirror == .preview || mirror == .both }
}
