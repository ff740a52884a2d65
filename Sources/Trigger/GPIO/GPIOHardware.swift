import Platform

/// Where lines are found and requested: libgpiod, or what a test plays.
public protocol GPIOHardware: Sendable {
  /// The chips that can be opened, with their lines.
  ///
  /// - Throws: Nothing; those that cannot be opened are in `problems`.
  func chips() -> (chips: [GPIOChip], problems: [SystemError])
  /// Takes a line as an input whose edges are reported.
  func input(
    _ address: LineAddress, isActiveLow: Bool, bias: LineBias
  ) throws(GPIOError) -> any GPIOInput
  /// Takes a line as an output, dark at once.
  func output(_ address: LineAddress, isActiveLow: Bool) throws(GPIOError) -> any GPIOOutput
}

/// An edge of a line, as the kernel dated it in its interrupt.
public struct GPIOEdge: Equatable, Sendable {
  /// When, on CLOCK_MONOTONIC.
  public var time: MonotonicTime
  /// What the line was found to be just after; under bounce it may be wrong.
  public var isActive: Bool

  /// Makes an edge.
  public init(_ isActive: Bool, at time: MonotonicTime) {
    self.time = time
    self.isActive = isActive
  }
}

/// A requested input, released with its last reference.
///
/// One thread at a time.
public protocol GPIOInput: AnyObject, Sendable {
  /// The descriptor that can be read when there are edges.
  var number: Int32 { get }
  /// The edges since the last call, at most a few; none is not an error.
  func readEdges() throws(SystemError) -> [GPIOEdge]
  /// The level now.
  func isActive() throws(SystemError) -> Bool
}

/// A requested output, released with its last reference.
public protocol GPIOOutput: AnyObject, Sendable {
  /// Sets the level.
  func set(_ isActive: Bool) throws(SystemError)
}
