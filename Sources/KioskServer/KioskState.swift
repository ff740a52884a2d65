import ImagePicker
import Media
import Platform

/// Everything that the page shows, but for pictures.
public struct KioskState: Equatable, Sendable {
  /// Where the picker is, with what belongs to it there.
  public var snapshot: PickerMachine.Snapshot
  /// When the present state began; its timer runs from here to the snapshot's deadline.
  public var began: MonotonicTime
  /// How the session is presented: `fullScreen`, `sheet`, `popover` or `headless`.
  public var presentation: String
  /// Whether the page shows its buttons.
  public var showsCameraControls: Bool
  /// What happens at the end of a review's time; nil where no review has one.
  public var reviewEnd: ReviewEnd?
  /// What is wrong; nil: nothing.
  public var trouble: Trouble?
  /// The last photo that was saved; nil: none since the start.
  public var lastPhoto: LastPhoto?
  /// The camera.
  public var camera: Camera
  /// How frames become the preview; nil while no frame's size is known.
  public var preview: Preview?
  /// The labels of buttons and keys, by what they do.
  public var controls: [String: [String]]
  /// The panel's buttons whose colours are known, for the page to draw.
  public var panel: [PanelButton] = []
  /// What the operator decided about the page.
  public var settings: Settings
  /// Whether the operator's view needs the PIN.
  public var needsPIN: Bool

  /// What happens at the end of a review's time.
  public enum ReviewEnd: String, Sendable, Encodable {
    /// The photo is kept.
    case accept
    /// The photo is thrown away.
    case cancel
  }

  /// What is wrong, for guest and operator.
  public struct Trouble: Equatable, Sendable {
    /// `camera`, `storage`, `library` or `fault`.
    public var kind: String
    /// Which reason of the picker it is.
    public var code: String
    /// One plain sentence for the guest.
    public var guest: String
    /// What is being tried; nil: nothing.
    public var trying: String?
    /// How often that is tried.
    public var retry: Duration?
    /// What the operator reads: what is wrong, and what to do about it.
    public var operatorReason: String
    /// The operator's remedy; nil where nothing is known.
    public var operatorFix: String?

    /// Makes a trouble.
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
    /// Its name among all photos.
    public var id: String
    /// The file's name.
    public var name: String
    /// The file's path.
    public var path: String

    /// Makes it.
    public init(id: String, name: String, path: String) {
      self.id = id
      self.name = name
      self.path = path
    }
  }

  /// The camera in use.
  public struct Camera: Equatable, Sendable, Encodable {
    /// What people call it.
    public var name: String
    /// `streaming`, `absent`, … .
    public var state: String
    /// The frames' width in pixels; 0 when it is not known.
    public var width: Int
    /// The frames' height in pixels; 0 when it is not known.
    public var height: Int

    /// Makes it.
    public init(name: String, state: String, width: Int, height: Int) {
      self.name = name
      self.state = state
      self.width = width
      self.height = height
    }
  }

  /// A box in pixels.
  public struct Box: Equatable, Sendable, Encodable {
    /// From the left.
    public var x: Int
    /// From the top.
    public var y: Int
    /// How wide it is.
    public var width: Int
    /// How high it is.
    public var height: Int

    /// Makes a box.
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// How a frame becomes what is saved: `crop`, turned, and mirrored for the eye only.
  public struct Preview: Equatable, Sendable {
    /// Quarter turns clockwise.
    public var turns: Int
    /// Whether the page shows it as a mirror does.
    public var isMirrored: Bool
    /// What is kept of the frame.
    public var crop: Box
    /// The frame's size.
    public var frame: PixelSize

    /// Makes it.
    public init(turns: Int, isMirrored: Bool, crop: Box, frame: PixelSize) {
      self.turns = turns
      self.isMirrored = isMirrored
      self.crop = crop
      self.frame = frame
    }
  }

  /// What the operator decided about the page.
  public struct Settings: Equatable, Sendable, Encodable {
    /// `auto`, or the page's language.
    public var language = "auto"
    /// Whether countdown and shutter are heard.
    public var sounds = false
    /// Whether saved photos are shown while nobody is there.
    public var slideshow = true
    /// Whether guests can look through the saved photos.
    public var gallery = true
    /// Where the lens is, seen from the screen: `top`, `right`, `bottom` or `left`.
    public var lens = "top"
    /// Whether the screen lights the guest's face for the last moment of a countdown.
    public var fillLight = true
    /// The headline while nobody is there; nil: the page's own words.
    public var title: String?
    /// From the press to the exposure.
    public var countdownSeconds = 3.0
    /// How long a review lasts; 0: without end.
    public var reviewSeconds = 30.0
    /// What the shutter can take.
    public var modes = ["photo"]
    /// The longest movie; nil where none can be taken.
    public var movieSeconds: Double?

    /// Makes the defaults.
    public init() {}

    private enum Key: String, CodingKey {
      case language, sounds, slideshow, gallery, lens, fillLight, title, countdownSeconds,
        reviewSeconds, modes, movieSeconds
    }

    /// Writes it as the page reads it.
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

  /// Makes the state of a station that shows nothing but where its picker is.
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

/// Something that the guest is told while the state stays.
public struct KioskNotice: Equatable, Sendable, Encodable {
  /// `refused` or `saveIsSlow`.
  public var kind: String
  /// Which reason of the picker it is; nil for what is no refusal.
  public var code: String?
  /// The guest's sentence, in English.
  public var message: String

  /// Makes a notice.
  public init(kind: String, code: String?, message: String) {
    self.kind = kind
    self.code = code
    self.message = message
  }

  private enum Key: String, CodingKey { case kind, code, message }

  /// Writes it as the page reads it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(code, forKey: .code)
    try container.encode(message, forKey: .message)
  }
}
