import ImagePicker
import PhotoLibrary
import Platform

/// How a station stands, for the terminal, `retake trigger status` and the page.
public struct StationStatus: Equatable, Sendable, Encodable {
  /// The camera's part of it.
  public struct Camera: Equatable, Sendable, Encodable {
    /// Its name.
    public var name: String
    /// What it is doing: `streaming`, `absent`, … .
    public var state: String
    /// The same in words.
    public var words: String
    /// Size, format and rate as granted.
    public var mode: String?
    /// Frames a second as they come; nil until some of the present stream came.
    public var observedRate: Double?
    /// Whether so few come, for the rate that was granted, that the camera lacks light.
    public var lacksLight: Bool
    /// Other nodes whose cameras have the same serial number.
    public var twins: [String]
    /// Frames published since the start.
    public var framesPublished: Int
    /// Frames that were damaged and never shown.
    public var framesDamaged: Int
    /// Those, by reason; without those that never were.
    public var framesDamagedByReason: [String: Int]
    /// Frames that looked whole until a still was to be made of them, by what the decoder found.
    public var decoderFaults: [String: Int]
    /// Those of them that a viewer had seen.
    public var faultsShown: Int
    /// Frames lost by the driver.
    public var framesDropped: Int
    /// Frames copied in user space.
    public var framesCopied: Int
    /// Bytes of those.
    public var bytesCopied: Int
  }

  /// The library's part of it.
  public struct Library: Equatable, Sendable, Encodable {
    /// The album's directory.
    public var path: String
    /// `ok`, `low`, `full`, `read-only`, … .
    public var state: String
    /// What the operator does about it; nil when nothing is wrong.
    public var fix: String?
    /// The bytes that photos may still take; nil where that is not known.
    public var freeBytes: Int?
    /// Pictures that guests are not shown, since there are too many of them.
    public var picturesOmitted = 0
    /// The directories that photos are copied to.
    public var copies: [CopyState]
  }

  /// The picker's state: `idle`, `countdown`, … .
  public var state: String
  /// The session's number; nil between sessions.
  public var session: UInt64?
  /// When the state ends by itself.
  ///
  /// Unit: nanoseconds of CLOCK_MONOTONIC.
  public var deadlineNanoseconds: Int64?
  /// The frames that the review under way offers; nil: there is none, or none are.
  public var frames: FrameReport?
  /// The camera.
  public var camera: Camera
  /// The library.
  public var library: Library
  /// What it may use, as last found out.
  public var access = AccessReport()
  /// Photos saved since the start.
  public var photos: Int
  /// The last photo.
  public var lastPhoto: PhotoReport?
  /// What the guest was last told did not work, and when.
  public var lastRefusal: String?
  /// How far the photos' frames were from their moments.
  public var deltas = DeltaHistogram()
  /// Movies.
  public var movies: MovieStatus?
  /// The buttons and lamps.
  public var panel = PanelReport(nil)
  /// What is wrong with the configuration, while nothing works because of it; nil: nothing.
  public var configurationProblem: String?
  /// What is wrong with the configuration that was read last, while the one before it stays in use;
  /// nil: nothing.
  public var refusedConfiguration: String?
  /// Disks that do not answer: the library's, a stick's, one that copies go to.
  public var silentDisks: [DiskWorkers.Silent] = []
  /// Where the page is.
  public var page = PageReport()
  /// How it stands as a service.
  public var service = ServiceReport()
}
