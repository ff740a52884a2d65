import Platform

/// One line of `.retake.clock`: the clocks at a moment when an album had photos up to a number.
///
/// The text is `CHECK INDEX BOOT UPTIME TIME TRUST NUMBER ALBUM`, with a plus before the number of
/// a photo that was just saved. `CHECK` is the beginning of the SHA-256 of the rest, so that a line
/// with a flipped bit is rejected.
struct ClockLine: Sendable, Hashable {
  /// The line's position in the file; a gap means that lines were lost.
  var index: Int
  /// The clocks.
  var reading: ClockReading
  /// The album's highest number of a photo; 0 in a line of the clock alone.
  var number: Int
  /// The album; empty in a line of the clock alone.
  var album: String
  /// Whether the photo with the number was just saved; otherwise it existed for an unknown time.
  var isNew: Bool

  /// The latest date that is accepted: the year 2200.
  ///
  /// Unit: seconds since 1970.
  static let latest: Int64 = 7_258_118_400
  // A century, in seconds.
  private static let longestUptime: Int64 = 3_200_000_000

  /// The line's bytes in the file, without the newline.
  var text: [UInt8] {
    let trust = ["n", "b", "s"][reading.trust.rawValue]
    let words = [
      "\(index)", reading.boot, "\(reading.uptime)", "\(reading.time)", trust,
      (isNew ? "+" : "") + "\(number)", album,
    ]
    let body = Array(words.joined(separator: " ").utf8)
    return ClockLine.check(body[...]) + [0x20] + body
  }

  /// Creates a line.
  init(
    index: Int, reading: ClockReading, number: Int = 0, album: String = "", isNew: Bool = false
  ) {
    self.index = index
    self.reading = reading
    self.number = number
    self.album = album
    self.isNew = isNew
  }

  /// Parses a line; returns nil for one that no station writes.
  init?(_ text: ArraySlice<UInt8>) {
    guard text.count < 512, text.count > 9 else { return nil }
    let body = text.dropFirst(9)
    guard text.prefix(9).elementsEqual(ClockLine.check(body) + [0x20]),
      let words = String(validating: body, as: UTF8.self)
    else { return nil }
    let fields = words.split(separator: " ", maxSplits: 6, omittingEmptySubsequences: false)
    guard fields.count == 7, fields[1].utf8.count == 32,
      let index = ClockLine.number(fields[0], 0...1 << 40),
      let uptime = ClockLine.number(fields[2], 0...ClockLine.longestUptime),
      let time = ClockLine.number(fields[3], -ClockLine.latest...ClockLine.latest),
      let number = ClockLine.number(
        fields[5].drop { $0 == "+" }, 0...Int64(PhotoName.highest))
    else { return nil }
    let trust: ClockReading.Trust
    switch fields[4] {
    case "s": trust = .synchronized
    case "b": trust = .battery
    case "n": trust = .none
    default: return nil
    }
    // A trusted clock is never before the date of this program.
    guard trust == .none || time >= WallClock.earliest else { return nil }
    self.index = Int(index)
    reading = ClockReading(
      boot: String(fields[1]), uptime: uptime, time: time, trust: trust)
    self.number = Int(number)
    isNew = fields[5].first == "+"
    album = String(fields[6])
    guard number > 0 ? LibraryConfiguration.isAlbumName(album) : album.isEmpty else { return nil }
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int64>) -> Int64? {
    guard let value = Int64(text), range.contains(value), String(value) == text else { return nil }
    return value
  }

  // Returns eight hexadecimal digits.
  private static func check(_ body: ArraySlice<UInt8>) -> [UInt8] {
    let checksum = body.withUnsafeBytes { Checksum(of: [$0]) }
    return Array("\(checksum)".utf8.prefix(8))
  }
}
