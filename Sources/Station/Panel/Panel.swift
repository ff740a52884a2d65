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
    // Lamps first: one that a dead program left lit is put out as soon as can be.
    await lamps.start()
    await buttons.start()
  }

  func stop() async {
    await buttons.stop()
    await lamps.stop()
  }

  /// What there is to show; on the loop.
  func show(_ scene: LampScene, isReview: Bool) {
    buttons.assumeIsolated { $0.setReview(isReview) }
    lamps.assumeIsolated { $0.show(scene) }
  }
}

extension LampScene {
  /// What lamps show of the picker's state.
  ///
  /// - Parameters:
  ///   - machine: The picker.
  ///   - before: What they showed until now.
  ///   - now: When that changed.
  init(_ machine: PickerMachine, before: LampScene?, now: MonotonicTime) {
    let obstacle = machine.conditions.camera.reason ?? machine.conditions.storage.reason
    var exposure: Exposure?
    /// The exposure at `moment`, which was asked for when it was first seen.
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
