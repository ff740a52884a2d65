import Glibc
import Platform

/// Buttons on GPIO lines: requested, watched, debounced, and found again when their chip returns.
///
/// The actor is isolated to an event loop. Edges wake it, and every two seconds it checks that the
/// lines still exist, because on some kernels a chip that disappears causes no event.
public actor GPIOButtons {
  /// One button and its line.
  public struct Button: Equatable, Sendable {
    /// The operator's name for the button.
    public var name: String
    /// The button's line.
    public var address: LineAddress
    /// Whether the line is low while the button is pressed, as for a button to ground.
    public var isActiveLow = true
    /// The resistor that holds the line while the button is up.
    public var bias = LineBias.pullUp
    /// The limits that distinguish presses from noise.
    public var debounce = ButtonDebouncer.Settings()

    /// Creates a button to ground on `address`.
    public init(name: String, address: LineAddress) {
      self.name = name
      self.address = address
    }
  }

  /// An event or a new state of a button.
  public enum News: Equatable, Sendable {
    /// The contact had an event.
    case event(ButtonDebouncer.Event)
    /// The button has a new state.
    case state(ButtonState)
  }

  /// Receives the news of a button, on the loop.
  public typealias Handler = @Sendable (_ button: Int, News) -> Void

  private struct Slot {
    let button: Button
    var input: (any GPIOInput)?
    var debouncer: ButtonDebouncer?
    /// The edges that are read already, but are later than the instant of the present look.
    var later: [GPIOEdge] = []
    /// The time since which the level has differed from the last edge.
    var doubt: MonotonicTime?
    var watch: EventLoop.Token?
    var timer: EventLoop.Token?
    var problem: GPIOError?
  }

  /// The time that an edge may take from the kernel's interrupt, after the level shows it.
  ///
  /// Before that time, a level without an edge does not count as a lost edge. Otherwise the press
  /// would have the date of an unrelated wake-up of the loop, which may be before the press.
  private static let grace = Duration.milliseconds(10)

  private nonisolated let loop: EventLoop
  private nonisolated let system: any SystemCalls
  /// The executor of the event loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let hardware: any GPIOHardware
  private let handler: Handler
  private var slots: [Slot]
  private var retry = RetryTimer()
  private var round: EventLoop.Token?
  /// The time since which all lines have waited for an edge that may still arrive.
  private var hold: MonotonicTime?
  private static let mostEdges = 4096
  private let log = Log("buttons")

  /// Creates the buttons, whose lines are requested by ``start()``.
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

  /// Requests the lines, and retries those that fail until ``stop()``.
  ///
  /// - Returns: The problems, by button.
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
      handler(index, .state(.waiting(.line(error))))
    }
  }

  /// Reads all lines and reports their events in the order of their dates, however late the call
  /// is.
  private func lookAtAll(failed: Int? = nil) {
    // All lines are read for one instant, because a later change may be known on one line only.
    let now = system.monotonicTime()
    for index in slots.indices { read(index, at: now, hasFailed: index == failed) }
    // Events wait while an edge may still arrive, because it may be the first of them all.
    if slots.contains(where: { $0.doubt != nil }) {
      if hold == nil {
        hold = now
        // One call is scheduled; edges that wake the loop meanwhile schedule no further ones.
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
    // The sort is stable, because the dates of one line never decrease.
    let ordered = events.enumerated().sorted {
      ($0.element.event.time, $0.offset) < ($1.element.event.time, $1.offset)
    }
    for (index, event) in ordered.map(\.element) { report(index, event) }
  }

  /// Reads a line's edges and level.
  private func read(_ index: Int, at now: MonotonicTime, hasFailed: Bool) {
    guard let input = slots[index].input, let debouncer = slots[index].debouncer else { return }
    do throws(SystemError) {
      // The loop is bounded, so that a line that oscillates cannot block the event loop. The next
      // call reads the rest.
      for _ in 0..<64 where slots[index].later.count < GPIOButtons.mostEdges {
        let read = try input.readEdges()
        if read.isEmpty { break }
        // Kernels before 5.7 date edges by the calendar; then the time of reading counts.
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

  /// Handles a line's edges until `now`, verifies its level, and returns the events.
  private func settle(_ index: Int, at now: MonotonicTime) -> [ButtonDebouncer.Event] {
    guard var debouncer = slots[index].debouncer else { return [] }
    var events: [ButtonDebouncer.Event] = []
    let due = slots[index].later.prefix { $0.time <= now }
    for edge in due { events += debouncer.edge(edge) }
    slots[index].later = Array(slots[index].later.dropFirst(due.count))
    // The level is the present one only if no later edge was read.
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
    handler(index, .state(.waiting(.line(problem))))
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
