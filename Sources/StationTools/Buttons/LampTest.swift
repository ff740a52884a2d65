import Glibc
import Platform
import Station
import StationConfiguration
import Trigger

/// Lights each lamp in turn, or switches all lamps off, without a station.
public struct LampTest: Sendable {
  private let lamps: [Lamps.Lamp]
  private let gpio: LinuxGPIO

  /// Creates a test of the configured lamps.
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

  /// Lights each lamp for `time` and calls `isLit` with it; blocks.
  ///
  /// An interruption ends the test early with all lamps dark.
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

  /// Switches all lamps off, after a program that lit them has crashed.
  public func putOut() throws(StationError) {
    // Opening a line as an output already switches its lamp off.
    for output in try open() { try set(output, false) }
  }

  private func open() throws(StationError) -> [any GPIOOutput] {
    var outputs: [any GPIOOutput] = []
    for lamp in lamps {
      do throws(GPIOError) {
        outputs.append(try gpio.output(lamp.address, isActiveLow: lamp.isActiveLow))
      } catch {
        throw StationError(error)
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
