import Capture
import DemoCamera
import Glibc
import ImagePicker
import Imaging
import Platform
import Station
import StationConfiguration

/// One photo from one camera into one file, without a station: no library, no session.
public struct Snap: Sendable {
  /// Where camera, orientation and format come from.
  public var configuration: Configuration
  /// The camera to use; nil: the configuration's.
  public var camera: String?
  /// The rate to ask for; nil: the configuration's.
  public var rate: Double?
  /// The file to write; one that exists is replaced once the new one is whole.
  public var output: String
  /// How long a clean frame is waited for.
  public var patience = Duration.seconds(10)

  /// A file to which the demo camera and clips write the number and time of each frame.
  public var sourceLog: String?

  /// Makes one that writes `output`.
  public init(configuration: Configuration, output: String) {
    self.configuration = configuration
    self.output = output
  }

  /// Asked now and then: true ends a movie with what there is, and gives up waiting.
  public var isOver: @Sendable () -> Bool = { false }

  /// Opens the camera, takes the frame nearest to the moment it was ready, and writes the file.
  ///
  /// It blocks its thread.
  public func take(system: any SystemCalls = LinuxSystemCalls()) throws(StationError) -> PhotoReport
  {
    try withCamera(.jpeg, system) { (camera, label, file) in
      try write(from: camera, label: label, to: &file, system)
    }
  }

  /// Has `body` write the file with what the camera gives, once it gives frames.
  func withCamera<Value>(
    _ format: OutputFormat, _ system: any SystemCalls,
    _ body: (Camera, _ label: String, inout OutputFile) throws -> Value
  ) throws(StationError) -> Value {
    // Before the camera is touched: what cannot be written need not be taken.
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

  /// Nothing is written then.
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
        nearest: press, from: camera, by: StillWorker(), configuration.orientation
      ) { !isOver() }
    } catch {
      if isOver() { throw Self.interrupted }
      throw StationError(
        .noCleanFrame,
        error.problem?.why
          ?? "the camera gave no clean frame in time; check its cable, or try another size")
    }
    try file.write(made.still)
    let path = try file.publish()
    return PhotoReport(
      made, path: path, camera: camera.identity?.name ?? label, press: press, moment: press)
  }
}
