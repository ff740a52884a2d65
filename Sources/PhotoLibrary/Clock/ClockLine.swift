import Platform

/// One line of `.retake.clock`: what all clocks said when an album had numbers up to this one.
///
/// As text: `CHECK INDEX BOOT UPTIME TIME TRUST NUMBER ALBUM`, with a plus before the number of a
/// photo that was just saved. `CHECK` is the beginning of the
/// SHA-256 of what follows it, so that a line with one wrong bit is no line.
struct ClockLine: Sendable, Hashable {
  /// Where the line stands among all; a gap tells of lines that are lost.
  var index: Int
  /// The clocks.
  var reading: ClockReading
  /// The album's highest number that a photo had; 0 in a line of the clock alone.
  var number: Int
  /// The album; empty in a line of the clock alone.
  var album: String
  /// Whether the photo with the number was just saved; otherwise it was there, for any time.
  var isNew: Bool

  /// The latest date that is believed: the year 2200.
  ///
  /// Unit: seconds since 1970.
  static let latest: Int64 = 7_258_118_400
  // A machine that runs for a century.
  private static let longestUptime: Int64 = 3_200_000_000

  /// The line as it is in the file, without its end.
  var text: [UInt8] {
    let trust = ["n", "b", "s"][reading.trust.rawValue]
    let words = [
      "\(index)", reading.boot, "\(reading.uptime)", "\(reading.time)", trust,
      (isNew ? "+" : "") + "\(number)", album,
    ]
    let body = Array(words.joined(separator: " ").utf8)
    return ClockLine.check(body[...]) + [0x20] + body
  }

  /// Makes a line.
  init(
    index: Int, reading: ClockReading, number: Int = 0, album: String = "", isNew: Bool = false
  ) {
    self.index = index
    self.reading = reading
    self.number = number
    self.album = album
    self.isNew = isNew
  }

  /// Reads a line; nil for what no station writes.
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
    // A clock that something vouches for is never before this program.
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

  // Eight hexadecimal digits.
  private static func check(_ body: ArraySlice<UInt8>) -> [UInt8] {
    let checksum = body.withUnsafeBytes { Checksum(of: [$0]) }
    return Array("\(checksum)".utf8.prefix(8))
  }
}
