import Media
import Platform

/// What the head of a movie says of one of its tracks.
struct MovieTrackHeader {
  /// By which fragments name it.
  var number = 0
  /// What it holds, as four characters; 0 if it does not say.
  var handler: UInt32 = 0
  /// Pixels, before it is turned.
  var width = 0
  var height = 0
  var isTurned = false
  /// Ticks in a second.
  var scale = 0
  var length: Int?
  /// The length by the table of samples.
  var samplesLength: Int?
  /// How long a sample of a fragment is that does not say so.
  var usualDuration = 0
  /// Where the last fragment ends, in ticks.
  var fragmentsEnd: Int?

  var isPicture: Bool { handler == BoxReader.code("vide") }

  /// Entries of a table that are looked at; movies have one for each change of their rate.
  private static let entryLimit = 65_536

  init(
    _ body: Range<Int>, _ boxes: inout BoxReader, _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) {
    var offset = body.lowerBound
    while let box = try boxes.box(at: offset, in: body, source, isCut: true) {
      offset = box.body.upperBound
      if box.has("tkhd") {
        try readHeader(box.body, &boxes, source)
      } else if box.has("mdia") {
        try readMedia(box.body, &boxes, source)
      }
    }
  }

  private mutating func readHeader(
    _ body: Range<Int>, _ boxes: inout BoxReader, _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) {
    let isLong = try boxes.number(at: body.lowerBound, 1, source) == 1
    guard body.count >= (isLong ? 96 : 84) else { return }
    number = try boxes.number(at: body.lowerBound + (isLong ? 20 : 12), 4, source) ?? 0
    let matrix = body.lowerBound + (isLong ? 52 : 40)
    // Numbers of 16.16 bits. A track of sound has no size.
    let across = try boxes.number(at: matrix + 36, 4, source) ?? 0
    let down = try boxes.number(at: matrix + 40, 4, source) ?? 0
    if across >> 16 > 0, down >> 16 > 0, width == 0 {
      (width, height) = (across >> 16, down >> 16)
    }
    // A matrix whose first number is zero turns the picture on its side.
    isTurned = try boxes.number(at: matrix, 4, source) == 0
  }

  private mutating func readMedia(
    _ body: Range<Int>, _ boxes: inout BoxReader, _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) {
    var offset = body.lowerBound
    while let box = try boxes.box(at: offset, in: body, source, isCut: true) {
      offset = box.body.upperBound
      if box.has("mdhd") {
        let clock = try boxes.clock(box.body, source)
        (scale, length) = (clock.scale, clock.length)
      } else if box.has("hdlr"), box.body.count >= 12 {
        let kind = try boxes.number(at: box.body.lowerBound + 8, 4, source) ?? 0
        handler = UInt32(truncatingIfNeeded: kind)
      } else if box.has("minf") {
        try readTables(in: box.body, "stbl", &boxes, source)
      }
    }
  }

  private mutating func readTables(
    in body: Range<Int>, _ table: StaticString, _ boxes: inout BoxReader,
    _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) {
    var offset = body.lowerBound
    while let box = try boxes.box(at: offset, in: body, source, isCut: true) {
      offset = box.body.upperBound
      guard box.has(table) else { continue }
      var inner = box.body.lowerBound
      while let part = try boxes.box(at: inner, in: box.body, source, isCut: true) {
        inner = part.body.upperBound
        if part.has("stsd"), isPicture || handler == 0, part.body.count > 8 {
          try readSamples(part.body.lowerBound + 8..<part.body.upperBound, &boxes, source)
        } else if part.has("stts") {
          try readTimes(part.body, &boxes, source)
        }
      }
    }
  }

