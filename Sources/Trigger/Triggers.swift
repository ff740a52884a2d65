import Platform
import Synchronization

/// The presses of buttons, keys, signals and programs as one asynchronous sequence.
///
/// ```swift
/// for await press in try Triggers([.terminal, .signal, .gpio("GPIO17")]).events {
///   print(press.action, press.source)
///   if press.action == .quit { break }
/// }
/// ```
///
/// The sources are open until the loop over ``events`` ends or ``stop()`` is called. A press keeps
/// its date while it waits for the consumer.
public struct Triggers: Sendable {
  /// A source of presses.
  public enum Source: Sendable {
    /// The keys of ``TerminalTrigger/keys``, if the program runs in a terminal's foreground.
    case terminal
    /// `SIGUSR1` as the shutter, `SIGHUP` as reload, and `SIGTERM`, `SIGINT` and `SIGQUIT` as quit.
    case signal
    /// A button on a line; one that cannot be opened yet is waited for.
    case button(ButtonPanel.Button)
    /// A socket at a path, on which other programs of the same user write the names of actions.
    case socket(String)

    /// A button between a GPIO line and ground, which the kernel pulls up.
    ///
    /// `line` is the board's name of the line, such as `GPIO17`.
    public static func gpio(_ line: String, role: ButtonRole = .shutter) -> Source {
      let address = LineAddress(.name(line))
      return .button(
        ButtonPanel.Button(
          name: line, role: role, place: .line(GPIOButtons.Button(name: line, address: address))))
    }
  }

  /// The number of presses that wait for the consumer; further ones replace the oldest.
  public static let limit = 64

  /// The presses in the order of their arrival, for one consumer.
  ///
  /// The sequence ends with ``stop()`` or when the task is cancelled.
  public let events: AsyncStream<TriggerEvent>
  private let open: OpenTriggers
  private let queue: AsyncStream<TriggerEvent>.Continuation

  /// Opens the sources.
  ///
  /// `gpio` and `keys` are the hardware of the buttons, which tests replace. Throws if a thread
  /// cannot be started, or a socket or the signals cannot be had.
  public init(
    _ sources: [Source], gpio: any GPIOHardware = LinuxGPIO(), keys: any KeyHardware = LinuxKeys(),
    system: any SystemCalls = LinuxSystemCalls()
  ) throws(SystemError) {
    let (events, queue) = AsyncStream.makeStream(
      of: TriggerEvent.self, bufferingPolicy: .bufferingNewest(Self.limit))
    let open = try OpenTriggers(sources, gpio, keys, system) { event, reply in
      queue.yield(event)
      reply(TriggerReply(isAccepted: true, text: event.action.rawValue))
    }
    queue.onTermination = { _ in open.close() }
    (self.events, self.open, self.queue) = (events, open, queue)
  }

  /// The state of each button and the number of its presses, in the order of the sources.
  public var buttons: [(button: ButtonPanel.Button, state: ButtonState, presses: Int)] {
    open.panel.states
  }

  /// Ends ``events``, releases the sources and gives the terminal back; does not block.
  public func stop() { queue.finish() }
}

/// The open sources of ``Triggers``.
private final class OpenTriggers: Sendable {
  private struct Parts: Sendable {
    var terminal: TerminalTrigger?
    var signals: SignalTrigger?
    var sockets: [TriggerSocket] = []
  }

  let panel: ButtonPanel
  private let loop: EventLoop
  private let parts: Mutex<Parts>
  private let starting: Task<Void, Never>

  init(
    _ sources: [Triggers.Source], _ gpio: any GPIOHardware, _ keys: any KeyHardware,
    _ system: any SystemCalls, handler: @escaping TriggerHandler
  ) throws(SystemError) {
    let loop = try EventLoop("triggers", system: system)
    var made = Parts()
    var buttons: [ButtonPanel.Button] = []
    do throws(SystemError) {
      for source in sources {
        switch source {
        case .terminal:
          made.terminal = TerminalTrigger(loop: loop, system: system, handler: handler)
        case .signal:
          made.signals = try SignalTrigger(loop: loop, system: system, handler: handler)
        case .button(let button): buttons.append(button)
        case .socket(let path):
          made.sockets.append(
            try TriggerSocket(path: path, mode: 0o600, loop: loop, system: system, handler: handler)
          )
        }
      }
    } catch {
      made.terminal?.restore()
      made.sockets.forEach { $0.stop() }
      loop.stop()
      throw error
    }
    let panel = ButtonPanel(
      buttons, gpio: gpio, keys: keys, loop: loop, system: system, handler: handler)
    self.loop = loop
    self.panel = panel
    parts = Mutex(made)
    starting = Task { await panel.start() }
  }

  func close() {
    let open = parts.withLock { parts in
      defer { parts = Parts() }
      return parts
    }
    open.terminal?.restore()
    open.sockets.forEach { $0.stop() }
    let (panel, loop, starting) = (panel, loop, starting)
    Task {
      await starting.value
      await panel.stop()
      await OffPool.run("triggers-stop") { loop.stop() }
    }
  }
}
