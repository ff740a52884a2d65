/// A walk over the structure of one JPEG picture, from its SOI to its EOI.
package struct JPEGWalk {
  /// The maximum number of pixels; a frame header with more is refused as unsupported.
  package static let maximumPixels = 1 << 27

  package let bytes: UnsafeRawBufferPointer
  package let start: Int
  /// The offset that the walk has reached; after a fault, the offset of the fault.
  package var position: Int
  package var size: PixelSize?

  // The values of the header. Vectors hold the components, of which there are at most three, to
  // avoid an allocation.
  package var componentCount = 0
  package var identifiers = SIMD4<UInt8>()
  package var horizontal = SIMD4<Int>()
  package var vertical = SIMD4<Int>()
  private var quantisers = SIMD4<UInt8>()
  /// The offset of each quantiser's definition; 0 if it is not defined.
  private var definedQuantisers = SIMD4<Int>()
  /// The offset of the counts in the last definition of each table, DC 0...3 and then AC 0...3; 0
  /// if the table is not defined.
  var tables = SIMD8<Int>()
  /// The DC and AC table of each component in the scan.
  var directTables = SIMD4<Int>()
  var alternatingTables = SIMD4<Int>()
  var restartInterval = 0
  /// Whether Huffman codes are also counted in a scan that has no remainder of an EOI.
  package var countsPlainEnds = false
  var hasJFIF = false
  /// The colour transform in Adobe's segment: 0 for none, 1 for Y'CbCr.
  var adobeTransform: UInt8?

  private var frameOffset = 0
  private var firstTables: Int?
  private var tablesOffset: Int?
  private var end = 0
  private var lacksEnd = false

  package init(bytes: UnsafeRawBufferPointer, start: Int) {
    self.bytes = bytes
    self.start = start
    position = start + 2
  }

  /// The inspection result of a walk that found no fault.
  package var inspection: FrameInspection {
    let isClean = start == 0 && end == bytes.count && tablesOffset == nil && !lacksEnd
    var inspection = FrameInspection(
      verdict: isClean ? .clean : .repairable, picture: start..<end, tablesOffset: tablesOffset,
      lacksEnd: lacksEnd, size: size ?? PixelSize(width: 0, height: 0), unit: unit)
    inspection.isMovable = isMovable
    return inspection
  }

  package var unit: PixelSize {
    guard componentCount > 1 else { return PixelSize(width: 8, height: 8) }
    return PixelSize(width: horizontal.max() * 8, height: vertical.max() * 8)
  }

  /// Walks over the whole picture; returns its damage, or nil if it is usable.
  package mutating func run(expected: PixelSize?) -> FrameDamage? { readHeader(expected) ?? scan() }

  /// Walks to the scan; returns the damage, or nil if the scan can be decoded.
  package mutating func readHeader(_ expected: PixelSize?) -> FrameDamage? {
    var markers = JPEGMarkers(bytes, at: position)
    while true {
      let step = markers.next()
      guard case .marker(let marker) = step else {
        position = markers.position
        return step == .fault(.cut) ? .cut : .brokenHeader
      }
      position = marker.offset
      let body = marker.body
      switch marker.code {
      case 0xC0, 0xC1:
        if let damage = readFrameHeader(body, markers.size(of: marker), expected) { return damage }
      case 0xC4:
        if firstTables == nil { firstTables = position }
        guard readTables(body) else { return .brokenHeader }
      case 0xC2, 0xC3, 0xC5...0xCF:
        return .unsupported
      case 0xDB:
        guard readQuantisers(body) else { return .brokenHeader }
      case 0xDD:
        guard body.count == 2, let interval = bytes.bigEndian16(at: body.lowerBound) else {
          return .brokenHeader
        }
        restartInterval = interval
      case 0xDA:
        if let damage = readScanHeader(body) { return damage }
        position = body.upperBound
        return nil
      case 0xE0...0xEF, 0xFE:
        readNote(marker, markers)
      default:
        // No marker without a length may precede a scan.
        return .brokenHeader
      }
    }
  }
}

