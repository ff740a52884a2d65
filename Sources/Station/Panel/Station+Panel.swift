import ImagePicker
import KioskServer
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

extension Station {
  /// Opens the configured buttons and lamps in place of those that are open.
  func openPanel() async {
    let before = parts.withLock { parts in
      defer { (parts.panel, parts.scene) = (nil, nil) }
      return parts.panel
    }
    await before?.stop()
    let configuration = configuration
    if !options.isBrowsingOnly { looker.submit { [weak self] in self?.probe(.buttons) } }
    guard options.usesPanel, !(configuration.buttons.isEmpty && configuration.lamps.isEmpty) else {
      return
    }
    let panel = Panel(configuration, loop: loop, system: system) { [weak self] event, reply in
      guard let self else {
        return reply(TriggerReply(isAccepted: false, text: "the station is ending"))
      }
      handle(event, reply)
    }
    parts.withLock { $0.panel = panel }
    await panel.start()
    core.perform { [weak self] in self?.showOnPanel($0) }
  }

  func closePanel() async {
    let panel = parts.withLock { parts in
      defer { parts.panel = nil }
      return parts.panel
    }
    await panel?.stop()
  }

  /// Brings buttons, lamps and the page up to the present state; on the loop.
  func showOnPanel(_ core: isolated StationCore) {
    showOnPage(core)
    let machine = core.machine
    note(KioskState.Trouble(machine))
    let isFlashAllowed = flashMode != .off
    let (panel, scene) = parts.withLock { parts in
      var scene = LampScene(machine, before: parts.scene, now: system.monotonicTime())
      scene.isFlashAllowed = isFlashAllowed
      parts.scene = scene
      return (parts.panel, scene)
    }
    var isReview = false
    if case .reviewing = machine.state { isReview = true }
    panel?.show(scene, isReview: isReview)
  }

  /// When flashes are lit; `auto` is the same as `on`, since nothing measures the light.
  public var flashMode: ImagePickerController.CameraFlashMode {
    get { parts.withLock { $0.flashMode } }
    set {
      parts.withLock { $0.flashMode = newValue }
      core.perform { [weak self] in self?.showOnPanel($0) }
    }
  }

  /// Asks the system for a clean power-off, after a save that is under way.
  func powerOff(_ event: TriggerEvent, _ reply: @escaping @Sendable (TriggerReply) -> Void) {
    log.notice("power-off from \(event.source)")
    worker.submit { [log] in
      do throws(SystemError) {
        try PowerOff.request()
        reply(TriggerReply(isAccepted: true, text: "powering off"))
      } catch {
        let text =
          "the machine cannot be powered off: \(error); the service's user needs a polkit rule for org.freedesktop.login1.power-off"
        log.error(text)
        reply(TriggerReply(isAccepted: false, text: text))
      }
    }
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
