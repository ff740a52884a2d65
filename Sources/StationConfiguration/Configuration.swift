import Capture
import Imaging
import Media
import Movies

import struct ImagePicker.ReviewFrames

/// The operator's settings, with defaults that suit a booth.
///
/// ``load(from:environment:)`` reads the settings from a file. The keys, their forms and their
/// defaults are in ``ConfigurationKey/all``. `retake config` prints them with the origin of each
/// value.
public struct Configuration: Equatable, Sendable {
  /// The settings of one camera.
  public struct Camera: Equatable, Sendable {
    /// The value of ``device`` that stands for no camera.
    package static let off = "off"

    /// The device: `auto`, `demo`, `clip:FILE`, a path, a name of `/dev/v4l/by-id` or `by-path`, or
    /// `off`.
    ///
    /// `nil` means that the device is not set.
    public var device: String?
    /// The size to request, or `nil` for the best size for stills.
    public var size: PixelSize?
    /// The rate to request in frames per second, or `nil` for the camera's best rate from 15 up.
    public var rate: Double?
    /// The format to request, or `nil` for the format that the bus carries best.
    public var format: PixelFormat?
    /// The camera's delay, by which frames are dated later than their light; `nil` means zero.
    public var delay: Duration?
    /// The values of the camera's controls, by the names that `retake cameras` shows.
    public var controls: [String: ControlValue] = [:]

    /// Creates a camera with default settings.
    public init() {}
  }

  /// The outcome of a review whose time is over.
  public enum ReviewEnd: String, CaseIterable, Sendable {
    /// The photo is saved.
    case accept
    /// The photo is discarded.
    case cancel
  }

  /// The default camera, from `[camera]`.
  public var camera = Camera()
  /// The cameras to try in order when the default camera is absent at the start: `camera.fallback`.
  public var fallback = ["demo"]
  /// The further cameras by name, from `[cameras.NAME]`.
  public var cameras: [String: Camera] = [:]
  /// The time from the press to the exposure: `countdown.seconds`.
  public var countdown = Duration.seconds(3)
  /// The maximum time of a review, or `nil` for no limit: `review.timeout`.
  public var reviewTimeout: Duration? = .seconds(30)
  /// The outcome of a review whose time is over: `review.at-end`.
  public var reviewEnd = ReviewEnd.cancel
  /// The number of frames around the press that a review offers: `review.frames`.
  ///
  /// The value 1 offers only the nearest frame.
  public var reviewFrames = ReviewFrames.limit
  /// The directory that holds the albums: `library.path`.
  public var libraryPath = ""
  /// The album of new photos, a directory in the library: `library.album`.
  public var album = "booth"
  /// The album in the configuration file, when another album was started since, or `nil`.
  public package(set) var configuredAlbum: String?
  /// The further directories with pictures for guests: `library.roots`.
  public var libraryRoots: [String] = []
  /// The albums that guests may see, or `nil` for all albums: `library.albums`.
  public var shownAlbums: [String]?
  /// The maximum time of a disk for one answer: `library.patience`.
  public var diskPatience = Duration.seconds(12)
  /// The number of bytes to leave free: `library.reserve`.
  ///
  /// `nil` means 200 MB or 2 % of the disk, whichever is less.
  public var reserve: Int64?
  /// The maximum age of photos in days, or `nil` for no limit: `library.keep-days`.
  ///
  /// Older photos are deleted.
  public var keepDays: Int?
  /// The maximum number of bytes of all photos, or `nil` for no limit: `library.keep-size`.
  ///
  /// The oldest photos are deleted when there are more.
  public var keepBytes: Int64?
  /// The directories that receive a copy of every photo: `copy.to`.
  public var copies: [String] = []
  /// Whether photos may be saved to a RAM disk: `library.allow-volatile`.
  public var allowsVolatile = false
  /// The mount of the camera and the shape of photos, from `[orientation]`.
  public var orientation = Orientation()
  /// The settings of movies, from `[movie]`.
  public var movie = MovieSettings()
  /// The buttons on GPIO lines and the keys of input devices by name, from `[buttons.NAME]`.
  public var buttons: [String: Button] = [:]
  /// The lamps and relays on GPIO lines by name, from `[lamps.NAME]`.
  public var lamps: [String: Lamp] = [:]
  /// The path of the station's socket for `retake trigger`: `socket.path`.
  public var socketPath = ""
  /// The permission bits of the socket: `socket.mode`.
  public var socketMode: UInt32 = 0o660
  /// The page and its address, from `[web]`.
  public var web = Web()

  /// The origin of each value by key; a key with its default value is absent.
  public internal(set) var origins: [String: Origin] = [:]

  /// The origin of a value.
  public enum Origin: Equatable, Sendable, CustomStringConvertible {
    /// A line of a file.
    case file(String, line: Int)
    /// An option of the command line.
    case option(String)

    /// The origin in words.
    public var description: String {
      switch self {
      case .file(let path, let line): "\(path):\(line)"
      case .option(let name): "option \(name)"
      }
    }
  }

  /// Creates the default settings of a program that runs with `environment`.
  public init(environment: [String: String] = [:], isService: Bool = false) {
    // The service has a directory of its own, and a user has one in their home directory.
    let home = environment["HOME"] ?? "/root"
    let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    libraryPath =
      isService ? "/var/lib/retake/photos" : "\(data ?? "\(home)/.local/share")/retake/photos"
    let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 }
    // The service has no default fallback, since a booth with a loose cable would seem to work.
    if isService { fallback = [] }
    socketPath = isService ? "/run/retake/socket" : "\(runtime ?? "/tmp")/retake.socket"
  }

  /// Returns the camera of that name.
  ///
  /// The result is the camera in `[cameras.NAME]`, else `[camera]` if `name` is its device, else a
  /// camera with `name` as its device.
  public func camera(named name: String) -> Camera {
    if let known = cameras[name] { return known }
    var camera = name == (self.camera.device ?? "auto") ? self.camera : Camera()
    camera.device = name
    return camera
  }
}
