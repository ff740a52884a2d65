import Capture
import Imaging
import Movies
import Platform
import Station
import StationConfiguration

extension Snap {
  /// The facts about a movie in a file of its own.
  public struct Movie: Sendable, Encodable {
    /// The file's absolute path.
    public var path: String
    /// The name of the camera.
    public var camera: String
    /// The width of the pictures as they are shown.
    public var width: Int
    /// The height of the pictures as they are shown.
    public var height: Int
    /// The further facts about the movie.
    public var movie: MovieReport
  }

  /// Opens the camera, records for `length` from its first clean frame on, and writes the file.
  ///
  /// A boomerang in ``configuration`` records the configured number of frames instead. When a fault
  /// or ``isOver`` ends the movie early, the file is still written, and the report tells the
  /// reason. Blocks the thread.
  public func record(
    _ length: Duration, system: any SystemCalls = LinuxSystemCalls()
  ) throws(StationError) -> Movie {
    var settings = configuration.movie
    settings.maximum = length
    settings.preroll = .zero
    return try withCamera(.mp4, system) { (camera, label, file) in
      guard let mode = camera.granted else {
        throw StationError(.cameraFailed, "the camera says nothing of its frames; try again")
      }
      do {
        let kit = try MovieKit(mode, settings, configuration.orientation, system: system)
        kit.tap(camera)
        let summary = try record(kit, to: file, system)
        camera.tap(nil)
        let path = try file.publish()
        return Movie(
          path: path, camera: camera.identity?.name ?? label, width: summary.size.width,
          height: summary.size.height, movie: MovieReport(summary))
      } catch let error as MovieError {
        // An interruption before the first frame is no fault of the camera.
        if isOver(), error.code == .noFrames { throw Snap.interrupted }
        throw StationError(error)
      }
    }
  }

  private func record(
    _ kit: MovieKit, to file: borrowing OutputFile, _ system: any SystemCalls
  ) throws(MovieError) -> MovieSummary {
    let output = MovieFile(file.descriptor, path: self.output, system: system)
    let ticket = kit.pool.begin(from: system.monotonicTime())
    let recorder = MovieRecorder(
      kit.plan, pool: kit.pool, ticket: ticket, output: output, created: MovieKit.date,
      system: system)
    defer { kit.pool.disarm() }
    return try recorder.record(until: isOver)
  }
}