  /// The first kind of sample: its size where the track has none, and a crop.
  private mutating func readSamples(
    _ body: Range<Int>, _ boxes: inout BoxReader, _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) {
    guard let entry = try boxes.box(at: body.lowerBound, in: body, source, isCut: true),
      entry.body.count >= 78
    else { return }
    let start = entry.body.lowerBound
    if width == 0, isPicture {
      width = try boxes.number(at: start + 24, 2, source) ?? 0
      height = try boxes.number(at: start + 26, 2, source) ?? 0
    }
    var offset = start + 78
    while let box = try boxes.box(at: offset, in: entry.body, source, isCut: true) {
      offset = box.body.upperBound
      guard box.has("clap"), box.body.count >= 16 else { continue }
      // Width and height as fractions.
      var numbers: [Int] = []
      for index in 0..<4 {
        let place = box.body.lowerBound + 4 * index
        numbers.append(try boxes.number(at: place, 4, source) ?? 0)
      }
      if numbers[1] == 1, numbers[3] == 1, (1...65535).contains(numbers[0]),
        (1...65535).contains(numbers[2])
      {
        (width, height) = (numbers[0], numbers[2])
      }
    }
  }

  private mutating func readTimes(
    _ body: Range<Int>, _ boxes: inout BoxReader, _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) {
    guard body.count >= 8, let count = try boxes.number(at: body.lowerBound + 4, 4, source) else {
      return
    }
    let room = min(count, (body.count - 8) / 8, MovieTrackHeader.entryLimit)
    guard room == count else { return }
    var sum = 0
    for index in 0..<room {
      let place = body.lowerBound + 8 + 8 * index
      let samples = try boxes.number(at: place, 4, source) ?? 0
      let delta = try boxes.number(at: place + 4, 4, source) ?? 0
      let (part, isTooLong) = samples.multipliedReportingOverflow(by: delta)
      let (next, isOver) = sum.addingReportingOverflow(part)
      guard !isTooLong, !isOver else { return }
      sum = next
    }
    samplesLength = sum
  }
}

/// What a fragment says of a track: where in time its samples end.
enum MovieFragment {
  private static let sampleLimit = 65_536

  static func read(
    _ body: Range<Int>, _ boxes: inout BoxReader, _ tracks: inout [MovieTrackHeader],
    _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) {
    var track: Int?
    var usual = 0
    var time: Int?
    var offset = body.lowerBound
    while let box = try boxes.box(at: offset, in: body, source, isCut: true) {
      offset = box.body.upperBound
      let start = box.body.lowerBound
      let flags = try boxes.number(at: start, 4, source) ?? 0
      if box.has("tfhd"), box.body.count >= 8 {
        let number = try boxes.number(at: start + 4, 4, source)
        track = tracks.firstIndex { $0.number == number }
        guard let track else { return }
        usual = tracks[track].usualDuration
        time = tracks[track].fragmentsEnd
        if flags & 8 != 0 {
          // Offset of the data, and which description, come before it.
          let place = start + 8 + (flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0)
          usual = try boxes.number(at: place, 4, source) ?? 0
        }
      } else if box.has("tfdt"), box.body.count >= 8 {
        let isLong = flags >> 24 == 1
        time = try boxes.number(at: start + 4, isLong ? 8 : 4, source)
      } else if box.has("trun"), box.body.count >= 8, let track {
        let length = try length(box.body, flags, usual, &boxes, source)
        let (end, isTooLong) = (time ?? 0).addingReportingOverflow(length)
        guard !isTooLong else { return }
        time = end
        tracks[track].fragmentsEnd = max(tracks[track].fragmentsEnd ?? 0, end)
      }
    }
  }

  private static func length(
    _ body: Range<Int>, _ flags: Int, _ usual: Int, _ boxes: inout BoxReader,
    _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) -> Int {
    let count = try boxes.number(at: body.lowerBound + 4, 4, source) ?? 0
    guard flags & 0x100 != 0 else {
      let (product, isTooLong) = count.multipliedReportingOverflow(by: usual)
      return isTooLong ? .max : product
    }
    let start = body.lowerBound + 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
    let step = 4 * [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 }
    let room = max(0, body.upperBound - start) / step
    var sum = 0
    for index in 0..<min(count, room, sampleLimit) {
      sum += try boxes.number(at: start + step * index, 4, source) ?? 0
    }
    return sum
  }
}
