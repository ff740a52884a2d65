import Platform
import Synchronization

/// All buttons of a booth, on lines and on input devices, as dated triggers.
///
/// The panel is isolated to an event loop, on which it calls the handler.
public actor ButtonPanel {
  /// One button.
  public struct Button: Equatable, Sendable {
    /// The place of a button.
    public enum Place: Equatable, Sendable {
      /// On a GPIO line.
      case line(GPIOButtons.Button)
      /// A key of an input device.
      case key(KeyButtons.Button)
    }

    /// The operator's name for the button.
    public var name: String
    /// The function of the button.
    public var role: ButtonRole
    /// The functions of the button during a review, if it is the only one.
    public var meaning: OneButtonMeaning
    /// The place of the button.
    public var place: Place

    /// Creates a button.
    public init(
      name: String, role: ButtonRole, meaning: OneButtonMeaning = OneButtonMeaning(), place: Place
    ) {
      self.name = name
      self.role = role
      self.meaning = meaning
      self.place = place
    }

    /// The place in words, such as `GPIO17`.
    public var placeDescription: String {
      switch place {
      case .line(let button): "\(button.address)"
      case .key(let button): "\(LinuxKeys.name(of: button.code)) of \(button.device)"
      }
    }
  }

  private nonisolated let loop: EventLoop
  private nonisolated let system: any SystemCalls
  /// The executor of the event loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private nonisolated let buttons: [Button]
  private let gpio: any GPIOHardware
  private let keys: any KeyHardware
  private let handler: TriggerHandler
  private var interpreters: [ButtonInterpreter]
  private var timers: [Int: EventLoop.Token] = [:]
  private var gpioButtons: GPIOButtons?
  private var keyButtons: KeyButtons?
  private nonisolated let board: Mutex<[(state: ButtonState, presses: Int)]>
  private var isReview = false

  /// Creates a panel, which opens nothing before ``start()``.
  public init(
    _ buttons: [Button], gpio: any GPIOHardware, keys: any KeyHardware, loop: EventLoop,
    system: any SystemCalls, handler: @escaping TriggerHandler
  ) {
    self.buttons = buttons
    self.gpio = gpio
    self.keys = keys
    self.loop = loop
    self.system = system
    self.handler = handler
    interpreters = buttons.map { ButtonInterpreter(role: $0.role, meaning: $0.meaning) }
    board = Mutex(buttons.map { _ in (.waiting(.notStarted), 0) })
  }

  /// Opens the lines and devices, and waits for those that are missing.
  public func start() async {
    var (lines, keyed): ([(Int, GPIOButtons.Button)], [(Int, KeyButtons.Button)]) = ([], [])
    for (index, button) in buttons.enumerated() {
      switch button.place {
      case .line(var line):
        line.debounce.long = interpreters[index].long
        lines.append((index, line))
      case .key(var key):
        key.debounce.long = interpreters[index].long
        keyed.append((index, key))
      }
    }
    if !lines.isEmpty {
      let indices = lines.map(\.0)
      let made = GPIOButtons(lines.map(\.1), hardware: gpio, loop: loop, system: system) {
        [weak self] index, news in self?.assumeIsolated { $0.handle(indices[index], news) }
      }
      gpioButtons = made
      await made.start()
    }
    if !keyed.isEmpty {
      let indices = keyed.map(\.0)
      let made = KeyButtons(keyed.map(\.1), hardware: keys, loop: loop, system: system) {
        [weak self] index, news in self?.assumeIsolated { $0.handle(indices[index], news) }
      }
      keyButtons = made
      await made.start()
    }
  }

  /// Releases all lines and devices.
  public func stop() async {
    timers.values.forEach(loop.cancel)
    timers = [:]
    await gpioButtons?.stop()
    await keyButtons?.stop()
    (gpioButtons, keyButtons) = (nil, nil)
  }

  /// Tells the panel whether the station shows a review, for the only button of a booth.
  public func setReview(_ isReview: Bool) { self.isReview = isReview }

  /// The state and the number of presses of each button, in the configured order; callable from any
  /// thread.
  public nonisolated var states: [(button: Button, state: ButtonState, presses: Int)] {
    zip(buttons, board.withLock { $0 }).map { ($0, $1.state, $1.presses) }
  }

  private func handle(_ index: Int, _ news: GPIOButtons.News) {
    switch news {
    case .state(let state): board.withLock { $0[index].state = state }
    case .event(let event):
      if case .pressed = event { board.withLock { $0[index].presses += 1 } }
      send(interpreters[index].handle(event, isReview: isReview), index)
      schedule(index)
    }
  }

  private func schedule(_ index: Int) {
    if let timer = timers.removeValue(forKey: index) { loop.cancel(timer) }
    guard let deadline = interpreters[index].deadline else { return }
    timers[index] = loop.schedule(at: deadline) { [weak self] in
      self?.assumeIsolated { panel in
        panel.send(panel.interpreters[index].check(at: panel.system.monotonicTime()), index)
        panel.schedule(index)
      }
    }
  }

  private func send(_ wishes: [ButtonInterpreter.Wish], _ index: Int) {
    let source = "button \(buttons[index].name) (\(buttons[index].placeDescription))"
    for wish in wishes {
      handler(
        TriggerEvent(action: wish.action, time: wish.time, clock: .kernel, source: source)
      ) { _ in }
    }
  }
}
