import Capture
import DemoCamera
import Glibc
import Imaging
import Platform
import Shots
import Station
import StationConfiguration

/// Takes one photo with one camera into one file, without a station, a library or a session.
public struct Snap: Sendable {
  /// The configuration of the camera, the orientation and the format.
  public var configuration: Configuration
  /// The camera to use, or `nil` for the configured one.
  public var camera: String?
  /// The rate in frames per second, or `nil` for the configured one.
  public var rate: Double?
  /// The output file; an existing file is replaced when the new one is complete.
  public var output: String
  /// The maximum time to wait for a clean frame.
  public var patience = Duration.seconds(10)

  /// A file to which the demo camera and clips write the number and time of each frame.
  public var sourceLog: String?

  /// Creates a snap that writes `output`.
  public init(configuration: Configuration, output: String) {
    self.configuration = configuration
    self.output = output
  }

  /// Returns whether to stop; the caller's closure is called regularly.
  ///
  /// When it returns true, a movie ends with the frames there are, and waiting ends.
  public var isOver: @Sendable () -> Bool = { false }

  /// Opens the camera, takes the frame nearest to the moment it was ready, and writes the file.
  ///
  /// Blocks the thread.
  public func take(system: any SystemCalls = LinuxSystemCalls()) throws(StationError) -> PhotoReport
  {
    try withCamera(.jpeg, system) { (camera, label, file) in
      try write(from: camera, label: label, to: &file, system)
    }
  }

  /// Opens the camera and the file, and calls `body` when the camera sends frames.
  func withCamera<Value>(
    _ format: OutputFormat, _ system: any SystemCalls,
    _ body: (Camera, _ label: String, inout OutputFile) throws -> Value
  ) throws(StationError) -> Value {
    // The file is created first, since a photo that cannot be written need not be taken.
    try format.check(output)
    var file = try OutputFile.create(output)
    let label = camera ?? configuration.camera.device ?? "auto"
    let choice = CameraChoice(label, configuration, rate: rate, sourceLog: sourceLog)
    do {
      let camera = try Camera(
        choice.name, options: choice.options, gate: FrameGate.inspect, sources: .demo,
        system: system)
      try camera.start()
      defer { camera.stop() }
      try wait(for: camera, system)
      return try body(camera, label, &file)
    } catch let error as CaptureError {
      throw choice.explain(error, in: configuration)
    } catch let error as StationError {
      throw error
    } catch {
      throw StationError(.system, "\(error)", cause: error)
    }
  }

  /// The error of an interruption before the first picture, after which no file is written.
  static let interrupted = StationError(.cancelled, "interrupted before there was a picture")

  private func wait(for camera: Camera, _ system: any SystemCalls) throws {
    let deadline = system.monotonicTime() + patience
    while true {
      do {
        return try camera.waitUntilStreaming(timeout: min(patience, .milliseconds(100)))
      } catch {
        if isOver() { throw Self.interrupted }
        if error.isFinal || system.monotonicTime() >= deadline { throw error }
      }
    }
  }

  private func write(
    from camera: Camera, label: String, to file: inout OutputFile, _ system: any SystemCalls
  ) throws(StationError) -> PhotoReport {
    let press = system.monotonicTime()
    let chooser = FrameChooser(camera, system: system, patience: patience)
    let made: FrameChooser.Choice
    do {
      (made, _) = try chooser.still(
        nearest: press, from: camera, by: StillWorker(), configuration.orientation,
        software: Retake.software
      ) { !isOver() }
    } catch {
      if isOver() { throw Self.interrupted }
      throw StationError(.noCleanFrame, error.description, fix: error.fix, cause: error)
    }
    try file.write(made.still)
    let path = try file.publish()
    return PhotoReport(
      made, path: path, camera: camera.identity?.name ?? label, press: press, moment: press)
  }
}
