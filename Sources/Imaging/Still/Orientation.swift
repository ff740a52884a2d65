/// How a camera is mounted and what shape its photos have.
///
/// This is `[orientation]` of the configuration; raw values are the configuration's words.
public struct Orientation: Hashable, Sendable {
  /// How many degrees clockwise the camera's body is turned, seen from behind it.
  public enum Mount: Int, CaseIterable, Sendable {
    /// As it was built to stand.
    case upright = 0
    /// Its right side down.
    case clockwise = 90
    /// Upside down.
    case upsideDown = 180
    /// Its left side down.
    case counterclockwise = 270
  }

  /// What guests see as in a mirror.
  public enum Mirror: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// The live preview only.
    case preview
    /// The saved photo and its review only.
    case saved
    /// Everything.
    case both
  }

  /// The shape that photos must have.
  public enum Shape: String, CaseIterable, Sendable {
    /// Higher than wide.
    case portrait
    /// Wider than high.
    case landscape
    /// As the camera gives it.
    case off
  }

  /// What is done to an upright picture that has not the shape it must have.
  public enum Method: String, CaseIterable, Sendable {
    /// It is turned a quarter clockwise.
    case rotateClockwise = "rotate-cw"
    /// It is turned a quarter counter-clockwise.
    case rotateCounterclockwise = "rotate-ccw"
    /// Its middle is kept.
    case crop
  }

  /// Short side to long side of what a crop keeps.
  public enum Aspect: String, CaseIterable, Sendable {
    /// Three to four.
    case threeToFour = "3:4"
    /// Two to three.
    case twoToThree = "2:3"
    /// Nine to sixteen.
    case nineToSixteen = "9:16"
    /// The camera's own, turned; three to four for square pictures.
    case free
  }

  /// How the camera's body is turned; the picture is first made upright by it.
  public var mount = Mount.upright
  /// What is mirrored, left to right as the viewer sees it.
  public var mirror = Mirror.preview
  /// The shape that photos must have.
  public var enforce = Shape.portrait
  /// How they get it.
  ///
  /// A square picture is always cropped: turning cannot help it.
  public var method = Method.crop
  /// What a crop keeps.
  public var aspect = Aspect.threeToFour

  /// Whether frames are encoded anew where moving their data would cost pixels at the edge.
  public var isExact = false

  /// Makes the defaults.
  public init() {}

  /// Makes one from the words of the configuration, with the defaults for what is left out.
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
