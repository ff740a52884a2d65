import Capture
import Imaging
import Media
import Movies

import struct ImagePicker.ReviewFrames

/// Everything the operator decides; each part has a default that suits a booth.
///
/// ``load(from:environment:)`` reads it from a file. The keys, their forms and their defaults are
/// in ``ConfigurationKey/all``; `retake config` prints them with where each value came from.
public struct Configuration: Equatable, Sendable {
  /// What is known of one camera.
  public struct Camera: Equatable, Sendable {
    /// What ``device`` says where no camera is to be used.
    package static let off = "off"

    /// `auto`, `demo`, `clip:FILE`, a path, a name of `/dev/v4l/by-id` or `by-path`, or `off`; nil: not said.
    public var device: String?
    /// The size to ask for; nil: the best one for stills.
    public var size: PixelSize?
    /// Frames a second to ask for; nil: the camera's best, from 15 up.
    public var rate: Double?
    /// The format to ask for; nil: what the bus carries best.
    public var format: PixelFormat?
    /// How much later than its light the camera's frames are dated; nil: not said, which is zero.
    public var delay: Duration?
    /// What its controls are set to, by the names that `retake cameras` shows.
    public var controls: [String: ControlValue] = [:]

    /// Makes a camera of which nothing is said.
    public init() {}
  }

  /// What happens when a review's time is over.
  public enum ReviewEnd: String, CaseIterable, Sendable {
    /// The photo is kept.
    case accept
    /// The photo is gone.
    case cancel
  }

  /// `[camera]`: the one that is used unless another is asked for.
  public var camera = Camera()
  /// `camera.fallback`: cameras that are tried, in order, when the first is absent at the start.
  public var fallback = ["demo"]
  /// `[cameras.NAME]`: further cameras, by name.
  public var cameras: [String: Camera] = [:]
  /// `countdown.seconds`: from the press to the exposure.
  public var countdown = Duration.seconds(3)
  /// `review.timeout`: how long a review may last; nil: without end.
  public var reviewTimeout: Duration? = .seconds(30)
  /// `review.at-end`: what happens then.
  public var reviewEnd = ReviewEnd.cancel
  /// `review.frames`: how many frames around the press a review offers; 1: only the nearest.
  public var reviewFrames = ReviewFrames.limit
  /// `library.path`: the directory that holds the albums.
  public var libraryPath = ""
  /// `library.album`: the directory in it that photos go to.
  public var album = "booth"
  /// The album that the file names, where another one was started since.
  public package(set) var configuredAlbum: String?
  /// `library.roots`: further directories whose pictures guests may choose from.
  public var libraryRoots: [String] = []
  /// `library.albums`: the only albums that guests may see; nil: all.
  public var shownAlbums: [String]?
  /// `library.patience`: how long a disk may take for one answer.
  public var diskPatience = Duration.seconds(12)
  /// `library.reserve`: bytes that are left free; nil: 200 MB or 2 %, whichever is less.
  public var reserve: Int64?
  /// `library.keep-days`: photos older than this are deleted; nil: none are.
  public var keepDays: Int?
  /// `library.keep-size`: the oldest photos are deleted until no more bytes are left; nil: none are.
  public var keepBytes: Int64?
  /// `copy.to`: directories that get a copy of every photo.
  public var copies: [String] = []
  /// `library.allow-volatile`: whether photos may lie on a RAM disk.
  public var allowsVolatile = false
  /// `[orientation]`: how the camera is mounted, and the shape that photos must have.
  public var orientation = Orientation()
  /// `[movie]`: how movies are made.
  public var movie = MovieSettings()
  /// `[buttons.NAME]`: buttons on GPIO lines and keys of input devices, by name.
  public var buttons: [String: Button] = [:]
  /// `[lamps.NAME]`: lamps and relays on GPIO lines, by name.
  public var lamps: [String: Lamp] = [:]
  /// `socket.path`: where `retake trigger` finds the station.
  public var socketPath = ""
  /// `socket.mode`: who may connect, as the file's permission bits.
  public var socketMode: UInt32 = 0o660
  /// `[web]`: the page and its address.
  public var web = Web()

  /// Where each value came from, by key; what is not in it is the default.
  public internal(set) var origins: [String: Origin] = [:]

  /// Where a value came from.
  public enum Origin: Equatable, Sendable, CustomStringConvertible {
    /// A line of a file.
    case file(String, line: Int)
    /// An option of the command line.
    case option(String)

    /// For people to read.
    public var description: String {
      switch self {
      case .file(let path, let line): "\(path):\(line)"
      case .option(let name): "option \(name)"
      }
    }
  }

  /// Makes the defaults for a program that runs with `environment`.
  public init(environment: [String: String] = [:], isService: Bool = false) {
    // The service has a directory of its own; a person has one in their home.
    let home = environment["HOME"] ?? "/root"
    let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    libraryPath =
      isService ? "/var/lib/retake/photos" : "\(data ?? "\(home)/.local/share")/retake/photos"
    let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 }
    // A booth that shows the demo because a cable is loose looks as if it worked.
    if isService { fallback = [] }
    socketPath = isService ? "/run/retake/socket" : "\(runtime ?? "/tmp")/retake.socket"
  }

  /// The camera of that name: one of `[cameras.NAME]`, else `[camera]` with another device.
  public func camera(named name: String) -> Camera {
    if let known = cameras[name] { return known }
    var camera = name == (self.camera.device ?? "auto") ? self.camera : Camera()
    camera.device = name
    return camera
  }
}
