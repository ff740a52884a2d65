import ImagePicker
import KioskServer
import Platform
import Trigger

extension Station {
  /// Closes the open buttons and lamps, and opens the configured ones.
  func openPanel() async {
    await panel.close()
    if !options.isBrowsingOnly { Task { [permissions] in await permissions.probe(.buttons) } }
    guard options.usesPanel else { return }
    await panel.open(configuration) { [weak self] event, reply in
      guard let self else {
        return reply(TriggerReply(isAccepted: false, text: "the station is ending"))
      }
      handle(event, reply)
    }
    loop.submit { [weak self] in self?.show() }
  }

  /// Shows the present state on buttons, lamps and the page; on the loop.
  func show() {
    let machine = core.assumeIsolated { $0.machine }
    page.assumeIsolated { page in
      page.show()
      page.note(KioskState.Trouble(machine))
    }
    panel.assumeIsolated { $0.show(machine) }
  }

  /// The flash mode, in which `auto` acts like `on`, since no sensor measures the light.
  public var flashMode: ImagePickerController.CameraFlashMode {
    get { panel.flashMode }
    set {
      panel.flashMode = newValue
      loop.submit { [weak self] in self?.show() }
    }
  }

  /// Asks the system for a power-off, after a save that is under way.
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
