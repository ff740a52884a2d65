import Platform

/// The source of lines: libgpiod, or a test's simulation.
public protocol GPIOHardware: Sendable {
  /// Returns the chips that can be opened, with their lines.
  ///
  /// The errors of chips that cannot be opened are in `problems`.
  func chips() -> (chips: [GPIOChip], problems: [SystemError])
  /// Requests a line as an input that reports its edges.
  func input(
    _ address: LineAddress, isActiveLow: Bool, bias: LineBias
  ) throws(GPIOError) -> any GPIOInput
  /// Requests a line as an output, inactive at first.
  func output(_ address: LineAddress, isActiveLow: Bool) throws(GPIOError) -> any GPIOOutput
}

/// An edge of a line, with the kernel's date from its interrupt.
public struct GPIOEdge: Equatable, Sendable {
  /// The time of the edge, on CLOCK_MONOTONIC.
  public var time: MonotonicTime
  /// The level just after the edge, which may be wrong while the contact bounces.
  public var isActive: Bool

  /// Creates an edge.
  public init(_ isActive: Bool, at time: MonotonicTime) {
    self.time = time
    self.isActive = isActive
  }
}

/// A requested input, released with its last reference.
///
/// For one thread at a time.
public protocol GPIOInput: AnyObject, Sendable {
  /// The descriptor that is readable when there are edges.
  var number: Int32 { get }
  /// Returns some of the edges since the last call; the result may be empty.
  func readEdges() throws(SystemError) -> [GPIOEdge]
  /// Returns whether the level is active now.
  func isActive() throws(SystemError) -> Bool
}

/// A requested output, released with its last reference.
public protocol GPIOOutput: AnyObject, Sendable {
  /// Sets the level.
  func set(_ isActive: Bool) throws(SystemError)
}
