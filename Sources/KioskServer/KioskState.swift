import ImagePicker
import Media
import Platform

/// Everything that the page shows, except pictures.
public struct KioskState: Equatable, Sendable {
  /// The state of the picker, with the data that belongs to it.
  public var snapshot: PickerMachine.Snapshot
  /// The start of the present state; its timer runs from here to the snapshot's deadline.
  public var began: MonotonicTime
  /// The presentation of the session: `fullScreen`, `sheet`, `popover` or `headless`.
  public var presentation: String
  /// Whether the page shows its buttons.
  public var showsCameraControls: Bool
  /// The event at the end of a review's time; nil if reviews have no time limit.
  public var reviewEnd: ReviewEnd?
  /// The present problem; nil for none.
  public var trouble: Trouble?
  /// The last saved photo; nil if there was none since the start.
  public var lastPhoto: LastPhoto?
  /// The camera.
  public var camera: Camera
  /// The conversion of frames to the preview; nil while no frame's size is known.
  public var preview: Preview?
  /// The labels of buttons and keys, by their function.
  public var controls: [String: [String]]
  /// The panel's buttons with known colours, for the page to draw.
  public var panel: [PanelButton] = []
  /// The operator's settings of the page.
  public var settings: Settings
  /// Whether the operator's view needs the PIN.
  public var needsPIN: Bool

  /// The event at the end of a review's time.
  public enum ReviewEnd: String, Sendable, Encodable {
    /// The photo is kept.
    case accept
    /// The photo is discarded.
    case cancel
  }

  /// A problem, described for the guest and the operator.
  public struct Trouble: Equatable, Sendable {
    /// `camera`, `storage`, `library` or `fault`.
    public var kind: String
    /// The picker's name for the reason.
    public var code: String
    /// One plain sentence for the guest.
    public var guest: String
    /// The station's present attempt to solve the problem; nil for none.
    public var trying: String?
    /// The interval of the attempts.
    public var retry: Duration?
    /// The problem in the operator's words.
    public var operatorReason: String
    /// The operator's fix; nil if none is known.
    public var operatorFix: String?

    /// Creates a description of a problem.
    public init(
      kind: String, code: String, guest: String, trying: String?, retry: Duration?,
      operatorReason: String, operatorFix: String?
    ) {
      self.kind = kind
      self.code = code
      self.guest = guest
      self.trying = trying
      self.retry = retry
      self.operatorReason = operatorReason
      self.operatorFix = operatorFix
    }
  }

  /// A photo that was just saved.
  public struct LastPhoto: Equatable, Sendable, Encodable {
    /// The photo's unique name.
    public var id: String
    /// The file's name.
    public var name: String
    /// The file's path.
    public var path: String

    /// Creates a description of a photo.
    public init(id: String, name: String, path: String) {
      self.id = id
      self.name = name
      self.path = path
    }
  }

  /// The camera in use.
  public struct Camera: Equatable, Sendable, Encodable {
    /// The camera's name for people.
    public var name: String
    /// The camera's state, such as `streaming` or `absent`.
    public var state: String
    /// The frames' width in pixels; 0 if unknown.
    public var width: Int
    /// The frames' height in pixels; 0 if unknown.
    public var height: Int

    /// Creates a description of a camera.
    public init(name: String, state: String, width: Int, height: Int) {
      self.name = name
      self.state = state
      self.width = width
      self.height = height
    }
  }

  /// The conversion of a frame: it is cropped and turned as in the photo, and may be mirrored for
  /// display.
  public struct Preview: Equatable, Sendable {
    /// Quarter turns clockwise.
    public var turns: Int
    /// Whether the page mirrors the preview.
    public var isMirrored: Bool
    /// The part of the frame that the photo keeps.
    public var crop: PixelRect
    /// The frame's size.
    public var frame: PixelSize

    /// Creates a conversion.
    public init(turns: Int, isMirrored: Bool, crop: PixelRect, frame: PixelSize) {
      self.turns = turns
      self.isMirrored = isMirrored
      self.crop = crop
      self.frame = frame
    }
  }

  /// The operator's settings of the page.
  public struct Settings: Equatable, Sendable, Encodable {
    /// The page's language, or `auto`.
    public var language = "auto"
    /// Whether the page plays sounds for countdown and shutter.
    public var sounds = false
    /// Whether the page shows saved photos while the booth is unused.
    public var slideshow = true
    /// Whether guests can look through the saved photos.
    public var gallery = true
    /// The position of the lens, seen from the screen: `top`, `right`, `bottom` or `left`.
    public var lens = "top"
    /// Whether the screen lights the guest's face at the end of a countdown.
    public var fillLight = true
    /// The headline while the booth is unused; nil for the page's own words.
    public var title: String?
    /// The time from the press to the exposure.
    ///
    /// Unit: seconds.
    public var countdownSeconds = 3.0
    /// The time of a review; 0 for no limit.
    ///
    /// Unit: seconds.
    public var reviewSeconds = 30.0
    /// The kinds of recordings that the shutter can make.
    public var modes = ["photo"]
    /// The maximum length of a movie; nil if movies are off.
    ///
    /// Unit: seconds.
    public var movieSeconds: Double?

    /// Creates the default settings.
    public init() {}

    private enum Key: String, CodingKey {
      case language, sounds, slideshow, gallery, lens, fillLight, title, countdownSeconds,
        reviewSeconds, modes, movieSeconds
    }

    /// Encodes the settings for the page.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(language, forKey: .language)
      try container.encode(sounds, forKey: .sounds)
      try container.encode(slideshow, forKey: .slideshow)
      try container.encode(gallery, forKey: .gallery)
      try container.encode(lens, forKey: .lens)
      try container.encode(fillLight, forKey: .fillLight)
      try container.encode(title, forKey: .title)
      try container.encode(countdownSeconds, forKey: .countdownSeconds)
      try container.encode(reviewSeconds, forKey: .reviewSeconds)
      try container.encode(modes, forKey: .modes)
      try container.encode(movieSeconds, forKey: .movieSeconds)
    }
  }

  /// Creates a state; all parts but the picker and the camera have defaults.
  public init(
    snapshot: PickerMachine.Snapshot, began: MonotonicTime, camera: Camera,
    presentation: String = "fullScreen", showsCameraControls: Bool = true,
    reviewEnd: ReviewEnd? = nil, trouble: Trouble? = nil, lastPhoto: LastPhoto? = nil,
    preview: Preview? = nil, controls: [String: [String]] = [:], settings: Settings = Settings(),
    needsPIN: Bool = false
  ) {
    self.snapshot = snapshot
    self.began = began
    self.presentation = presentation
    self.showsCameraControls = showsCameraControls
    self.reviewEnd = reviewEnd
    self.trouble = trouble
    self.lastPhoto = lastPhoto
    self.camera = camera
    self.preview = preview
    self.controls = controls
    self.settings = settings
    self.needsPIN = needsPIN
  }
}

/// A message to the guest that does not change the state.
public struct KioskNotice: Equatable, Sendable, Encodable {
  /// `refused` or `saveIsSlow`.
  public var kind: String
  /// The picker's name for the reason of a refusal; nil for other notices.
  public var code: String?
  /// The guest's sentence, in English.
  public var message: String

  /// Creates a notice.
  public init(kind: String, code: String?, message: String) {
    self.kind = kind
    self.code = code
    self.message = message
  }

  private enum Key: String, CodingKey { case kind, code, message }

  /// Encodes the notice for the page.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(code, forKey: .code)
    try container.encode(message, forKey: .message)
  }
}
