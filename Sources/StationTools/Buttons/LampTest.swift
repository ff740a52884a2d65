import Glibc
import Platform
import Station
import StationConfiguration
import Trigger

/// Lights each lamp in turn, or puts all out, without a station.
public struct LampTest: Sendable {
  private let lamps: [Lamps.Lamp]
  private let gpio: LinuxGPIO

  /// Makes a test of the configured lamps.
  public init(configuration: Configuration, system: any SystemCalls = LinuxSystemCalls())
    throws(StationError)
  {
    lamps = configuration.panelLamps
    gpio = LinuxGPIO(system: system)
    guard !lamps.isEmpty else {
      throw StationError(
        .configuration, #"no lamp is configured; add [lamps.ready] with line = "GPIO23", say"#)
    }
  }

  /// Lights each lamp for `time`, and tells which; stops early when interrupted, all dark.
  public func run(each time: Duration, isLit: (Lamps.Lamp) -> Void) throws(StationError) {
    Interruption.watch()
    let outputs = try open()
    for (lamp, output) in zip(lamps, outputs) where !Interruption.isWanted {
      isLit(lamp)
      try set(output, true)
      let steps = max(1, time.nanoseconds / 50_000_000)
      for _ in 0..<steps where !Interruption.isWanted { usleep(50_000) }
      try set(output, false)
    }
  }

  /// Puts all lamps out, for when a program that lit them has died.
  public func putOut() throws(StationError) {
    // To request them is to put them out.
    for output in try open() { try set(output, false) }
  }

  private func open() throws(StationError) -> [any GPIOOutput] {
    var outputs: [any GPIOOutput] = []
    for lamp in lamps {
      do throws(GPIOError) {
        outputs.append(try gpio.output(lamp.address, isActiveLow: lamp.isActiveLow))
      } catch {
        throw StationError(gpioError: error)
      }
    }
    return outputs
  }

  private func set(_ output: any GPIOOutput, _ isLit: Bool) throws(StationError) {
    do throws(SystemError) {
      try output.set(isLit)
    } catch {
      throw StationError(.system, "\(error)", cause: error)
    }
  }
}
