/// A chip with GPIO lines, as the kernel describes it.
public struct GPIOChip: Equatable, Sendable {
  /// The device: `/dev/gpiochip0`.
  ///
  /// The number may be another after the next boot, or on another board.
  public var path: String
  /// The driver's name for the chip, which stays: `pinctrl-bcm2711`.
  public var label: String
  /// Its lines by offset.
  public var lines: [GPIOLine]

  /// Makes the description of a chip.
  public init(path: String, label: String, lines: [GPIOLine]) {
    self.path = path
    self.label = label
    self.lines = lines
  }

  /// Whether an operator who writes `name` means this chip: its label, its device or its number.
  func isCalled(_ name: String) -> Bool {
    name == label || name == path || "/dev/\(name)" == path
  }
}

/// One line of a chip.
public struct GPIOLine: Equatable, Sendable {
  /// Its place on the chip.
  public var offset: UInt32
  /// The board's name for it: `GPIO17`; empty where it has none.
  public var name: String
  /// Who uses it; nil: nobody.
  public var consumer: String?
  /// Whether it is an output.
  public var isOutput: Bool

  /// Makes the description of a line.
  public init(offset: UInt32, name: String, consumer: String? = nil, isOutput: Bool = false) {
    self.offset = offset
    self.name = name
    self.consumer = consumer
    self.isOutput = isOutput
  }
}

/// How an operator names a line: by the board's name, or by chip and offset.
public struct LineAddress: Hashable, Sendable, CustomStringConvertible {
  /// The line on its chip.
  public enum Line: Hashable, Sendable {
    /// The board's name: `GPIO17`.
    case name(String)
    /// The place on the chip.
    case offset(UInt32)
  }

  /// The line on its chip.
  public var line: Line
  /// The chip's label; nil: whichever has a line of that name.
  public var chip: String?

  /// Makes an address.
  public init(_ line: Line, chip: String? = nil) {
    self.line = line
    self.chip = chip
  }

  /// `GPIO17`, or `pinctrl-bcm2711 line 17`.
  public var description: String {
    switch (line, chip) {
    case (.name(let name), nil): name
    case (.name(let name), let chip?): "\(chip) \(name)"
    case (.offset(let offset), let chip): "\(chip.map { "\($0) " } ?? "")line \(offset)"
    }
  }

  /// Finds the line among `chips`.
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

/// What holds a line's level while nothing drives it.
public enum LineBias: String, CaseIterable, Sendable {
  /// A resistor in the chip to the supply: for a button to ground.
  case pullUp = "pull-up"
  /// A resistor in the chip to ground: for a button to 3.3 V.
  case pullDown = "pull-down"
  /// None: a resistor on the board does it.
  case none
  /// As it is set.
  case asIs = "as-is"
}
