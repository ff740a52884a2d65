import Imaging
import Media
import Platform
import StationTestSupport
import Testing

@Suite struct StillMetadataTests {
  static let metadata: StillMetadata = {
    var metadata = StillMetadata()
    metadata.make = "Example"
    metadata.model = "Webcam 2000 \u{00E9}"
    metadata.serial = "SN-12"
    metadata.date = StillMetadata.Date(
      seconds: 1_700_000_000, nanoseconds: 123_456_789, offset: 5 * 3600 + 1800)
    metadata.software = "Retake 1.0"
    metadata.session = "4f2a"
    metadata.frameTime = MonotonicTime(nanoseconds: 12_345_678_901)
    metadata.pressToFrame = .milliseconds(-7)
    metadata.exposureTime = .milliseconds(20)
    metadata.hasManualExposure = true
    return metadata
  }()

  static func stills(_ metadata: StillMetadata) throws -> [Still] {
    var maker = StillMaker()
    let size = PixelSize(width: 640, height: 480)
    let lossless = try Tools.still(
      SampleFrames.jpeg(size, .s422), metadata: metadata, with: &maker)
    let frame = SampleFrames.packed(SampleFrames.samples(size))
    let raw = try frame.bytes.withUnsafeBytes { bytes in
      let image = FrameImage(
        bytes: bytes, format: .yuyv, size: size, bytesPerLine: frame.bytesPerLine)
      return try maker.make(
        image, inspection: FrameGate.inspect(image), orientation: Orientation(mount: .clockwise),
        metadata: metadata)
    }
    return [lossless, raw]
  }

  @Test("other programs read what was written") func otherProgramsReadWhatWasWritten() throws {
    for still in try Self.stills(Self.metadata) {
      let read = try Tools.run("exiftool", ["-s", "-G1"], on: still.bytes())
      for (tag, value) in [
        ("Make", "Example"), ("Model", "Webcam 2000 ?"), ("SerialNumber", "SN-12"),
        ("DateTimeOriginal", "2023:11:15 03:43:20"), ("OffsetTimeOriginal", "+05:30"),
        ("SubSecTimeOriginal", "123"), ("Software", "Retake 1.0"),
        ("Orientation", "Horizontal (normal)"), ("ExposureTime", "1/50"), ("ColorSpace", "sRGB"),
        ("ExposureMode", "Manual"),
        ("ExifImageWidth", "\(still.size.width)"), ("ExifImageHeight", "\(still.size.height)"),
        (
          "UserComment",
          "session=4f2a frame-time=12345678901ns press-to-frame=-7000us"
        ),
      ] {
        let line = read.text.split(separator: "\n").first {
          $0.split(separator: " ").dropFirst().first.map(String.init) == tag
        }
        #expect(line?.hasSuffix(": \(value)") == true, "\(tag): \(line ?? "missing")")
      }
      #expect(read.text.contains("ThumbnailImage"))
    }
  }

  @Test("other programs find nothing wrong") func otherProgramsFindNothingWrong() throws {
    var unknown = Self.metadata
    unknown.date = nil
    for metadata in [Self.metadata, unknown, StillMetadata()] {
      for still in try Self.stills(metadata) {
        let bytes = still.bytes()
        let validated = try Tools.run("exiftool", ["-validate", "-warning", "-a"], on: bytes)
        #expect(validated.text.contains(": OK"), "\(validated.text)")
        #expect(!validated.text.contains("Warning"), "\(validated.text)")
        let printed = try Tools.run("exiv2", ["-pa"], on: bytes)
        #expect(printed.status == 0)
        #expect(!printed.text.contains("arning") && !printed.text.contains("rror"))
        let checked = try Tools.run("jpeginfo", ["-c"], on: bytes)
        #expect(checked.status == 0 && checked.text.contains("OK"), "\(checked.text)")
        let decoded = try Tools.run("djpeg", ["-outfile", "/dev/null"], on: bytes)
        #expect(decoded.status == 0 && decoded.text.isEmpty, "\(decoded.text)")
      }
    }
  }

  @Test("a clock that was never set is said and gives no date")
  func aClockThatWasNeverSetIsSaidAndGivesNoDate() throws {
    var metadata = Self.metadata
    metadata.date = nil
    metadata.lacksClock = true
    for still in try Self.stills(metadata) {
      let read = try Tools.run("exiftool", ["-s", "-G1"], on: still.bytes())
      #expect(!read.text.contains("DateTimeOriginal"))
      #expect(read.text.contains("date=unknown"))
    }
  }

  @Test("the thumbnail shows the still") func theThumbnailShowsTheStill() throws {
    for still in try Self.stills(Self.metadata) {
      let bytes = still.bytes()
      let small = try Tools.run("exiftool", ["-b", "-ThumbnailImage"], on: bytes).output
      let thumbnail = try #require(ReferencePicture(decoding: small))
      let picture = try #require(ReferencePicture(decoding: bytes))
      #expect(thumbnail.size.width == (still.size.width + 7) / 8)
      #expect(thumbnail.size.height == (still.size.height + 7) / 8)
      var sum = 0
      for y in 0..<still.size.height / 8 {
        for x in 0..<still.size.width / 8 {
          var mean = SIMD3<Int>()
          for row in 0..<8 { for column in 0..<8 { mean &+= picture[x * 8 + column, y * 8 + row] } }
          // Luma only: a thumbnail has less chroma than the pattern.
          let difference = (mean / 64 &- thumbnail[x, y]) &* SIMD3(299, 587, 114)
          sum += abs(difference.wrappedSum()) / 1000
        }
      }
      #expect(Double(sum) / Double(still.size.width * still.size.height / 64) < 4)
    }
  }

  @Test("the metadata comes first and the JFIF segment goes")
  func theMetadataComesFirstAndTheJFIFSegmentGoes() throws {
    for still in try Self.stills(Self.metadata) {
      let bytes = still.bytes()
      #expect(bytes.count == still.count)
      #expect(SampleFrames.segments(bytes).map(\.code).prefix(2) != [0xE1, 0xE0])
      #expect(SampleFrames.segments(bytes).first?.code == 0xE1)
      let parts = still.withParts { parts in
        parts.flatMap { Array(UnsafeRawBufferPointer(start: $0.iov_base, count: $0.iov_len)) }
      }
      #expect(parts == bytes)
    }
  }
}
