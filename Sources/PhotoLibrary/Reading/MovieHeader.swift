import Media
import Platform

/// Reads the head of a movie's file: its size as it is shown, its length, and where its small
/// picture lies.
///
/// Source: ISO/IEC 14496-12, 8.2.2, 8.3.2, 8.4, 8.6.1.2, 8.8 and 12.1.4. What makes no sense is left
/// out.
struct MovieHeader {
  /// The mark of the box with the small picture, as `Movies` writes it.
  private static let mark: [UInt8] = [
    0x52, 0x65, 0x74, 0x61, 0x6B, 0x65, 0x5C, 0x1D, 0xA4, 0x4B, 0x90, 0x07, 0x3E, 0xC1, 0x68, 0xF2,
  ]

  /// What a file of the family begins with; `ftyp` is younger than QuickTime.
  private static let first = Set(
    (["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "uuid", "styp", "sidx", "moof"]
      as [StaticString]).map(BoxReader.code))

  /// No movie is longer, in milliseconds: a hundred days.
  private static let longest = 8_640_000_000

  var boxes = BoxReader()
  var tracks: [MovieTrackHeader] = []
  /// Ticks of the movie's own clock in a second, and its length by them.
  private var scale = 0
  private var length: Int?
  /// What the head says of the length with all fragments.
  private var fragmentedLength: Int?
  private var hasFragments = false

  /// Whether a file that begins so may be one.
  static func isMovie(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 12 else { return false }
    return first.contains(bytes[4..<8].reduce(0) { $0 << 8 | UInt32($1) })
  }

  static func read(
    _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) -> PhotoHeader {
    var header = PhotoHeader()
    var reader = MovieHeader()
    let whole = 0..<source.bytes
    var offset = 0
    while let box = try reader.boxes.box(at: offset, in: whole, source) {
      if box.has("moov"), reader.tracks.isEmpty {
        try reader.readMovie(box.body, source)
        // Nothing behind it would say more.
        if !reader.hasFragments, header.thumbnail != nil { break }
      } else if box.has("moof"), reader.hasFragments, reader.fragmentedLength == nil {
        try reader.readFragment(box.body, source)
      } else if box.has("uuid"), box.body.count > 16,
        try source.read(at: box.body.lowerBound, count: 16) == mark
      {
        header.thumbnail = box.body.lowerBound + 16..<box.body.upperBound
      }
      offset = box.body.upperBound
    }
    header.isMovie = !reader.tracks.isEmpty
    guard header.isMovie else { return header }
    header.duration = reader.duration
    let shown = reader.shown
    (header.width, header.height) = (shown?.width ?? 0, shown?.height ?? 0)
    return header
  }

  /// Whether the boxes fill the file, and the head is among them: a movie that is being copied
  /// lacks some.
  static func isWhole(
    _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) -> Bool {
    var boxes = BoxReader()
    var offset = 0
    var hasHead = false
    while let box = try boxes.box(at: offset, in: 0..<source.bytes, source) {
      hasHead = hasHead || box.has("moov")
      if box.isOpen { return hasHead }
      offset = box.body.upperBound
    }
    return hasHead && offset == source.bytes
  }

  // MARK: What it comes to

  /// The picture's track: the first that says so, else the first that has a size.
  private var picture: MovieTrackHeader? {
    tracks.first { $0.isPicture && $0.width > 0 && $0.height > 0 }
      ?? tracks.first { $0.handler == 0 && $0.width > 0 && $0.height > 0 }
      ?? tracks.first { $0.isPicture }
  }

  private var shown: (width: Int, height: Int)? {
    picture.map { $0.isTurned ? ($0.height, $0.width) : ($0.width, $0.height) }
  }

  /// In milliseconds; nil where nothing says it.
  private var duration: Int? {
    let whole = MovieHeader.milliseconds(fragmentedLength, scale)
    if let whole { return whole }
    let head =
      MovieHeader.milliseconds(length, scale)
      ?? tracks.compactMap { MovieHeader.milliseconds($0.length, $0.scale) }.max()
      ?? tracks.compactMap { MovieHeader.milliseconds($0.samplesLength, $0.scale) }.max()
    guard hasFragments, !boxes.isExhausted else { return head }
    let ends = tracks.compactMap { MovieHeader.milliseconds($0.fragmentsEnd, $0.scale) }
    return (ends + [head].compactMap { $0 }).max()
  }

  /// Nil for no length: zero, or all ones, which is written for a length that is not known.
  private static func milliseconds(_ ticks: Int?, _ scale: Int) -> Int? {
    guard let ticks, ticks > 0, ticks != 0xFFFF_FFFF, scale > 0 else { return nil }
    let (thousands, isTooLong) = ticks.multipliedReportingOverflow(by: 1000)
    guard !isTooLong, thousands / scale <= longest else { return nil }
    return thousands / scale
  }

  // MARK: Boxes

  private mutating func readMovie(
    _ body: Range<Int>, _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) {
    var offset = body.lowerBound
    while let box = try boxes.box(at: offset, in: body, source, isCut: true) {
      offset = box.body.upperBound
      if box.has("mvhd") {
        let clock = try boxes.clock(box.body, source)
        (scale, length) = (clock.scale, clock.length)
      } else if box.has("trak"), tracks.count < 64 {
        tracks.append(try MovieTrackHeader(box.body, &boxes, source))
      } else if box.has("mvex") {
        hasFragments = true
        try readExtension(box.body, source)
      }
    }
  }

  private mutating func readExtension(
    _ body: Range<Int>, _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) {
    var offset = body.lowerBound
    while let box = try boxes.box(at: offset, in: body, source, isCut: true) {
      offset = box.body.upperBound
      let start = box.body.lowerBound
      if box.has("mehd"), box.body.count >= 8 {
        let isLong = try boxes.number(at: start, 1, source) == 1 && box.body.count >= 12
        fragmentedLength = try boxes.number(at: start + 4, isLong ? 8 : 4, source)
        if fragmentedLength == 0 || fragmentedLength == 0xFFFF_FFFF { fragmentedLength = nil }
      } else if box.has("trex"), box.body.count >= 24 {
        let track = try boxes.number(at: start + 4, 4, source)
        let duration = try boxes.number(at: start + 12, 4, source)
        for index in tracks.indices where tracks[index].number == track {
          tracks[index].usualDuration = duration ?? 0
        }
      }
    }
  }

  private mutating func readFragment(
    _ body: Range<Int>, _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) {
    var offset = body.lowerBound
    while let box = try boxes.box(at: offset, in: body, source, isCut: true) {
      offset = box.body.upperBound
      if box.has("traf") {
        try MovieFragment.read(box.body, &boxes, &tracks, source)
      }
    }
  }
}

extension BoxReader {
  /// The clock's ticks in a second, and the length, of `mvhd` and `mdhd` alike.
  mutating func clock(
    _ body: Range<Int>, _ source: borrowing some ByteSource & ~Copyable
  ) throws(SystemError) -> (scale: Int, length: Int?) {
    // Version 1 has wider dates, and a wider length.
    let start = body.lowerBound
    let isLong = try number(at: start, 1, source) == 1
    let (place, width) = isLong ? (20, 8) : (12, 4)
    guard body.count >= place + 4 + width else { return (0, nil) }
    let scale = try number(at: start + place, 4, source)
    return (scale ?? 0, try number(at: start + place + 4, width, source))
  }
}
