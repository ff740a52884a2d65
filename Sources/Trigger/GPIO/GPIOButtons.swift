import Glibc
import Platform

/// Buttons on GPIO lines: requested, watched, debounced, and found again when their chip comes back.
///
/// It lives on an event loop; edges wake it, and every two seconds it makes sure that the lines are
/// still there, since on some kernels a chip that goes wakes nobody.
public actor GPIOButtons {
  /// One button and its line.
  public struct Button: Equatable, Sendable {
    /// What the operator calls it.
    public var name: String
    /// Its line.
    public var address: LineAddress
    /// Whether the line is low while it is pressed, as for a button to ground.
    public var isActiveLow = true
    /// What holds the line while it is not pressed.
    public var bias = LineBias.pullUp
    /// How presses are told from noise.
    public var debounce = ButtonDebouncer.Settings()

    /// Makes a button to ground on `address`.
    public init(name: String, address: LineAddress) {
      self.name = name
      self.address = address
    }
  }

  /// What happened to a button.
  public enum News: Equatable, Sendable {
    /// Somebody did something to it.
    case event(ButtonDebouncer.Event)
    /// It stands like that now.
    case state(ButtonState)
  }

  /// Takes what happened to a button, on the loop.
  public typealias Handler = @Sendable (_ button: Int, News) -> Void

  private struct Slot {
    let button: Button
    var input: (any GPIOInput)?
    var debouncer: ButtonDebouncer?
    /// Edges that are read already, but later than what is looked at now.
    var later: [GPIOEdge] = []
    /// Since when the level has been one that no edge told of.
    var doubt: MonotonicTime?
    var watch: EventLoop.Token?
    var timer: EventLoop.Token?
    var problem: GPIOError?
  }

  /// How long an edge may be on its way from the kernel's interrupt, after the level shows it.
  ///
  /// Sooner than this a level without its edge is not taken for one whose edge was lost: the press
  /// would have the date of whatever woke the loop, which may be before the press.
  private static let grace = Duration.milliseconds(10)

  private nonisolated let loop: EventLoop
  private nonisolated let system: any SystemCalls
  /// The loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let hardware: any GPIOHardware
  private let handler: Handler
  private var slots: [Slot]
  private var retry = RetryTimer()
  private var round: EventLoop.Token?
  /// Since when everything waits for an edge that may be on its way.
  private var hold: MonotonicTime?
  private static let mostEdges = 4096
  private let log = Log("buttons")

  /// Makes them; nothing is requested before ``start()``.
  public init(
    _ buttons: [Button], hardware: any GPIOHardware, loop: EventLoop, system: any SystemCalls,
    handler: @escaping Handler
  ) {
    self.hardware = hardware
    self.loop = loop
    self.system = system
    self.handler = handler
    slots = buttons.map { Slot(button: $0) }
  }

  /// Requests the lines; those that cannot be had are tried again until ``stop()``.
  ///
  /// - Returns: What is wrong with which button.
  @discardableResult
  public func start() -> [(button: Int, problem: GPIOError)] {
    for index in slots.indices { open(index) }
    scheduleRound()
    return slots.indices.compactMap { index in slots[index].problem.map { (index, $0) } }
  }

  /// Releases the lines.
  public func stop() {
    if let round { loop.cancel(round) }
    round = nil
    for index in slots.indices { release(index) }
    slots = []
  }

  private func open(_ index: Int) {
    let button = slots[index].button
    do throws(GPIOError) {
      let input = try hardware.input(
        button.address, isActiveLow: button.isActiveLow, bias: button.bias)
      let isActive: Bool
      do {
        isActive = try input.isActive()
      } catch {
        throw GPIOError(.gone, address: button.address, cause: error)
      }
      let now = system.monotonicTime()
      slots[index].input = input
      slots[index].debouncer = ButtonDebouncer(
        settings: button.debounce, isActive: isActive, at: now)
      slots[index].watch = loop.watch(input.number) { [weak self] events in
        self?.assumeIsolated {
          $0.lookAtAll(failed: events & Int16(POLLERR | POLLHUP) != 0 ? index : nil)
        }
      }
      if slots[index].problem != nil { log.notice("button \(button.name) is back") }
      slots[index].problem = nil
      handler(index, .state(.armed))
      if isActive { report(index, .stuck(since: now)) }
    } catch {
      guard slots[index].problem != error else { return }
      slots[index].problem = error
      log.warning("button \(button.name): \(error)")
      handler(index, .state(.waiting("\(error)")))
    }
  }

  /// Reads what there is on every line, and says what came of it in the order in which it happened,
  /// however late it is.
  private func lookAtAll(failed: Int? = nil) {
    // One instant for all lines: of what comes later, one line may know and another not yet.
    let now = system.monotonicTime()
    for index in slots.indices { read(index, at: now, hasFailed: index == failed) }
    // Nothing is told while an edge may be on its way: it may be the first of them all.
    if slots.contains(where: { $0.doubt != nil }) {
      if hold == nil {
        hold = now
        // Once: edges that wake the loop meanwhile need no look of their own at the end.
        loop.schedule(at: now + GPIOButtons.grace) { [weak self] in
          self?.assumeIsolated { $0.lookAtAll() }
        }
      }
      if let hold, system.monotonicTime() < hold + GPIOButtons.grace { return }
    }
    hold = nil
    var events: [(index: Int, event: ButtonDebouncer.Event)] = []
    for index in slots.indices { events += settle(index, at: now).map { (index, $0) } }
    if let next = slots.compactMap({ $0.later.first?.time }).min() {
      loop.schedule(at: next) { [weak self] in self?.assumeIsolated { $0.lookAtAll() } }
    }
    // Those of one line stay as they are: their dates do not run back.
    let ordered = events.enumerated().sorted {
      ($0.element.event.time, $0.offset) < ($1.element.event.time, $1.offset)
    }
    for (index, event) in ordered.map(\.element) { report(index, event) }
  }

  /// Reads a line's edges and level.
  private func read(_ index: Int, at now: MonotonicTime, hasFailed: Bool) {
    guard let input = slots[index].input, let debouncer = slots[index].debouncer else { return }
    do throws(SystemError) {
      // Bounded: a line that oscillates must not hold up the loop. The rest comes with the next call.
      for _ in 0..<64 where slots[index].later.count < GPIOButtons.mostEdges {
        let read = try input.readEdges()
        if read.isEmpty { break }
        // Kernels before 5.7 date edges by the calendar: then it is when they were read.
        let latest = now + .seconds(5)
        slots[index].later += read.map {
          $0.time < latest ? $0 : GPIOEdge($0.isActive, at: now)
        }
      }
      let level = try input.isActive()
      let known = slots[index].later.last?.isActive ?? debouncer.level
      if level == known {
        slots[index].doubt = nil
      } else if slots[index].doubt == nil {
        slots[index].doubt = system.monotonicTime()
      }
      if hasFailed { throw SystemError(errno: ENODEV, call: "poll") }
    } catch {
      lose(index, error)
    }
  }

  /// Takes a line's edges until `now`, verifies its level, and returns what came of it.
  private func settle(_ index: Int, at now: MonotonicTime) -> [ButtonDebouncer.Event] {
    guard var debouncer = slots[index].debouncer else { return [] }
    var events: [ButtonDebouncer.Event] = []
    let due = slots[index].later.prefix { $0.time <= now }
    for edge in due { events += debouncer.edge(edge) }
    slots[index].later = Array(slots[index].later.dropFirst(due.count))
    // The level is that of now only if nothing has happened since.
    let isLost = slots[index].later.isEmpty && slots[index].doubt != nil
    events += debouncer.check(
      isActive: isLost ? !debouncer.level : debouncer.level, at: now, since: slots[index].doubt)
    if slots[index].later.isEmpty { slots[index].doubt = nil }
    slots[index].debouncer = debouncer
    schedule(index, debouncer.deadline)
    return events
  }

  private func schedule(_ index: Int, _ deadline: MonotonicTime?) {
    if let timer = slots[index].timer { loop.cancel(timer) }
    slots[index].timer = deadline.map {
      loop.schedule(at: $0) { [weak self] in self?.assumeIsolated { $0.lookAtAll() } }
    }
  }

  private func lose(_ index: Int, _ error: SystemError) {
    let button = slots[index].button
    release(index)
    let problem = GPIOError(.gone, address: button.address, cause: error)
    slots[index].problem = problem
    log.warning("button \(button.name): \(problem)")
    handler(index, .state(.waiting("\(problem)")))
    if let round { loop.cancel(round) }
    scheduleRound()
  }

  private func release(_ index: Int) {
    if let watch = slots[index].watch { loop.cancel(watch) }
    if let timer = slots[index].timer { loop.cancel(timer) }
    let button = slots[index].button
    slots[index] = Slot(button: button)
  }

  private func scheduleRound() {
    let isComplete = slots.allSatisfy { $0.problem == nil }
    let wait = retry.wait(isComplete: isComplete)
    round = loop.schedule(at: system.monotonicTime() + wait) { [weak self] in
      self?.assumeIsolated { $0.goRound() }
    }
  }

  private func goRound() {
    round = nil
    lookAtAll()
    for index in slots.indices where slots[index].input == nil { open(index) }
    if let round { loop.cancel(round) }
    scheduleRound()
  }

  private func report(_ index: Int, _ event: ButtonDebouncer.Event) {
    let name = slots[index].button.name
    switch event {
    case .stuck:
      log.warning(
        "button \(name) is stuck: it is down and ignored until it is up; if nobody holds it, look at the wiring, 'active' and 'bias'"
      )
      handler(index, .state(.stuck))
    case .freed:
      log.notice("button \(name) is no longer stuck")
      handler(index, .state(.armed))
    case .glitch(_, let length):
      log.info("button \(name): \(length.milliseconds) ms were too short for a press")
    default: break
    }
    handler(index, .event(event))
  }
}
