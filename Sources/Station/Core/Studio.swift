import Capture
import Imaging
import Movies
import PhotoLibrary
import Platform
import StationConfiguration

/// What photos and movies are made with: one immutable value, which the core replaces as a whole.
///
/// A job takes the value that was in use when it was asked for.
struct Studio: Sendable {
  /// A camera as a station uses it.
  struct Source: Sendable {
    var camera: Camera
    /// The operator's name for it.
    var label: String
    /// How much later than its light a frame is dated.
    var delay = Duration.zero

    /// The model's name, or the operator's where the camera tells none.
    var name: String { camera.identity?.name ?? label }
  }

  var source: Source?
  /// How stills are turned.
  var orientation = Orientation()
  /// How movies are made.
  var movie = MovieSettings()
  /// Where photos go; nil: none is open.
  var library: PhotoLibrary?
  var keeper: LibraryKeeper?
  /// Where guests choose from.
  var browser: PhotoBrowser?

  /// Makes a studio without camera and library.
  init() {}

  /// Makes a studio without camera and library that works as configured.
  init(_ configuration: Configuration) {
    orientation = configuration.orientation
    movie = configuration.movie
  }
}
