import Capture
import Imaging
import Movies
import PhotoLibrary
import Platform
import StationConfiguration

/// The camera, the library and the settings that photos and movies are made with.
///
/// The value is immutable, and the core replaces it as a whole. A job keeps the value that was in
/// use when it was requested.
struct Studio: Sendable {
  /// A camera as a station uses it.
  struct Source: Sendable {
    var camera: Camera
    /// The operator's name of the camera.
    var label: String
    /// The camera's delay, by which a frame is dated later than its light.
    var delay = Duration.zero

    /// The model's name, or the operator's name when the camera reports none.
    var name: String { camera.identity?.name ?? label }
  }

  var source: Source?
  /// The rotation and mirroring of stills.
  var orientation = Orientation()
  /// The settings of movies.
  var movie = MovieSettings()
  /// The library that photos are saved to, or `nil` when none is open.
  var library: PhotoLibrary?
  var keeper: LibraryKeeper?
  /// The browser of the pictures that guests choose from.
  var browser: PhotoBrowser?

  /// Creates a studio without camera and library.
  init() {}

  /// Creates a studio without camera and library, with the configured settings.
  init(_ configuration: Configuration) {
    orientation = configuration.orientation
    movie = configuration.movie
  }
}
