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
    if options.usesSignals {
      do {
        let signals = try SignalTrigger(
          loop: loop, system: system, hangupEnds: options.usesTerminal && isatty(0) == 1,
          handler: handler)
        parts.withLock { $0.signals = signals }
      } catch {
        throw StationError(.system, "signals cannot be handled: \(error)", cause: error)
      }
    }
    if options.usesTerminal {
      let terminal = TerminalTrigger(
        loop: loop, system: system, answer: options.terminalAnswer, handler: handler)
      parts.withLock { $0.terminal = terminal }
    }
    guard options.usesSocket else { return }
    do {
      let socket = try TriggerSocket(
        path: configuration.socketPath, mode: configuration.socketMode, loop: loop, system: system,
        handler: handler)
      parts.withLock { $0.socket = socket }
    } catch {
      throw StationError(socketError: error, path: configuration.socketPath)
    }
  }

  func handle(
    _ event: TriggerEvent, _ reply: @escaping @Sendable (TriggerReply) -> Void
  ) {
    switch event.action {
    case .shutter, .record, .accept, .retake, .next, .previous, .cancel:
      // A press is judged by what the camera is doing now, not by what the loop last heard of it.
      let condition = cameraCondition
      core.perform { core in
        if core.machine.conditions.camera != condition { core.note(.camera, condition) }
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
      let waiters = parts.withLock { parts in
        parts.isStopping = true
        defer { parts.stopWaiters = [] }
        return parts.stopWaiters
      }
      waiters.forEach { $0.resume() }
      reply(TriggerReply(isAccepted: true, text: "ending"))
    }
  }

  func changed(_ snapshot: PickerMachine.Snapshot) {
    let isIdle = snapshot.state == .idle
    parts.withLock { $0.keeper }?.session(isActive: !isIdle)
    if isIdle { applyNextConfiguration() }
    core.assumeIsolated { core in
      let (tally, refusal) = (core.tally, core.lastRefusal)
      parts.withLock { parts in
        parts.snapshot = snapshot
        parts.photos = tally.photos
        parts.lastPhoto = tally.last
        parts.lastRefusal = refusal?.operatorMessage
        parts.deltas = tally.deltas
      }
      let wantsMovies = core.wantsMovies
      movies.assumeIsolated { $0.arm(wantsMovies) }
      showOnPanel(core)
    }
    checkChoices(snapshot)
    if case .finished = snapshot.state {
      askForRoom()
      checkMovies()
    }
  }
}
