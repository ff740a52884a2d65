import ImagePicker
import PhotoLibrary
import Platform

/// The status of a station, for the terminal, `retake trigger status` and the page.
public struct StationStatus: Equatable, Sendable, Encodable {
  /// The status of the camera.
  public struct Camera: Equatable, Sendable, Encodable {
    /// The name of the camera.
    public var name: String
    /// The state of the camera: `streaming`, `absent`, … .
    public var state: String
    /// The state in words.
    public var words: String
    /// The program that uses the camera, or `nil` when the station has it or no name is known.
    public var holder: String?
    /// The granted size, format and rate.
    public var mode: String?
    /// The measured rate in frames per second, or `nil` until enough frames of the stream arrived.
    public var observedRate: Double?
    /// Whether the measured rate is so far below the granted rate that the camera lacks light.
    public var lacksLight: Bool
    /// The nodes of other cameras with the same serial number.
    public var twins: [String]
    /// The number of frames published since the start.
    public var framesPublished: Int
    /// The number of damaged frames, which were never shown.
    public var framesDamaged: Int
    /// The number of damaged frames by reason, without reasons whose count is zero.
    public var framesDamagedByReason: [String: Int]
    /// The number of frames that were found damaged during decoding, by the decoder's fault.
    public var decoderFaults: [String: Int]
    /// The number of those frames that a viewer had seen.
    public var faultsShown: Int
    /// The number of frames lost by the driver.
    public var framesDropped: Int
    /// The number of frames copied in user space.
    public var framesCopied: Int
    /// The number of bytes copied in user space.
    public var bytesCopied: Int
  }

  /// The status of the library.
  public struct Library: Equatable, Sendable, Encodable {
    /// The directory of the album.
    public var path: String
    /// The state of the library: `ok`, `low`, `full`, `read-only`, … .
    public var state: String
    /// The operator's fix, or `nil` when nothing is wrong.
    public var fix: String?
    /// The number of bytes left for photos, or `nil` when it is unknown.
    public var freeBytes: Int?
    /// The number of pictures that guests are not shown, since there are too many of them.
    public var picturesOmitted = 0
    /// The directories that photos are copied to.
    public var copies: [CopyState]
  }

  /// The picker's state: `idle`, `countdown`, … .
  public var state: String
  /// The number of the session, or `nil` between sessions.
  public var session: UInt64?
  /// The time when the state ends by itself.
  ///
  /// Unit: nanoseconds of CLOCK_MONOTONIC.
  public var deadlineNanoseconds: Int64?
  /// The frames that the present review offers, or `nil` when it offers none.
  public var frames: FrameReport?
  /// The status of the camera.
  public var camera: Camera
  /// The status of the library.
  public var library: Library
  /// The permissions, as last probed.
  public var access = AccessReport()
  /// The number of photos saved since the start.
  public var photos: Int
  /// The last photo.
  public var lastPhoto: PhotoReport?
  /// The message of the last refusal.
  public var lastRefusal: String?
  /// The distances of the photos from their moments.
  public var deltas = DeltaHistogram()
  /// The status of movies.
  public var movies: MovieStatus?
  /// The status of the buttons and lamps.
  public var panel = PanelReport(nil)
  /// The fault of the configuration that keeps the station from working, or `nil`.
  public var configurationProblem: String?
  /// The fault of the last reload, after which the previous configuration stays in use, or `nil`.
  public var refusedConfiguration: String?
  /// The disks that do not answer: the library's disk, a stick, or the disk of a copy.
  public var silentDisks: [DiskWorkers.Silent] = []
  /// The address of the page.
  public var page = PageReport()
  /// The status of the service.
  public var service = ServiceReport()
}
