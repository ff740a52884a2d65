import Media

extension SampleFrames {
  /// The sampling factors of a component, across and down.
  public struct Factors: Hashable, Sendable {
    /// Across, 1 to 4.
    public var across: Int
    /// Down, 1 to 4.
    public var down: Int

    /// Creates factors.
    public init(_ across: Int, _ down: Int) { (self.across, self.down) = (across, down) }
  }

  /// A JPEG frame with any sampling, one component or three, whether a decoder takes it or not.
  ///
  /// Each block of 8 by 8 samples has one value, so the picture is smooth in steps. With `restart`
  /// there is a restart marker after that many units. `identifiers` name the components.
  public static func jpeg(
    _ size: PixelSize, factors: [Factors], restart: Int = 0,
    identifiers: [UInt8] = [1, 2, 3]
  ) -> [UInt8] {
    var jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 8, count: 64)
    // The standard tables, from another picture.
    let other = Self.jpeg(PixelSize(width: 8, height: 8), .s420)
    for segment in segments(other) where segment.code == 0xC4 { jpeg += other[segment.range] }
    func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    jpeg += [0xFF, 0xC0] + word(8 + 3 * factors.count) + [8] + word(size.height) + word(size.width)
    jpeg.append(UInt8(factors.count))
    for (index, factor) in factors.enumerated() {
      jpeg += [identifiers[index], UInt8(factor.across << 4 | factor.down), 0]
    }
    if restart > 0 { jpeg += [0xFF, 0xDD, 0, 4] + word(restart) }
    jpeg += [0xFF, 0xDA] + word(6 + 2 * factors.count) + [UInt8(factors.count)]
    for index in factors.indices { jpeg += [identifiers[index], 0] }
    return jpeg + [0, 63, 0] + scan(size, factors, restart) + [0xFF, 0xD9]
  }

  private static func scan(_ size: PixelSize, _ factors: [Factors], _ restart: Int) -> [UInt8] {
    let most = Factors(factors.map(\.across).max() ?? 1, factors.map(\.down).max() ?? 1)
    // A single component is not interleaved: its unit is a block.
    let isSingle = factors.count == 1
    let unit = isSingle ? Factors(1, 1) : most
    let columns = (size.width + 8 * unit.across - 1) / (8 * unit.across)
    let rows = (size.height + 8 * unit.down - 1) / (8 * unit.down)
    var writer = ScanWriter(components: factors.count)
    for number in 0..<columns * rows {
      if restart > 0, number > 0, number % restart == 0 { writer.restart() }
      for (component, factor) in factors.enumerated() {
        let own = isSingle ? Factors(1, 1) : factor
        for block in 0..<own.across * own.down {
          let x = number % columns * own.across + block % own.across
          let y = number / columns * own.down + block / own.across
          // The block's middle, from 0 to 1.
          let across = Double((8 * x + 4) * unit.across / own.across) / Double(size.width)
          let down = Double((8 * y + 4) * unit.down / own.down) / Double(size.height)
          let value =
            switch component {
            case 0: -70 + 120 * across + 30 * down
            case 1: -25 + 60 * down
            default: 30 - 50 * across
            }
          writer.add(Int(max(-120, min(120, value))), of: component)
        }
      }
    }
    return writer.finished()
  }
}

/// A writer of blocks that have only a mean, with the standard luma tables.
private struct ScanWriter {
  private var bytes: [UInt8] = []
  private var bits = 0
  private var count = 0
  private var last: [Int]
  private var restarts = 0

  init(components: Int) { last = Array(repeating: 0, count: components) }

  // The codes of ITU-T T.81, table K.3, by the number of bits that follow.
  private static let codes = [
    (0b00, 2), (0b010, 3), (0b011, 3), (0b100, 3), (0b101, 3), (0b110, 3), (0b1110, 4),
    (0b11110, 5), (0b111110, 6),
  ]

  mutating func add(_ value: Int, of component: Int) {
    let step = value - last[component]
    last[component] = value
    let length = Int.bitWidth - step.magnitude.leadingZeroBitCount
    let code = Self.codes[length]
    put(code.0, code.1)
    put((step < 0 ? step - 1 : step) & (1 << length - 1), length)
    put(0b1010, 4)
  }

  private mutating func put(_ value: Int, _ length: Int) {
    (bits, count) = (bits << length | value, count + length)
    while count >= 8 {
      count -= 8
      let byte = UInt8(bits >> count & 0xFF)
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
    }
    bits &= 1 << count - 1
  }

  private mutating func align() {
    if count > 0 { put(1 << (8 - count) - 1, 8 - count) }
  }

  mutating func restart() {
    align()
    bytes += [0xFF, 0xD0 + UInt8(restarts & 7)]
    restarts += 1
    last = last.map { _ in 0 }
  }

  mutating func finished() -> [UInt8] {
    align()
    return bytes
  }
}
