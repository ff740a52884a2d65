import ImagePicker
import Platform
import StationConfiguration
import Trigger

/// The buttons and lamps of a running station.
final class Panel: Sendable {
  let buttons: ButtonPanel
  let lamps: Lamps

  init(
    _ configuration: Configuration, loop: EventLoop, system: any SystemCalls,
    handler: @escaping TriggerHandler
  ) {
    let gpio = LinuxGPIO(system: system)
    buttons = ButtonPanel(
      configuration.panelButtons, gpio: gpio, keys: LinuxKeys(system: system), loop: loop,
      system: system, handler: handler)
    lamps = Lamps(configuration.panelLamps, hardware: gpio, loop: loop, system: system)
  }

  func start() async {
    // Lamps start first, so that a lamp left lit by a crashed program is switched off at once.
    await lamps.start()
    await buttons.start()
  }

  func stop() async {
    await buttons.stop()
    await lamps.stop()
  }

  /// Shows `scene` on the lamps and tells the buttons about a review; on the loop.
  func show(_ scene: LampScene, isReview: Bool) {
    buttons.assumeIsolated { $0.setReview(isReview) }
    lamps.assumeIsolated { $0.show(scene) }
  }
}

extension LampScene {
  /// Creates the scene that lamps show for the picker's state.
  ///
  /// - Parameters:
  ///   - machine: The picker's state machine.
  ///   - before: The previous scene.
  ///   - now: The time of the change.
  init(_ machine: PickerMachine, before: LampScene?, now: MonotonicTime) {
    let obstacle = machine.conditions.camera.reason ?? machine.conditions.storage.reason
    var exposure: Exposure?
    /// Returns the exposure at `moment`, with the time when it was first seen.
    func exposing(at moment: PickerInstant) -> Exposure {
      let moment = MonotonicTime(moment)
      if let known = before?.exposure, known.moment == moment { return known }
      return Exposure(asked: now, moment: moment)
    }
    switch machine.state {
    case .idle, .live, .cancelled: self.init(obstacle == nil ? .ready : .blocked)
    case .countdown(let moment), .capturing(_, let moment):
      exposure = exposing(at: moment)
      self.init(.busy)
    case .recording, .reviewing, .saving, .browsing, .editing:
      exposure = before?.exposure
      self.init(.busy)
    case .finished:
      exposure = before?.exposure
      self.init(.saved)
    case .failed:
      if case .failed = before?.phase {
        self.init(before?.phase ?? .ready)
      } else {
        self.init(.failed(since: now))
      }
    }
    self.exposure = exposure
  }
}
