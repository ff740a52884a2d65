/// A reader that steps through a scan's Huffman codes to find where its last block ends.
///
/// The reader is used only for frames whose end is damaged, because it takes about as long as
/// decoding. No coefficient is computed and nothing is allocated. Source: ITU-T T.81, annexes C and
/// F.
struct JPEGCodeCounter {
  /// A Huffman table in which codes of `length` bits, left-justified to 16 bits, are below
  /// `limits[length - 1]`.
  private struct Table {
    var limits = SIMD16<UInt32>()
    /// The number to add to a code of each length to get its symbol's index.
    var offsets = SIMD16<Int32>()
    var symbols: UnsafeRawBufferPointer

    init?(counts: UnsafeRawBufferPointer, symbols: UnsafeRawBufferPointer) {
      self.symbols = symbols
      guard counts.count == 16 else { return nil }
      var code: Int32 = 0
      var index: Int32 = 0
      for length in 0..<16 {
        let count = Int32(counts[length])
        offsets[length] = index - code
        code += count
        index += count
        guard code <= 1 << Int32(length + 1) else { return nil }
        limits[length] = UInt32(code) << UInt32(15 - length)
        code <<= 1
      }
    }
  }

  private let bytes: UnsafeRawBufferPointer
  private let limit: Int
  private var index: Int
  private var window: UInt64 = 0
  private var bits = 0
  /// The number of padding bits in the window, read past the end of the data.
  private var missing = 0

  /// Returns the offset after the scan's last byte, or nil if the scan is incomplete.
  ///
  /// `data` is the offset of the scan's first byte, and `limit` that of the first byte which cannot
  /// be part of it.
  static func end(of walk: JPEGWalk, data: Int, limit: Int) -> Int? {
    StandardTables.withBytes { standard in
      var counter = JPEGCodeCounter(bytes: walk.bytes, limit: limit, index: data)
      return counter.run(walk, standard)
    }
  }

  private init(bytes: UnsafeRawBufferPointer, limit: Int, index: Int) {
    self.bytes = bytes
    self.limit = limit
    self.index = index
  }

  private static func table(
    _ walk: JPEGWalk, _ number: Int, _ standard: UnsafeRawBufferPointer
  ) -> Table? {
    let own = walk.tables[number]
    if own > 0 {
      return Table(
        counts: walk.bytes.part(own..<own + 16), symbols: walk.bytes.part(own + 16..<own + 272))
    }
    guard let offset = StandardTables.offset(ofTable: number) else { return nil }
    return Table(
      counts: standard.part(offset..<offset + 16),
      symbols: standard.part(offset + 16..<offset + 272))
  }

  private mutating func run(_ walk: JPEGWalk, _ standard: UnsafeRawBufferPointer) -> Int? {
    func tables(_ component: Int) -> (Table, Table)? {
      guard let direct = Self.table(walk, walk.directTables[component], standard),
        let alternating = Self.table(walk, 4 + walk.alternatingTables[component], standard)
      else { return nil }
      return (direct, alternating)
    }
    guard let first = tables(0) else { return nil }
    let isColour = walk.componentCount > 1
    guard let second = isColour ? tables(1) : first, let third = isColour ? tables(2) : first
    else { return nil }
    func blocks(_ component: Int) -> Int {
      isColour ? walk.horizontal[component] * walk.vertical[component] : 1
    }

    var untilRestart = walk.restartInterval
    for _ in 0..<walk.unitCount {
      if walk.restartInterval > 0, untilRestart == 0 {
        guard restart() else { return nil }
        untilRestart = walk.restartInterval
      }
      untilRestart -= 1
      for _ in 0..<blocks(0) { guard skipBlock(first.0, first.1) else { return nil } }
      if isColour {
        for _ in 0..<blocks(1) { guard skipBlock(second.0, second.1) else { return nil } }
        for _ in 0..<blocks(2) { guard skipBlock(third.0, third.1) else { return nil } }
      }
    }
    return finish()
  }

  /// Fills the window to more than 48 bits; past the end, it adds one bits and counts them in
  /// `missing`.
  @inline(__always)
  private mutating func fill() {
    while bits <= 48 {
      var byte: UInt8 = 0xFF
      if index < limit, missing == 0 {
        byte = bytes[index]
        if byte == 0xFF {
          if index + 1 < limit, bytes[index + 1] == 0 {
            index += 2
          } else {
            // The data ends here, at a marker or at the end of the bytes.
            missing += 8
          }
        } else {
          index += 1
        }
      } else {
        missing += 8
      }
      window = window << 8 | UInt64(byte)
      bits += 8
    }
  }

  @inline(__always)
  private mutating func symbol(_ table: Table) -> UInt8? {
    let peek = UInt32(truncatingIfNeeded: window >> UInt64(bits - 16)) & 0xFFFF
    var length = 0
    while length < 16, peek >= table.limits[length] { length += 1 }
    guard length < 16 else { return nil }
    bits -= length + 1
    let place = Int(Int32(truncatingIfNeeded: peek >> UInt32(15 - length)) + table.offsets[length])
    guard place >= 0, place < table.symbols.count else { return nil }
    return table.symbols[place]
  }

  /// Skips one block; returns false if the block is invalid or incomplete.
  @inline(__always)
  private mutating func skipBlock(_ direct: Table, _ alternating: Table) -> Bool {
    fill()
    guard let category = symbol(direct), category <= 15 else { return false }
    bits -= Int(category)
    var place = 1
    while place < 64 {
      fill()
      guard let code = symbol(alternating) else { return false }
      let size = Int(code & 15)
      if size == 0 {
        if code != 0xF0 { break }
        place += 16
      } else {
        place += Int(code >> 4) + 1
        bits -= size
      }
    }
    return place <= 64 && bits >= missing
  }

  /// Skips a restart marker; returns false if there is none.
  private mutating func restart() -> Bool {
    guard let finish = finish(), finish + 1 < limit, bytes[finish] == 0xFF else { return false }
    var at = finish
    while at + 1 < limit, bytes[at + 1] == 0xFF { at += 1 }
    guard at + 1 < limit, (0xD0...0xD7).contains(bytes[at + 1]) else { return false }
    index = at + 2
    window = 0
    bits = 0
    missing = 0
    return true
  }

  /// Returns the offset after the data, or nil if the remaining bits of its last byte are not all
  /// ones.
  private mutating func finish() -> Int? {
    var real = bits - missing
    guard real >= 0 else { return nil }
    let padding = real % 8
    let mask = (UInt64(1) << UInt64(padding)) - 1
    guard window >> UInt64(bits - padding) & mask == mask else { return nil }
    real -= padding
    // The offset goes back over the whole bytes that were read ahead; a stuffed FF has two.
    var at = index
    while real > 0 {
      at -= at >= 2 && bytes[at - 1] == 0 && bytes[at - 2] == 0xFF ? 2 : 1
      real -= 8
    }
    return at
  }
}
