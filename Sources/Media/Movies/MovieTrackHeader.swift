/// The values in a movie's header for one of its tracks.
struct MovieTrackHeader {
  /// The track number that fragments refer to.
  var number = 0
  /// The type of the track's contents, as four characters; 0 if the track does not state it.
  var handler: UInt32 = 0
  /// The size in pixels before rotation.
  var size = PixelSize(width: 0, height: 0)
  var isTurned = false
  /// The ticks per second of the track's clock, and its duration in ticks.
  var clock: (scale: Int, length: Int?) = (0, nil)
  /// The duration in ticks by the table of samples.
  var samplesLength: Int?
  /// The default duration in ticks of a fragment's samples.
  var usualDuration = 0
  /// The end of the last fragment, in ticks.
  var fragmentsEnd: Int?

  var isPicture: Bool { handler == BoxReader.code("vide") }
  var hasSize: Bool { size.width > 0 && size.height > 0 }

  /// The maximum number of table entries to read; a movie has one for each change of its frame
  /// rate.
  private static let entryLimit = 65_536

  init<Source: ByteSource & ~Copyable>(
    _ body: Range<Int>, _ boxes: inout BoxReader, _ source: borrowing Source
  ) throws(Source.Failure) {
    var offset = body.lowerBound
    while let box = try boxes.next(&offset, in: body, source) {
      if box.has("tkhd") {
        try readHeader(box, &boxes, source)
      } else if box.has("mdia") {
        try readMedia(box.body, &boxes, source)
      }
    }
  }

  private mutating func readHeader<Source: ByteSource & ~Copyable>(
    _ box: BoxReader.Box, _ boxes: inout BoxReader, _ source: borrowing Source
  ) throws(Source.Failure) {
    guard var fields = try boxes.fields(of: box, source),
      box.body.count >= (fields.version == 1 ? 96 : 84)
    else { return }
    // Two dates come before the number; the duration and reserved fields follow.
    fields.skip(2 * fields.width)
    number = try boxes.number(4, &fields, source) ?? 0
    fields.skip(4 + fields.width + 16)
    // A matrix whose first number is zero turns the picture by a quarter.
    isTurned = try boxes.number(4, &fields, source) == 0
    fields.skip(32)
    // Width and height are fixed-point numbers of 16.16 bits, and zero for a sound track.
    let width = try boxes.number(4, &fields, source) ?? 0
    let height = try boxes.number(4, &fields, source) ?? 0
    if width >> 16 > 0, height >> 16 > 0, size.width == 0 {
      size = PixelSize(width: width >> 16, height: height >> 16)
    }
  }

  private mutating func readMedia<Source: ByteSource & ~Copyable>(
    _ body: Range<Int>, _ boxes: inout BoxReader, _ source: borrowing Source
  ) throws(Source.Failure) {
    var offset = body.lowerBound
    while let box = try boxes.next(&offset, in: body, source) {
      if box.has("mdhd") {
        clock = try boxes.clock(box, source)
      } else if box.has("hdlr"), var fields = try boxes.fields(of: box, source) {
        fields.skip(4)
        if let kind = try boxes.number(4, &fields, source) {
          handler = UInt32(truncatingIfNeeded: kind)
        }
      } else if box.has("minf") {
        try readInformation(box.body, &boxes, source)
      }
    }
  }

  private mutating func readInformation<Source: ByteSource & ~Copyable>(
    _ body: Range<Int>, _ boxes: inout BoxReader, _ source: borrowing Source
  ) throws(Source.Failure) {
    var offset = body.lowerBound
    while let box = try boxes.next(&offset, in: body, source) {
      guard box.has("stbl") else { continue }
      var inner = box.body.lowerBound
      while let part = try boxes.next(&inner, in: box.body, source) {
        if part.has("stsd"), isPicture || handler == 0, part.body.count > 8 {
          try readSamples(part.body.lowerBound + 8..<part.body.upperBound, &boxes, source)
        } else if part.has("stts") {
          try readTimes(part, &boxes, source)
        }
      }
    }
  }

