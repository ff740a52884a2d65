import Platform
import Synchronization

/// The lamps and relays of a booth: each shows the scene by its pattern.
///
/// All are dark from the request on and dark again at the end. It lives on an event loop; a chip
/// that goes is looked for again, as for buttons.
public actor Lamps {
  /// One lamp and its line.
  public struct Lamp: Equatable, Sendable {
    /// What the operator calls it.
    public var name: String
    /// Its line.
    public var address: LineAddress
    /// Whether it is lit by a low level.
    public var isActiveLow = false
    /// When it is lit.
    public var pattern: LampPattern

    /// Makes a lamp that a high level lights.
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
  /// The loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let hardware: any GPIOHardware
  private var slots: [Slot]
  private var scene = LampScene(.off)
  private var timer: EventLoop.Token?
  private var retry = RetryTimer()
  private var round: EventLoop.Token?
  private nonisolated let board = Mutex<[State]>([])
  private let log = Log("lamps")

  /// Makes them; nothing is requested before ``start()``.
  public init(
    _ lamps: [Lamp], hardware: any GPIOHardware, loop: EventLoop, system: any SystemCalls
  ) {
    self.hardware = hardware
    self.loop = loop
    self.system = system
    slots = lamps.map { Slot(lamp: $0) }
  }

  /// Requests the lines, dark; those that cannot be had are tried again until ``stop()``.
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

  /// Puts all out and releases the lines.
  public func stop() {
    for token in [timer, round].compactMap({ $0 }) { loop.cancel(token) }
    (timer, round) = (nil, nil)
    scene = LampScene(.off)
    for slot in slots { try? slot.output?.set(false) }
    slots = []
  }

  /// How a lamp stands.
  public struct State: Equatable, Sendable {
    /// The lamp.
    public var lamp: Lamp
    /// Whether it is lit.
    public var isLit: Bool
    /// What is wrong with it; nil: nothing.
    public var problem: String?
  }

  /// How each lamp stands, in the order given; from any thread.
  public nonisolated var states: [State] { board.withLock { $0 } }

  private func publish() {
    let states = slots.map {
      State(lamp: $0.lamp, isLit: $0.isLit, problem: $0.problem.map { "\($0)" })
    }
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
      // Set again even if nothing changed: that is how a chip's end is noticed.
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
