import Capture
import Glibc
import ImagePicker
import Imaging
import Platform

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

  /// Opens the camera, takes the frame nearest to the moment it was ready, and writes the file.
  ///
  /// It blocks its thread.
  public func take(system: any SystemCalls = LinuxSystemCalls()) throws(StationError) -> PhotoReport
  {
    // Before the camera is touched: what cannot be written need not be taken.
    var file = try OutputFile.create(output)
    let label = camera ?? configuration.camera.device ?? "auto"
    let choice = CameraChoice(label, configuration, rate: rate)
    do {
      let camera = try Camera(
        choice.name, options: choice.options, gate: FrameGate.inspect, system: system)
      try camera.start()
      defer { camera.stop() }
      try camera.waitUntilStreaming(timeout: patience)
      return try write(from: camera, label: label, to: &file, system)
    } catch let error as CaptureError {
      throw choice.explain(error, in: configuration)
    } catch let error as StationError {
      throw error
    } catch {
      throw StationError(.system, "\(error)", cause: error)
    }
  }

  private func write(
    from camera: Camera, label: String, to file: inout OutputFile, _ system: any SystemCalls
  ) throws(StationError) -> PhotoReport {
    let press = system.monotonicTime()
    let chooser = FrameChooser(
      ring: camera.ring, system: system, earliest: CandidateStore.earliest, patience: patience,
      note: camera.note)
    let worker = StillWorker()
    let made: FrameChooser.Choice
    let reading = camera.readExposure()
    do {
      made = try chooser.choose(nearest: press, isWanted: { true }) {
        frame, acceptsWarnings throws(StillError) in
        try worker.make(
          frame, orientation: configuration.orientation, acceptsWarnings: acceptsWarnings
        ) {
          StillMetadata(
            of: frame, identity: camera.identity, session: nil, moment: press,
            exposure: reading, now: system.monotonicTime())
        }
      }
    } catch {
      throw StationError(
        .noCleanFrame,
        error.problem?.why
          ?? "the camera gave no clean frame in time; check its cable, or try another size")
    }
    let written = made.still.withParts { parts -> Result<Void, StationError> in
      do throws(StationError) {
        return .success(try file.write(parts))
      } catch {
        return .failure(error)
      }
    }
    try written.get()
    let path = try file.publish()
    return PhotoReport(
      made, path: path, camera: camera.identity?.name ?? label, press: press, moment: press)
  }
}

extension PhotoReport {
  /// What is known of a still once its frame is chosen.
  init(
    _ made: FrameChooser.Choice, path: String, camera: String, press: MonotonicTime,
    moment: MonotonicTime, delay: Duration = .zero
  ) {
    let delta = made.frameTime - delay - moment
    self.init(
      path: path, camera: camera, sequence: made.sequence,
      pressNanoseconds: press.nanoseconds, momentNanoseconds: moment.nanoseconds,
      frameNanoseconds: made.frameTime.nanoseconds, frameClock: made.clock,
      deltaMilliseconds: (delta.milliseconds * 1000).rounded() / 1000,
      width: made.still.size.width, height: made.still.size.height,
      trimmedPixels: max(made.still.trimmed.width, made.still.trimmed.height),
      framesRejected: made.rejected, warning: made.warning)
  }
}