  /// Reads the first sample description, for the size if the track has none and for a crop.
  private mutating func readSamples<Source: ByteSource & ~Copyable>(
    _ body: Range<Int>, _ boxes: inout BoxReader, _ source: borrowing Source
  ) throws(Source.Failure) {
    var offset = body.lowerBound
    guard let entry = try boxes.next(&offset, in: body, source), entry.body.count >= 78 else {
      return
    }
    if size.width == 0, isPicture {
      var fields = BoxFields(entry.body)
      fields.skip(24)
      size.width = try boxes.number(2, &fields, source) ?? 0
      size.height = try boxes.number(2, &fields, source) ?? 0
    }
    offset = entry.body.lowerBound + 78
    while let box = try boxes.next(&offset, in: entry.body, source) {
      guard box.has("clap") else { continue }
      var fields = BoxFields(box.body)
      // Width and height are fractions.
      guard let width = try boxes.number(4, &fields, source),
        try boxes.number(4, &fields, source) == 1,
        let height = try boxes.number(4, &fields, source),
        try boxes.number(4, &fields, source) == 1,
        (1...65535).contains(width), (1...65535).contains(height)
      else { continue }
      size = PixelSize(width: width, height: height)
    }
  }

  private mutating func readTimes<Source: ByteSource & ~Copyable>(
    _ box: BoxReader.Box, _ boxes: inout BoxReader, _ source: borrowing Source
  ) throws(Source.Failure) {
    guard var fields = try boxes.fields(of: box, source),
      let count = try boxes.number(4, &fields, source),
      count <= min(fields.left / 8, MovieTrackHeader.entryLimit)
    else { return }
    var sum = 0
    for _ in 0..<count {
      let samples = try boxes.number(4, &fields, source) ?? 0
      let delta = try boxes.number(4, &fields, source) ?? 0
      let (part, isTooLong) = samples.multipliedReportingOverflow(by: delta)
      let (next, isOver) = sum.addingReportingOverflow(part)
      guard !isTooLong, !isOver else { return }
      sum = next
    }
    samplesLength = sum
  }
}

/// A reader of a movie fragment, which updates the end time of each track.
enum MovieFragment {
  private static let sampleLimit = 65_536

  static func read<Source: ByteSource & ~Copyable>(
    _ body: Range<Int>, _ boxes: inout BoxReader, _ tracks: inout [MovieTrackHeader],
    _ source: borrowing Source
  ) throws(Source.Failure) {
    var track: Int?
    var usual = 0
    var time: Int?
    var offset = body.lowerBound
    while let box = try boxes.next(&offset, in: body, source) {
      guard var fields = try boxes.fields(of: box, source), fields.left >= 4 else { continue }
      if box.has("tfhd") {
        let number = try boxes.number(4, &fields, source)
        track = tracks.firstIndex { $0.number == number }
        guard let track else { return }
        usual = tracks[track].usualDuration
        time = tracks[track].fragmentsEnd
        if fields.flags & 8 != 0 {
          // The data offset and the description's index come before the default duration.
          fields.skip((fields.flags & 1 != 0 ? 8 : 0) + (fields.flags & 2 != 0 ? 4 : 0))
          usual = try boxes.number(4, &fields, source) ?? 0
        }
      } else if box.has("tfdt") {
        time = try boxes.wide(&fields, source)
      } else if box.has("trun"), let track {
        let length = try length(&fields, usual, &boxes, source)
        let (end, isTooLong) = (time ?? 0).addingReportingOverflow(length)
        guard !isTooLong else { return }
        time = end
        tracks[track].fragmentsEnd = max(tracks[track].fragmentsEnd ?? 0, end)
      }
    }
  }

  private static func length<Source: ByteSource & ~Copyable>(
    _ fields: inout BoxFields, _ usual: Int, _ boxes: inout BoxReader, _ source: borrowing Source
  ) throws(Source.Failure) -> Int {
    let count = try boxes.number(4, &fields, source) ?? 0
    let flags = fields.flags
    guard flags & 0x100 != 0 else {
      let (product, isTooLong) = count.multipliedReportingOverflow(by: usual)
      return isTooLong ? .max : product
    }
    fields.skip((flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0))
    let step = 4 * [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 }
    var sum = 0
    for _ in 0..<min(count, fields.left / step, sampleLimit) {
      // The duration is the first field of a sample.
      sum += try boxes.number(4, &fields, source) ?? 0
      fields.skip(step - 4)
    }
    return sum
  }
}
