import CLinux
import Glibc
import Platform
import Synchronization
import Trigger

/// A GPIO chip whose lines a test drives, reads and takes away.
///
/// The chip has every line that is asked for. All members may be used from any thread.
public final class ScriptedGPIO: GPIOHardware {
  private struct Line {
    var level = false
    var edges: [GPIOEdge] = []
    var reader: Input?
    var output: Bool?
    /// Whether edges can be read only after the level was read, because they arrive late.
    var isLagging = false
  }

  private struct State {
    var lines: [LineAddress: Line] = [:]
    var isPresent = true
    var opens = 0
  }
  private let state = Mutex(State())

  /// Creates a chip that is present, with all lines inactive.
  public init() {}

  /// Returns no chips, because the lines are not listed.
  public func chips() -> (chips: [GPIOChip], problems: [SystemError]) { ([], []) }

  /// The number of requests for lines.
  public var opens: Int { state.withLock { $0.opens } }

  /// Returns whether an output is on; nil if the line was not requested as one.
  public func output(of address: LineAddress) -> Bool? {
    state.withLock { $0.lines[address]?.output }
  }

  /// Sends an edge with the level after it, dated `time`.
  public func drive(_ address: LineAddress, _ isActive: Bool, at time: MonotonicTime) {
    let reader = state.withLock { state in
      state.lines[address, default: Line()].level = isActive
      state.lines[address]?.edges.append(GPIOEdge(isActive, at: time))
      return state.lines[address]?.reader
    }
    reader?.wake()
  }

  /// Sets a level without an edge, as a storm that overflows the kernel's queue leaves it.
  public func set(_ address: LineAddress, _ isActive: Bool) {
    state.withLock { $0.lines[address, default: Line()].level = isActive }
  }

  /// Delays the next edges of a line until after its level has changed, as the kernel's thread may.
  public func lag(_ address: LineAddress) {
    state.withLock { $0.lines[address, default: Line()].isLagging = true }
  }

  /// Removes or restores the chip; a removal wakes a waiting reader only if `wakes` asks for it.
  public func plug(_ isPresent: Bool, wakes: Bool = false) {
    let readers = state.withLock { state in
      state.isPresent = isPresent
      return state.lines.values.compactMap(\.reader)
    }
    if wakes { readers.forEach { $0.wake() } }
  }

  /// Requests a line as an input.
  public func input(
    _ address: LineAddress, isActiveLow: Bool, bias: LineBias
  ) throws(GPIOError) -> any GPIOInput {
    let input = Input(self, address)
    let isPresent = state.withLock { state in
      state.opens += 1
      guard state.isPresent else { return false }
      state.lines[address, default: Line()].reader = input
      state.lines[address]?.edges = []
      return true
    }
    guard isPresent else { throw GPIOError(.noChip, address: address) }
    return input
  }

  /// Requests a line as an output.
  public func output(_ address: LineAddress, isActiveLow: Bool) throws(GPIOError) -> any GPIOOutput
  {
    let isPresent = state.withLock { state in
      state.opens += 1
      if state.isPresent { state.lines[address, default: Line()].output = false }
      return state.isPresent
    }
    guard isPresent else { throw GPIOError(.noChip, address: address) }
    return Output(self, address)
  }

  private final class Input: GPIOInput {
    let number: Int32
    private let chip: ScriptedGPIO
    private let address: LineAddress

    init(_ chip: ScriptedGPIO, _ address: LineAddress) {
      self.chip = chip
      self.address = address
      number = clinux_eventfd(0)
    }

    func wake() {
      var one: UInt64 = 1
      withUnsafeBytes(of: &one) { _ = write(number, $0.baseAddress, $0.count) }
    }

    func readEdges() throws(SystemError) -> [GPIOEdge] {
      var count: UInt64 = 0
      withUnsafeMutableBytes(of: &count) { _ = read(number, $0.baseAddress, $0.count) }
      return chip.state.withLock { state in
        if state.lines[address]?.isLagging == true { return [] }
        defer { state.lines[address]?.edges = [] }
        return state.isPresent ? state.lines[address]?.edges ?? [] : []
      }
    }

    func isActive() throws(SystemError) -> Bool {
      let level = chip.state.withLock { state -> Bool? in
        if state.lines[address]?.edges.isEmpty == false { state.lines[address]?.isLagging = false }
        return state.isPresent ? state.lines[address]?.level ?? false : nil
      }
      guard let level else { throw SystemError(errno: ENODEV, call: "GET_VALUES") }
      return level
    }

    deinit { close(number) }
  }

  private final class Output: GPIOOutput {
    private let chip: ScriptedGPIO
    private let address: LineAddress

    init(_ chip: ScriptedGPIO, _ address: LineAddress) {
      self.chip = chip
      self.address = address
    }

    func set(_ isActive: Bool) throws(SystemError) {
      let isPresent = chip.state.withLock { state in
        if state.isPresent { state.lines[address]?.output = isActive }
        return state.isPresent
      }
      guard isPresent else { throw SystemError(errno: ENODEV, call: "SET_VALUES") }
    }
  }
}
