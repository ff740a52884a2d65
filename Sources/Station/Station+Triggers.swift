import Glibc
import ImagePicker
import PhotoLibrary
import Platform
import StationConfiguration
import Trigger

extension Station {
  func startTriggers() throws(StationError) {
    let handler: TriggerHandler = { [weak self] event, reply in
      guard let self else {
        return reply(TriggerReply(isAccepted: false, text: "the station is ending"))
      }
      handle(event, reply)
    }
    var open = OpenTriggers()
    // The open triggers are published even after an error, so that ``stop()`` closes them.
    defer { triggers.publish(open) }
    if options.usesSignals {
      do {
        open.signals = try SignalTrigger(
          loop: loop, system: system, hangupEnds: options.usesTerminal && isatty(0) == 1,
          handler: handler)
      } catch {
        throw StationError(.system, "signals cannot be handled: \(error)", cause: error)
      }
    }
    if options.usesTerminal {
      open.terminal = TerminalTrigger(
        loop: loop, system: system, answer: options.terminalAnswer, handler: handler)
    }
    guard options.usesSocket else { return }
    do {
      open.socket = try TriggerSocket(
        path: configuration.socketPath, mode: configuration.socketMode, loop: loop, system: system,
        handler: handler)
    } catch {
      throw StationError(socketError: error, path: configuration.socketPath)
    }
  }

  func handle(
    _ event: TriggerEvent, _ reply: @escaping @Sendable (TriggerReply) -> Void
  ) {
    switch event.action {
    case .shutter, .record, .accept, .retake, .next, .previous, .cancel:
      // A press is judged by the camera's present state, which the loop may not have heard of yet.
      let condition = camera.condition
      core.perform { core in
        if core.machine.conditions.camera != condition { core.record(.camera, condition) }
        reply(core.handle(event))
      }
    case .status:
      reply(TriggerReply(isAccepted: true, text: status.json))
    case .reload:
      reload(reply)
    case .shutdown:
      powerOff(event, reply)
    case .quit:
      log.info("quit from \(event.source)")
      life.askToEnd()
      reply(TriggerReply(isAccepted: true, text: "ending"))
    }
  }

  func changed(_ snapshot: PickerMachine.Snapshot) {
    let isIdle = snapshot.state == .idle
    library.open.keeper?.session(isActive: !isIdle)
    if isIdle { applyNextConfiguration() }
    core.assumeIsolated { core in
      core.publish()
      let wantsMovies = core.wantsMovies
      movies.assumeIsolated { $0.arm(wantsMovies) }
    }
    show()
    library.assumeIsolated { library in
      library.sessionChanged(isActive: !isIdle)
      library.checkChoices(snapshot)
    }
    if case .finished = snapshot.state {
      library.askForRoom()
      checkMovies()
    }
  }
}
