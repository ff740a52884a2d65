/// A chip with GPIO lines, as the kernel describes it.
public struct GPIOChip: Equatable, Sendable {
  /// The path of the device, such as `/dev/gpiochip0`.
  ///
  /// The number may change with the next boot, or on another board.
  public var path: String
  /// The driver's name for the chip, which is stable, such as `pinctrl-bcm2711`.
  public var label: String
  /// The chip's lines by offset.
  public var lines: [GPIOLine]

  /// Creates the description of a chip.
  public init(path: String, label: String, lines: [GPIOLine]) {
    self.path = path
    self.label = label
    self.lines = lines
  }

  /// Returns whether an operator's `name` means this chip: its label, its path or its device name.
  func isCalled(_ name: String) -> Bool {
    name == label || name == path || "/dev/\(name)" == path
  }
}

/// One line of a chip.
public struct GPIOLine: Equatable, Sendable {
  /// The line's position on the chip.
  public var offset: UInt32
  /// The board's name for the line, such as `GPIO17`; empty if it has none.
  public var name: String
  /// The name of the line's user; nil if the line is free.
  public var consumer: String?
  /// Whether the line is an output.
  public var isOutput: Bool

  /// Creates the description of a line.
  public init(offset: UInt32, name: String, consumer: String? = nil, isOutput: Bool = false) {
    self.offset = offset
    self.name = name
    self.consumer = consumer
    self.isOutput = isOutput
  }
}

/// An operator's name for a line: the board's name, or chip and offset.
public struct LineAddress: Hashable, Sendable, CustomStringConvertible {
  /// The line on its chip.
  public enum Line: Hashable, Sendable {
    /// The board's name, such as `GPIO17`.
    case name(String)
    /// The position on the chip.
    case offset(UInt32)
  }

  /// The line on its chip.
  public var line: Line
  /// The chip's label; nil for any chip that has the line.
  public var chip: String?

  /// Creates an address.
  public init(_ line: Line, chip: String? = nil) {
    self.line = line
    self.chip = chip
  }

  /// The text `GPIO17`, or `pinctrl-bcm2711 line 17`.
  public var description: String {
    switch (line, chip) {
    case (.name(let name), nil): name
    case (.name(let name), let chip?): "\(chip) \(name)"
    case (.offset(let offset), let chip): "\(chip.map { "\($0) " } ?? "")line \(offset)"
    }
  }

  /// Returns the line with this address among `chips`.
  public func resolve(
    among chips: [GPIOChip]
  ) throws(GPIOError) -> (chip: GPIOChip, line: GPIOLine) {
    let possible = chip.map { name in chips.filter { $0.isCalled(name) } } ?? chips
    if possible.isEmpty {
      throw GPIOError(.noChip, address: self, known: chips.map(\.label))
    }
    let found = possible.flatMap { chip in
      chip.lines.filter { line in
        switch self.line {
        case .name(let name): line.name == name
        case .offset(let offset): line.offset == offset
        }
      }.map { (chip: chip, line: $0) }
    }
    guard let first = found.first else {
      throw GPIOError(
        .noLine, address: self, known: possible.flatMap(\.lines).map(\.name).filter { !$0.isEmpty })
    }
    guard found.count == 1 else {
      throw GPIOError(.ambiguous, address: self, known: found.map(\.chip.label))
    }
    return first
  }
}

/// The resistor that holds a line's level while nothing drives it.
public enum LineBias: String, CaseIterable, Sendable {
  /// A resistor in the chip to the supply: for a button to ground.
  case pullUp = "pull-up"
  /// A resistor in the chip to ground: for a button to 3.3 V.
  case pullDown = "pull-down"
  /// No resistor in the chip, because the board has one.
  case none
  /// The chip's present setting.
  case asIs = "as-is"
}
