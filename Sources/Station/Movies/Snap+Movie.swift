import Capture
import Imaging
import Movies
import Platform

extension Snap {
  /// What is known of a movie in a file of its own.
  public struct Movie: Sendable, Encodable {
    /// The file's absolute path.
    public var path: String
    /// The camera's name.
    public var camera: String
    /// Width of the pictures as they are shown.
    public var width: Int
    /// Height of the pictures as they are shown.
    public var height: Int
    /// The rest.
    public var movie: MovieReport
  }

  /// Opens the camera, records for that long from its first clean frame on, and writes the file.
  ///
  /// With ``Configuration/movie``'s boomerang it takes as many frames as that wants. What ends the
  /// movie early still gives the file, and is in the report. It blocks its thread.
  public func record(
    _ length: Duration, system: any SystemCalls = LinuxSystemCalls()
  ) throws(StationError) -> Movie {
    // Before the camera is touched: what cannot be written need not be recorded.
    var file = try OutputFile.create(output)
    let label = camera ?? configuration.camera.device ?? "auto"
    let choice = CameraChoice(label, configuration, rate: rate, sourceLog: sourceLog)
    var settings = configuration.movie
    settings.maximum = length
    settings.preroll = .zero
    do {
      let camera = try Camera(
        choice.name, options: choice.options, gate: FrameGate.inspect, system: system)
      try camera.start()
      defer { camera.stop() }
      try camera.waitUntilStreaming(timeout: patience)
      guard let mode = camera.granted else {
        throw StationError(.cameraFailed, "the camera says nothing of its frames; try again")
      }
      let kit = try MovieKit(mode, settings, configuration.orientation, system: system)
      kit.tap(camera)
      let summary = try record(kit, to: file, system)
      camera.tap(nil)
      let path = try file.publish()
      return Movie(
        path: path, camera: camera.identity?.name ?? label, width: summary.size.width,
        height: summary.size.height, movie: MovieReport(summary))
    } catch let error as CaptureError {
      throw choice.explain(error, in: configuration)
    } catch let error as MovieError {
      throw StationError(error)
    } catch let error as StationError {
      throw error
    } catch {
      throw StationError(.system, "\(error)", cause: error)
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
    return try recorder.record()
  }
}
