import Glibc
import Platform

/// Keys of USB buttons, keyboards, presenters and pedals as buttons, found again when plugged in.
///
/// The actor is isolated to an event loop. Each device is opened once for all its keys.
public actor KeyButtons {
  /// One key as a button.
  public struct Button: Equatable, Sendable {
    /// The operator's name for the button.
    public var name: String
    /// The device: its name in `/dev/input/by-id`, its own name, or a path.
    public var device: String
    /// The kernel's number for the key.
    public var code: UInt32
    /// Whether no other program gets the device's keys.
    public var isGrabbed: Bool
    /// The limits for long presses and stuck keys.
    public var debounce = ButtonDebouncer.Settings.clean

    /// Creates a button from a key.
    public init(name: String, device: String, code: UInt32, isGrabbed: Bool = false) {
      self.name = name
      self.device = device
      self.code = code
      self.isGrabbed = isGrabbed
    }
  }

  private struct Opened {
    let device: any KeyDevice
    let watch: EventLoop.Token
  }

  private nonisolated let loop: EventLoop
  private nonisolated let system: any SystemCalls
  /// The executor of the event loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let hardware: any KeyHardware
  private let handler: GPIOButtons.Handler
  private let buttons: [Button]
  private var debouncers: [ButtonDebouncer]
  private var timers: [Int: EventLoop.Token] = [:]
  private var opened: [String: Opened] = [:]
  private var problems: [String: KeyError] = [:]
  private var retry = RetryTimer()
  private var round: EventLoop.Token?
  private let log = Log("buttons")

  /// Creates the buttons, whose devices are opened by ``start()``.
  public init(
    _ buttons: [Button], hardware: any KeyHardware, loop: EventLoop, system: any SystemCalls,
    handler: @escaping GPIOButtons.Handler
  ) {
    self.buttons = buttons
    self.hardware = hardware
    self.loop = loop
    self.system = system
    self.handler = handler
    debouncers = buttons.map {
      ButtonDebouncer(settings: $0.debounce, isActive: false, at: MonotonicTime(nanoseconds: 0))
    }
  }

  /// Opens the devices, and looks for missing ones until ``stop()``.
  public func start() {
    guard !buttons.isEmpty else { return }
    goRound()
  }

  /// Closes the devices.
  public func stop() {
    if let round { loop.cancel(round) }
    round = nil
    timers.values.forEach(loop.cancel)
    timers = [:]
    opened.values.forEach { loop.cancel($0.watch) }
    opened = [:]
  }

  private func goRound() {
    round = nil
    let missing = Set(buttons.map(\.device)).filter { opened[$0] == nil }
    if !missing.isEmpty {
      let (devices, denied) = hardware.devices()
      for name in missing.sorted() { open(name, devices, denied) }
    }
    let isComplete = buttons.allSatisfy { opened[$0.device] != nil }
    let wait = retry.wait(isComplete: isComplete)
    round = loop.schedule(at: system.monotonicTime() + wait) { [weak self] in
      self?.assumeIsolated { $0.goRound() }
    }
  }

  private func open(_ name: String, _ devices: [KeyDeviceInfo], _ denied: [SystemError]) {
    // The first device with that name counts, because a presenter appears as several devices with
    // one name each.
    guard let info = devices.first(where: { $0.isCalled(name) }) else {
      let refused = denied.first { $0.errno == EACCES || $0.errno == EPERM }
      let group = refused?.path.flatMap(LinuxGPIO.group)
      wait(
        because: KeyError(
          refused == nil ? .noDevice : .denied, device: name, group: group, cause: refused))
      return
    }
    do throws(SystemError) {
      let isGrabbed = buttons.contains { $0.device == name && $0.isGrabbed }
      let device = try hardware.open(info.path, isGrabbed: isGrabbed)
      let watch = loop.watch(device.number) { [weak self] _ in
        self?.assumeIsolated { $0.look(name) }
      }
      opened[name] = Opened(device: device, watch: watch)
      if problems.removeValue(forKey: name) != nil { log.notice("input device '\(name)' is there") }
      tell(name, .armed)
    } catch {
      wait(
        because: KeyError(error.errno == EBUSY ? .busy : .failed, device: name, cause: error))
    }
  }

  private func wait(because problem: KeyError) {
    guard problems[problem.device] != problem else { return }
    problems[problem.device] = problem
    log.warning("\(problem)")
    tell(problem.device, .waiting(.device(problem)))
  }

  private func tell(_ device: String, _ state: ButtonState) {
    for index in buttons.indices where buttons[index].device == device {
      handler(index, .state(state))
    }
  }

  private func look(_ name: String) {
    guard let device = opened[name]?.device else { return }
    do throws(SystemError) {
      for edge in try device.readKeys() {
        for index in buttons.indices
        where buttons[index].device == name && buttons[index].code == edge.code {
          let events = debouncers[index].edge(GPIOEdge(edge.isDown, at: edge.time))
          schedule(index)
          report(index, events)
        }
      }
    } catch {
      lose(name, error)
    }
  }

  private func schedule(_ index: Int) {
    if let timer = timers.removeValue(forKey: index) { loop.cancel(timer) }
    guard let deadline = debouncers[index].deadline else { return }
    timers[index] = loop.schedule(at: deadline) { [weak self] in
      self?.assumeIsolated { keys in
        let now = keys.system.monotonicTime()
        let events = keys.debouncers[index].check(isActive: true, at: now)
        keys.schedule(index)
        keys.report(index, events)
      }
    }
  }

  private func lose(_ name: String, _ error: SystemError) {
    if let gone = opened.removeValue(forKey: name) { loop.cancel(gone.watch) }
    wait(because: KeyError(.gone, device: name, cause: error))
    // A key that was down when its device disappeared counts as up, without a release.
    for index in buttons.indices where buttons[index].device == name {
      if let timer = timers.removeValue(forKey: index) { loop.cancel(timer) }
      debouncers[index] = ButtonDebouncer(
        settings: buttons[index].debounce, isActive: false, at: system.monotonicTime())
    }
    if let round { loop.cancel(round) }
    goRound()
  }

  private func report(_ index: Int, _ events: [ButtonDebouncer.Event]) {
    for event in events {
      switch event {
      case .stuck:
        log.warning("key \(buttons[index].name) is stuck: it is ignored until it is up")
        handler(index, .state(.stuck))
      case .freed: handler(index, .state(.armed))
      default: break
      }
      handler(index, .event(event))
    }
  }
}
