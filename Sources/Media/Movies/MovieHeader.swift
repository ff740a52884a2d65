/// A reader of a movie's file header, for the displayed size, the duration, and the position of the
/// thumbnail.
///
/// Source: ISO/IEC 14496-12, 8.2.2, 8.3.2, 8.4, 8.6.1.2, 8.8 and 12.1.4. Invalid values are
/// ignored.
package struct MovieHeader {
  /// The types of a first box in files of the MP4 family; QuickTime files may lack `ftyp`.
  private static let first = Set(
    (["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "uuid", "styp", "sidx", "moof"]
      as [StaticString]).map(BoxReader.code))

  /// The maximum duration of a movie in milliseconds, which is a hundred days.
  private static let longest = 8_640_000_000

  var boxes = BoxReader()
  var tracks: [MovieTrackHeader] = []
  /// The ticks per second of the movie's own clock, and its duration in ticks.
  private var clock: (scale: Int, length: Int?) = (0, nil)
  /// The duration with all fragments in the header, in ticks.
  private var fragmentedLength: Int?
  private var hasFragments = false

  /// Returns whether a file that begins with these bytes may be a movie.
  package static func isMovie(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 12 else { return false }
    return first.contains(bytes[4..<8].reduce(0) { $0 << 8 | UInt32($1) })
  }

  static func read<Source: ByteSource & ~Copyable>(
    _ source: borrowing Source
  ) throws(Source.Failure) -> PhotoHeader {
    var header = PhotoHeader()
    var reader = MovieHeader()
    let whole = 0..<source.bytes
    var offset = 0
    while let box = try reader.boxes.next(&offset, in: whole, source, isCut: false) {
      if box.has("moov"), reader.tracks.isEmpty {
        try reader.readMovie(box.body, source)
        // The boxes after `moov` hold nothing more to read.
        if !reader.hasFragments, header.thumbnail != nil { break }
      } else if box.has("moof"), reader.hasFragments, reader.fragmentedLength == nil {
        try reader.readFragment(box.body, source)
      } else if box.has("uuid"), box.body.count > 16,
        try source.read(at: box.body.lowerBound, count: 16) == MovieMark.thumbnail
      {
        header.thumbnail = box.body.lowerBound + 16..<box.body.upperBound
      }
    }
    header.isMovie = !reader.tracks.isEmpty
    guard header.isMovie else { return header }
    header.duration = reader.duration
    header.size = reader.shown ?? header.size
    return header
  }

  /// Returns whether the boxes fill the file and include the header, which is false for a partly
  /// copied movie.
  package static func isWhole<Source: ByteSource & ~Copyable>(
    _ source: borrowing Source
  ) throws(Source.Failure) -> Bool {
    var boxes = BoxReader()
    var offset = 0
    var hasHead = false
    while let box = try boxes.next(&offset, in: 0..<source.bytes, source, isCut: false) {
      hasHead = hasHead || box.has("moov")
      if box.isOpen { return hasHead }
    }
    return hasHead && offset == source.bytes
  }

  // MARK: What it comes to

  /// The picture's track, which is the first video track with a size, else the first track without
  /// a type that has a size, else the first video track.
  private var picture: MovieTrackHeader? {
    tracks.first { $0.isPicture && $0.hasSize } ?? tracks.first { $0.handler == 0 && $0.hasSize }
      ?? tracks.first { $0.isPicture }
  }

  private var shown: PixelSize? { picture.map { $0.isTurned ? $0.size.turned : $0.size } }

  /// The duration in milliseconds; nil if the file does not state it.
  private var duration: Int? {
    let whole = MovieHeader.milliseconds(fragmentedLength, clock.scale)
    if let whole { return whole }
    let head =
      MovieHeader.milliseconds(clock.length, clock.scale)
      ?? tracks.compactMap { MovieHeader.milliseconds($0.clock.length, $0.clock.scale) }.max()
      ?? tracks.compactMap { MovieHeader.milliseconds($0.samplesLength, $0.clock.scale) }.max()
    guard hasFragments, !boxes.isExhausted else { return head }
    let ends = tracks.compactMap { MovieHeader.milliseconds($0.fragmentsEnd, $0.clock.scale) }
    return (ends + [head].compactMap { $0 }).max()
  }

  /// Returns milliseconds for ticks, or nil for zero and for all ones, which stands for an unknown
  /// duration.
  private static func milliseconds(_ ticks: Int?, _ scale: Int) -> Int? {
    guard let ticks, ticks > 0, ticks != 0xFFFF_FFFF, scale > 0 else { return nil }
    let (thousands, isTooLong) = ticks.multipliedReportingOverflow(by: 1000)
    guard !isTooLong, thousands / scale <= longest else { return nil }
    return thousands / scale
  }

  // MARK: Boxes

  private mutating func readMovie<Source: ByteSource & ~Copyable>(
    _ body: Range<Int>, _ source: borrowing Source
  ) throws(Source.Failure) {
    var offset = body.lowerBound
    while let box = try boxes.next(&offset, in: body, source) {
      if box.has("mvhd") {
        clock = try boxes.clock(box, source)
      } else if box.has("trak"), tracks.count < 64 {
        tracks.append(try MovieTrackHeader(box.body, &boxes, source))
      } else if box.has("mvex") {
        hasFragments = true
        try readExtension(box.body, source)
      }
    }
  }

  private mutating func readExtension<Source: ByteSource & ~Copyable>(
    _ body: Range<Int>, _ source: borrowing Source
  ) throws(Source.Failure) {
    var offset = body.lowerBound
    while let box = try boxes.next(&offset, in: body, source) {
      if box.has("mehd"), var fields = try boxes.fields(of: box, source) {
        fragmentedLength = try boxes.wide(&fields, source)
        if fragmentedLength == 0 || fragmentedLength == 0xFFFF_FFFF { fragmentedLength = nil }
      } else if box.has("trex"), box.body.count >= 24,
        var fields = try boxes.fields(of: box, source)
      {
        let track = try boxes.number(4, &fields, source)
        fields.skip(4)
        let duration = try boxes.number(4, &fields, source)
        for index in tracks.indices where tracks[index].number == track {
          tracks[index].usualDuration = duration ?? 0
        }
      }
    }
  }

  private mutating func readFragment<Source: ByteSource & ~Copyable>(
    _ body: Range<Int>, _ source: borrowing Source
  ) throws(Source.Failure) {
    var offset = body.lowerBound
    while let box = try boxes.next(&offset, in: body, source) {
      if box.has("traf") {
        try MovieFragment.read(box.body, &boxes, &tracks, source)
      }
    }
  }
}

extension BoxReader {
  /// Reads the ticks per second and the duration in ticks of an `mvhd` or `mdhd` box.
  mutating func clock<Source: ByteSource & ~Copyable>(
    _ box: Box, _ source: borrowing Source
  ) throws(Source.Failure) -> (scale: Int, length: Int?) {
    guard var fields = try fields(of: box, source) else { return (0, nil) }
    // The dates of creation and modification come first.
    fields.skip(2 * fields.width)
    guard let scale = try number(4, &fields, source) else { return (0, nil) }
    return (scale, try wide(&fields, source))
  }
}