// MARK: - The segments

extension JPEGWalk {
  private mutating func readFrameHeader(
    _ body: Range<Int>, _ claimed: PixelSize?, _ expected: PixelSize?
  ) -> FrameDamage? {
    guard size == nil, body.count >= 6 else { return .brokenHeader }
    let at = body.lowerBound
    guard bytes[at] == 8 else { return .unsupported }
    let count = Int(bytes[at + 5])
    guard body.count == 6 + 3 * count else { return .brokenHeader }
    guard count == 1 || count == 3 else { return .unsupported }
    guard let claimed else { return .brokenHeader }
    size = claimed
    if let expected, expected != claimed { return .otherSize }
    guard claimed.width > 0, claimed.height > 0, claimed.width <= 65500, claimed.height <= 65500,
      claimed.width * claimed.height <= JPEGWalk.maximumPixels
    else { return .unsupported }
    for index in 0..<count {
      let entry = at + 6 + 3 * index
      identifiers[index] = bytes[entry]
      horizontal[index] = Int(bytes[entry + 1] >> 4)
      vertical[index] = Int(bytes[entry + 1] & 15)
      quantisers[index] = bytes[entry + 2]
      guard (1...4).contains(horizontal[index]), (1...4).contains(vertical[index]),
        quantisers[index] < 4
      else { return .brokenHeader }
    }
    componentCount = count
    frameOffset = position
    return canBeSampled ? nil : .unsupported
  }

  private mutating func readQuantisers(_ body: Range<Int>) -> Bool {
    var at = body.lowerBound
    while at < body.upperBound {
      let (start, head) = (at, bytes[at])
      guard head >> 4 <= 1, head & 15 < 4 else { return false }
      at += 1 + (head >> 4 == 0 ? 64 : 128)
      guard at <= body.upperBound else { return false }
      definedQuantisers[Int(head & 15)] = start
    }
    return true
  }

  private mutating func readTables(_ body: Range<Int>) -> Bool {
    var at = body.lowerBound
    while at < body.upperBound {
      let head = bytes[at]
      guard head >> 4 <= 1, head & 15 < 4, at + 17 <= body.upperBound else { return false }
      var symbols = 0
      var code = 0
      for index in 1...16 {
        symbols += Int(bytes[at + index])
        // Decoders refuse more codes than a length can have, and a code of ones only.
        code = code << 1 + Int(bytes[at + index])
        guard code < 1 << index else { return false }
      }
      guard symbols <= 256, at + 17 + symbols <= body.upperBound else { return false }
      // A DC symbol is a number of bits, at most 15.
      if head >> 4 == 0 {
        for index in at + 17..<at + 17 + symbols { guard bytes[index] <= 15 else { return false } }
      }
      tables[Int(head >> 4) * 4 + Int(head & 15)] = at + 1
      at += 17 + symbols
    }
    return true
  }

  private mutating func readScanHeader(_ body: Range<Int>) -> FrameDamage? {
    guard componentCount > 0, body.count >= 1 else { return .brokenHeader }
    let at = body.lowerBound
    let count = Int(bytes[at])
    guard body.count == 4 + 2 * count else { return .brokenHeader }
    // Only a single scan with all components is supported, as cameras send it.
    guard count == componentCount else { return .unsupported }
    var blocks = 0
    var lacksTables = false
    for index in 0..<count {
      guard bytes[at + 1 + 2 * index] == identifiers[index] else { return .brokenHeader }
      let selected = bytes[at + 2 + 2 * index]
      guard selected >> 4 < 4, selected & 15 < 4 else { return .brokenHeader }
      directTables[index] = Int(selected >> 4)
      alternatingTables[index] = Int(selected & 15)
      guard definedQuantisers[Int(quantisers[index])] != 0 else { return .brokenHeader }
      blocks += horizontal[index] * vertical[index]
      if tables[directTables[index]] == 0 || tables[4 + alternatingTables[index]] == 0 {
        lacksTables = true
        // The standard defines only tables 0 and 1.
        guard directTables[index] < 2, alternatingTables[index] < 2 else { return .brokenHeader }
      }
    }
    guard count == 1 || blocks <= 10 else { return .brokenHeader }
    let tail = at + 1 + 2 * count
    guard bytes[tail] == 0, bytes[tail + 1] == 63, bytes[tail + 2] == 0 else { return .unsupported }
    // The standard tables go before the frame's own tables, which then take precedence.
    if lacksTables { tablesOffset = min(firstTables ?? frameOffset, frameOffset) }
    return nil
  }
}

