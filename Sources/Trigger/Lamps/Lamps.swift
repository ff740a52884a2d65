import Platform
import Synchronization

/// The lamps and relays of a booth, each of which shows the scene by its pattern.
///
/// All lamps are dark from the request until the first scene, and dark again at the end. The actor
/// is isolated to an event loop. A chip that disappears is looked for again, as for buttons.
public actor Lamps {
  /// One lamp and its line.
  public struct Lamp: Equatable, Sendable {
    /// The operator's name for the lamp.
    public var name: String
    /// The lamp's line.
    public var address: LineAddress
    /// Whether a low level lights the lamp.
    public var isActiveLow = false
    /// The pattern that decides when the lamp is lit.
    public var pattern: LampPattern

    /// Creates a lamp that a high level lights.
    public init(name: String, address: LineAddress, pattern: LampPattern) {
      self.name = name
      self.address = address
      self.pattern = pattern
    }
  }

  private struct Slot {
    let lamp: Lamp
    var output: (any GPIOOutput)?
    var isLit = false
    var problem: GPIOError?
  }

  private nonisolated let loop: EventLoop
  private nonisolated let system: any SystemCalls
  /// The executor of the event loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let hardware: any GPIOHardware
  private var slots: [Slot]
  private var scene = LampScene(.off)
  private var timer: EventLoop.Token?
  private var retry = RetryTimer()
  private var round: EventLoop.Token?
  private nonisolated let board = Mutex<[State]>([])
  private let log = Log("lamps")

  /// Creates the lamps, whose lines are requested by ``start()``.
  public init(
    _ lamps: [Lamp], hardware: any GPIOHardware, loop: EventLoop, system: any SystemCalls
  ) {
    self.hardware = hardware
    self.loop = loop
    self.system = system
    slots = lamps.map { Slot(lamp: $0) }
  }

  /// Requests the lines, dark at first, and retries those that fail until ``stop()``.
  public func start() {
    guard !slots.isEmpty else { return }
    goRound()
  }

  /// Shows `scene` from now on.
  public func show(_ scene: LampScene) {
    guard scene != self.scene else { return }
    self.scene = scene
    update()
  }

  /// Turns all lamps off and releases the lines.
  public func stop() {
    for token in [timer, round].compactMap({ $0 }) { loop.cancel(token) }
    (timer, round) = (nil, nil)
    scene = LampScene(.off)
    for slot in slots { try? slot.output?.set(false) }
    slots = []
  }

  /// The state of a lamp.
  public struct State: Equatable, Sendable {
    /// The lamp.
    public var lamp: Lamp
    /// Whether the lamp is lit.
    public var isLit: Bool
    /// The lamp's problem; nil for none.
    public var problem: GPIOError?
  }

  /// The states of the lamps, in the configured order; callable from any thread.
  public nonisolated var states: [State] { board.withLock { $0 } }

  private func publish() {
    let states = slots.map { State(lamp: $0.lamp, isLit: $0.isLit, problem: $0.problem) }
    board.withLock { $0 = states }
  }

  private func update() {
    if let timer { loop.cancel(timer) }
    let now = system.monotonicTime()
    var next: MonotonicTime?
    for index in slots.indices {
      let (isLit, until) = slots[index].lamp.pattern.state(in: scene, at: now)
      if let until { next = min(next ?? until, until) }
      if isLit != slots[index].isLit {
        slots[index].isLit = isLit
        drive(index)
      }
    }
    publish()
    timer = next.map {
      loop.schedule(at: $0) { [weak self] in self?.assumeIsolated { $0.update() } }
    }
  }

  private func drive(_ index: Int) {
    guard let output = slots[index].output else { return }
    do throws(SystemError) {
      try output.set(slots[index].isLit)
    } catch {
      let problem = GPIOError(.gone, address: slots[index].lamp.address, cause: error)
      slots[index].output = nil
      slots[index].problem = problem
      log.warning("lamp \(slots[index].lamp.name): \(problem)")
    }
  }

  private func goRound() {
    round = nil
    for index in slots.indices {
      if slots[index].output == nil { open(index) }
      // The level is set again even if it did not change, because a missing chip is noticed that
      // way.
      drive(index)
    }
    publish()
    let wait = retry.wait(isComplete: slots.allSatisfy { $0.output != nil })
    round = loop.schedule(at: system.monotonicTime() + wait) { [weak self] in
      self?.assumeIsolated { $0.goRound() }
    }
  }

  private func open(_ index: Int) {
    let lamp = slots[index].lamp
    do throws(GPIOError) {
      slots[index].output = try hardware.output(lamp.address, isActiveLow: lamp.isActiveLow)
      if slots[index].problem != nil { log.notice("lamp \(lamp.name) is back") }
      slots[index].problem = nil
    } catch {
      if slots[index].problem != error { log.warning("lamp \(lamp.name): \(error)") }
      slots[index].problem = error
    }
  }
}
