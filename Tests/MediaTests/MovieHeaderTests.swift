import StationTestSupport
import Testing

@testable import Media

/// Heads of movies from elsewhere, built box by box.
@Suite struct MovieHeaderTests {
  static func bytes(_ number: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  static func numbers(_ values: Int...) -> [UInt8] { values.flatMap { bytes($0) } }

  static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  static func box(_ type: String, _ parts: [UInt8]..., isLong: Bool = false) -> [UInt8] {
    let body = Array(parts.joined())
    let head = isLong ? bytes(1) : bytes(body.count + 8)
    let size = isLong ? bytes(body.count + 16, 8) : []
    return head + Array(type.utf8) + size + body
  }

  static let file = box("ftyp", Array("isomiso2".utf8))

  static func head(scale: Int = 1000, length: Int) -> [UInt8] {
    box("mvhd", numbers(0, 0, 0, scale, length), zeros(80))
  }

  static func track(
    _ number: Int, _ handler: String = "vide", width: Int = 640, height: Int = 360,
    isTurned: Bool = false, scale: Int = 90_000, length: Int = 0, samples: [Int] = [],
    inner: [UInt8] = []
  ) -> [UInt8] {
    var matrix = [isTurned ? 0 : 0x10000, isTurned ? 0x10000 : 0, 0, isTurned ? -0x10000 : 0]
    matrix += [isTurned ? 0 : 0x10000, 0, 0, 0, 0x4000_0000]
    let sizes = matrix.flatMap { bytes($0) } + numbers(width << 16, height << 16)
    let header = box("tkhd", numbers(7, 0, 0, number), zeros(24), sizes)
    let times =
      box("stts", numbers(0, samples.count / 2), samples.flatMap { bytes($0) })
    return box(
      "trak", inner, header,
      box(
        "mdia", box("mdhd", numbers(0, 0, 0, scale, length), zeros(4)),
        box("hdlr", numbers(0, 0), Array(handler.utf8), zeros(13)),
        box("minf", box("stbl", times))))
  }

  static func fragment(
    _ track: Int, time: Int, samples: Int, duration: Int, isEach: Bool = false
  ) -> [UInt8] {
    let run =
      isEach
      ? box(
        "trun", numbers(0x301, samples, 0),
        (0..<samples).flatMap { _ in bytes(duration) + bytes(100) })
      : box("trun", numbers(1, samples, 0))
    let header =
      isEach
      ? box("tfhd", numbers(0x20000, track)) : box("tfhd", numbers(0x20008, track, duration))
    return box(
      "moof", box("mfhd", numbers(0, 1)),
      box("traf", header, box("tfdt", bytes(1 << 24), bytes(time, 8)), run))
      + box("mdat", zeros(50))
  }

  static let unknown = 0xFFFF_FFFF
  static let media = box("mdat", zeros(500))
  static let extends = box("mvex", box("trex", numbers(0, 1, 1, 0, 0, 0)))

  static func movie(_ parts: [UInt8]...) -> [UInt8] {
    file + media + box("moov", Array(parts.joined()))
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]
    var size: [Int] = [640, 360]
    var duration: Int?
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "plain", bytes: movie(head(length: 4000), track(1)), duration: 4000),
    Case(
      name: "turned", bytes: movie(head(length: 4000), track(1, isTurned: true)),
      size: [360, 640], duration: 4000),
    Case(
      name: "sound first, with long tables",
      bytes: movie(
        head(length: 4000),
        track(
          1, "soun", width: 0, height: 0, samples: [Int](repeating: 1, count: 20_000)), track(2)),
      duration: 4000),
    Case(
      name: "subtitles with a size first",
      bytes: movie(head(length: 4000), track(1, "sbtl", width: 300, height: 40), track(2)),
      duration: 4000),
    Case(
      name: "a long udta before the tracks, and in one",
      bytes: movie(
        head(length: 4000), box("udta", box("GPMF", zeros(60_000))),
        track(1, inner: box("udta", zeros(9000)))), duration: 4000),
    Case(
      name: "no ftyp", bytes: box("wide") + media + box("moov", head(length: 4000), track(1)),
      duration: 4000),
    Case(
      name: "boxes of 64 bits",
      bytes: file + box("mdat", zeros(100), isLong: true)
        + box(
          "moov", head(length: 4000), box("udta", zeros(9), isLong: true), track(1), isLong: true),
      duration: 4000),
    Case(
      name: "many boxes before the head",
      bytes: file + (0..<200).flatMap { _ in box("free", zeros(4)) }
        + box("moov", head(length: 4000), track(1)), duration: 4000),
    Case(
      name: "a last box without a size",
      bytes: file + box("moov", head(length: 4000), track(1)) + numbers(0) + Array("mdat".utf8),
      duration: 4000),
    Case(
      name: "all ones, and the track's own length",
      bytes: movie(head(length: unknown), track(1, length: 270_000)), duration: 3000),
    Case(
      name: "all ones of 64 bits",
      bytes: movie(
        box("mvhd", numbers(1 << 24, 0, 0, 0, 0, 1000, -1, -1), zeros(80)),
        track(1, samples: [10, 9000, 5, 18_000])), duration: 2000),
    Case(
      name: "all ones everywhere", bytes: movie(head(length: unknown), track(1, length: unknown)),
      duration: nil),
    Case(
      name: "longer than any movie", bytes: movie(head(scale: 1, length: 0x7FFF_FFFF), track(1)),
      duration: nil),
    Case(name: "no clock", bytes: movie(head(scale: 0, length: 10), track(1)), duration: nil),
    Case(
      name: "fragments",
      bytes: file + box("moov", head(length: 0), track(1), extends)
        + fragment(1, time: 0, samples: 30, duration: 3000)
        + fragment(1, time: 90_000, samples: 15, duration: 3000), duration: 1500),
    Case(
      name: "fragments whose samples have lengths of their own",
      bytes: file + box("moov", head(length: 0), track(1), extends)
        + fragment(1, time: 90_000, samples: 15, duration: 6000, isEach: true), duration: 2000),
    Case(
      name: "fragments, with a first piece in the head",
      bytes: file + box("moov", head(length: 500), track(1), extends)
        + fragment(1, time: 45_000, samples: 15, duration: 3000), duration: 1000),
    Case(
      name: "fragments whose length the head says",
      bytes: file
        + box("moov", head(length: 0), track(1), box("mvex", box("mehd", numbers(0, 7000))))
        + fragment(1, time: 0, samples: 30, duration: 3000), duration: 7000),
    Case(
      name: "fragments of a hostile time",
      bytes: file + box("moov", head(length: 0), track(1), extends)
        + fragment(1, time: .max, samples: 30, duration: unknown), duration: nil),
    Case(
      name: "a box longer than the file",
      bytes: file + box("moov", head(length: 4000), track(1)) + numbers(0x7FFF_FFFF)
        + Array("mdat".utf8), duration: 4000),
  ]

  @Test("has the size and the length of any movie, or none", arguments: cases)
  func facts(_ one: Case) {
    #expect(MovieHeader.isMovie(one.bytes))
    let header = PhotoHeader.read(MemorySource(content: one.bytes))
    #expect(header.isMovie)
    #expect([header.size.width, header.size.height] == one.size)
    #expect(header.duration == one.duration)
  }

  @Test("is no movie without a head")
  func none() {
    for bytes in [
      Self.file + Self.media, Self.file, Self.movie(Self.head(length: 4)),
      Array("no movie at all".utf8), [],
    ] {
      #expect(!PhotoHeader.read(MemorySource(content: bytes)).isMovie)
    }
  }

  @Test("knows a movie that is whole from one that is being copied")
  func whole() {
    let movie = Self.movie(Self.head(length: 4000), Self.track(1))
    for count in 0...movie.count {
      let source = MemorySource(content: Array(movie.prefix(count)))
      #expect(MovieHeader.isWhole(source) == (count == movie.count))
    }
  }

  @Test("survives any change of any byte")
  func hostile() {
    var random = SplitMix(seed: 5)
    for round in 0..<3000 {
      var bytes = Self.cases[round % Self.cases.count].bytes
      guard bytes.count < 5000 else { continue }
      for _ in 0...random.next() % 4 {
        let place = Int(random.next() % UInt64(bytes.count))
        bytes[place] = random.next() % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
      }
      PhotoHeader.checkReading(bytes)
    }
  }
}