extension JPEGWalk {
  /// Returns the quantiser step of a component's DC coefficients.
  package func directStep(_ component: Int) -> Int {
    guard component < componentCount else { return 0 }
    let at = definedQuantisers[Int(quantisers[component])]
    return bytes[at] >> 4 == 0 ? Int(bytes[at + 1]) : bytes.bigEndian16(at: at + 1) ?? 0
  }
}

// MARK: - The scan

extension JPEGWalk {
  /// The number of minimum coded units (MCUs) in the scan.
  var unitCount: Int {
    guard let size else { return 0 }
    let unit = unit
    return ((size.width + unit.width - 1) / unit.width)
      * ((size.height + unit.height - 1) / unit.height)
  }

  private mutating func scan() -> FrameDamage? {
    let data = position
    var restarts = 0
    var index = data
    while let found = bytes.nextMarker(from: index) {
      guard found + 1 < bytes.count else { break }
      let code = bytes[found + 1]
      switch code {
      case 0xFF:
        index = found + 1
      case 0xD0...0xD7:
        position = found
        guard restartInterval > 0 else { return .strayMarker }
        guard Int(code) & 7 == restarts & 7 else { return .lostData }
        restarts += 1
        index = found + 2
      case 0xD9:
        end = found + 2
        position = found
        return checkAmount(data..<found, restarts)
      default:
        position = found
        // A marker at the very end may be a damaged EOI.
        guard checkEnd(data) != nil else { return nil }
        return code == 0xD8 ? .cut : .strayMarker
      }
    }
    position = bytes.count
    return checkEnd(data)
  }

  /// Returns the damage of a scan with an EOI that is too short for all blocks or lacks restart
  /// markers.
  private func checkAmount(_ data: Range<Int>, _ restarts: Int) -> FrameDamage? {
    let units = unitCount
    var blocks = 1
    if componentCount > 1 {
      blocks = 0
      for index in 0..<componentCount { blocks += horizontal[index] * vertical[index] }
    }
    // A block has at least one DC and one AC code of at least one bit each.
    if data.count * 8 < units * blocks * 2 { return .cut }
    if restartInterval > 0 {
      let wanted = (units - 1) / restartInterval
      // Some encoders also end the last interval with a marker.
      if restarts != wanted, restarts != wanted + 1 { return .lostData }
    }
    return nil
  }

  /// Returns nil if a scan without an EOI is complete by the rule in `Imaging.JPEGGate`, or its
  /// damage.
  private mutating func checkEnd(_ data: Int) -> FrameDamage? {
    var last = bytes.count
    while last > data, bytes[last - 1] == 0 { last -= 1 }
    let hadZeros = last < bytes.count
    guard last > data else { return .cut }
    let tail = bytes[last - 1]
    let beforeTail = last - 2 >= data ? bytes[last - 2] : 0
    let isDoubtful = hadZeros || tail == 0xFF || tail == 0xD9 || beforeTail == 0xFF
    guard isDoubtful || countsPlainEnds else { return .cut }
    guard
      let finish = JPEGCodeCounter.end(
        of: self, data: data, limit: min(last + 1, bytes.count))
    else { return .cut }
    // At most a damaged EOI may remain after the scan.
    guard finish >= last - 2 else { return .cut }
    if finish < last {
      let left = (bytes[finish], finish + 1 < last ? bytes[finish + 1] : 0)
      guard left.0 == 0xFF || (left.0 == 0xD9 && left.1 == 0) else { return .cut }
    }
    end = finish
    lacksEnd = true
    return nil
  }
}
