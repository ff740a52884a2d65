import Capture
import DemoCamera
import Glibc
import Imaging
import Platform
import Station
import StationConfiguration
import Trigger

/// Measures the camera's delay with a lamp that the camera sees.
public struct DelayMeasurement: Sendable {
  /// The result of a measurement.
  public struct Result: Sendable, Encodable {
    /// The delay for the configuration's `camera.delay`.
    public var delayMilliseconds: Double
    /// Half the range of the flashes' delays, without the outliers.
    public var spreadMilliseconds: Double
    /// The number of flashes that the camera saw.
    public var flashes: Int
    /// The name of the camera.
    public var camera: String
    /// The name of the lamp.
    public var lamp: String
  }

  /// The number of flashes.
  public var flashes = 12
  private let configuration: Configuration
  private let label: String
  private let lamp: Lamps.Lamp
  private let system: any SystemCalls

  /// Creates a measurement with the lamp of the role `flash`, or else with the first lamp.
  public init(
    configuration: Configuration, camera: String?, system: any SystemCalls = LinuxSystemCalls()
  ) throws(StationError) {
    let lamps = configuration.panelLamps
    guard let lamp = lamps.first(where: { $0.pattern.role == .flash }) ?? lamps.first else {
      throw StationError(
        .configuration,
        #"no lamp is configured that could be flashed; add [lamps.flash] with its line"#)
    }
    self.lamp = lamp
    self.configuration = configuration
    self.system = system
    label = camera ?? configuration.camera.device ?? "auto"
  }

  /// Measures the delay; blocks for about a second per flash.
  public func run() throws(StationError) -> Result {
    let choice = CameraChoice(label, configuration)
    let output: any GPIOOutput
    do throws(GPIOError) {
      output = try LinuxGPIO(system: system).output(lamp.address, isActiveLow: lamp.isActiveLow)
    } catch {
      throw StationError(error)
    }
    do {
      let camera = try Camera(
        choice.name, options: choice.options, gate: FrameGate.inspect, sources: .demo,
        system: system)
      try camera.start()
      defer { camera.stop() }
      try camera.waitUntilStreaming(timeout: .seconds(10))
      return try result(of: measure(camera, output), camera.identity?.name ?? label)
    } catch let error as CaptureError {
      throw StationError(error)
    } catch let error as StationError {
      throw error
    } catch {
      throw StationError(.system, "\(error)", cause: error)
    }
  }

  private func result(
    of steps: [(early: Duration, late: Duration)], _ camera: String
  ) throws(StationError) -> Result {
    guard steps.count >= max(3, flashes / 2) else {
      throw StationError(
        .noCleanFrame,
        "the camera saw \(steps.count) of \(flashes) flashes; point it at the lamp, and darken the room"
      )
    }
    // The light came between the two frames of a step, so the middle between them is the estimate.
    let middles = steps.map { ($0.early.milliseconds + $0.late.milliseconds) / 2 }.sorted()
    let trimmed = middles.dropFirst(middles.count / 6).dropLast(middles.count / 6)
    let mean = trimmed.reduce(0, +) / Double(max(1, trimmed.count))
    let spread = ((trimmed.last ?? mean) - (trimmed.first ?? mean)) / 2
    return Result(
      delayMilliseconds: max(0, (mean * 10).rounded() / 10),
      spreadMilliseconds: (spread * 10).rounded() / 10, flashes: steps.count, camera: camera,
      lamp: lamp.name)
  }

  private func measure(
    _ camera: Camera, _ output: any GPIOOutput
  ) throws -> [(early: Duration, late: Duration)] {
    Interruption.watch()
    defer { try? output.set(false) }
    var meter = FrameBrightness()
    var steps: [(early: Duration, late: Duration)] = []
    for flash in 0..<flashes where !Interruption.isWanted {
      var frames: [(time: MonotonicTime, brightness: Double)] = []
      var last = camera.ring.newestID
      var switched: MonotonicTime?
      // The time to a flash varies, so that the flashes fall at different places between two
      // frames.
      let begin = system.monotonicTime()
      let lit = begin + .milliseconds(500 + flash * 7)
      let end = lit + .milliseconds(500)
      while system.monotonicTime() < end {
        if switched == nil, system.monotonicTime() >= lit {
          try output.set(true)
          switched = system.monotonicTime()
        }
        guard let lease = camera.ring.frame(after: last, timeout: .milliseconds(5)) else {
          continue
        }
        last = lease.frame.id
        let brightness = try meter.mean(of: lease.frame.image)
        frames.append((lease.frame.timestamp, brightness))
      }
      try output.set(false)
      if let switched, let step = BrightnessStep(frames, switched: switched) {
        steps.append((step.dark - switched, step.lit - switched))
      }
    }
    return steps
  }
}
