import Imaging
import Media
import StationTestSupport
import Testing

@Suite struct JPEGGateTests {
  static let size = PixelSize(width: 96, height: 64)
  static let frame = SampleFrames.jpeg(size, .s422)

  static func inspect(_ bytes: [UInt8], _ expected: PixelSize? = size) -> FrameInspection {
    bytes.withUnsafeBytes { JPEGGate.inspect($0, expected: expected) }
  }

  @Test("a good frame is clean", arguments: SampleFrames.Sampling.allCases)
  func aGoodFrameIsClean(_ sampling: SampleFrames.Sampling) {
    let frame = SampleFrames.jpeg(Self.size, sampling)
    let found = Self.inspect(frame)
    #expect(found.verdict == .clean)
    #expect(found.picture == 0..<frame.count)
    #expect(found.size == Self.size)
    #expect(found.unit == sampling.unit)
  }

  @Test("missing tables are repairable and are to go before the frame header")
  func missingTablesAreRepairableAndAreToGoBeforeTheFrameHeader() throws {
    let frame = SampleFrames.withoutTables(Self.frame)
    let found = Self.inspect(frame)
    #expect(found.verdict == .repairable)
    let offset = try #require(found.tablesOffset)
    #expect(frame[offset...].starts(with: [0xFF, 0xC0]))
  }

  @Test("a table's marker inside another segment is not a table")
  func aTablesMarkerInsideAnotherSegmentIsNotATable() {
    let decoy = SampleFrames.inserting(
      0xE4, StandardTables.segment, in: SampleFrames.withoutTables(Self.frame))
    #expect(Self.inspect(decoy).tablesOffset != nil)
  }

  @Test(
    "what follows the picture is left out",
    arguments: [
      [0x00], [0x00, 0x00], [UInt8](repeating: 0, count: 5000), [0x00, 0xFF, 0xD9], [0xD9, 0x00],
      [0x12, 0x34, 0xFF],
    ])
  func whatFollowsThePictureIsLeftOut(_ padding: [UInt8]) {
    let found = Self.inspect(Self.frame + padding)
    #expect(found.verdict == .repairable)
    #expect(found.picture == 0..<Self.frame.count)
    #expect(!found.lacksEnd)
  }

  @Test(
    "what precedes the picture is left out",
    arguments: [[0x00], [0xFF, 0xD8], [0x41, 0x56, 0x49, 0x31], [0xFF, 0xFF]] as [[UInt8]])
  func whatPrecedesThePictureIsLeftOut(_ before: [UInt8]) {
    let found = Self.inspect(before + Self.frame)
    #expect(found.verdict == .repairable)
    #expect(found.picture == before.count..<before.count + Self.frame.count)
  }

  @Test("an older frame's beginning before the picture is left out")
  func anOlderFramesBeginningBeforeThePictureIsLeftOut() {
    let beginning = Array(Self.frame.prefix(Self.frame.count / 2))
    let found = Self.inspect(beginning + Self.frame)
    #expect(found.verdict == .repairable)
    #expect(found.picture == beginning.count..<beginning.count + Self.frame.count)
  }

  @Test("a thumbnail in a cut frame is not the picture") func aThumbnailInACutFrameIsNotThePicture()
  {
    let small = SampleFrames.jpeg(PixelSize(width: 32, height: 16), .s420)
    let frame = SampleFrames.inserting(0xE1, small, in: Self.frame)
    #expect(Self.inspect(frame, nil).verdict == .clean)
    #expect(Self.inspect(Array(frame.dropLast(40)), nil).verdict == .damaged(.cut))
  }

  /// The ends that are accepted, each with a whole picture in front of it.
  @Test(
    arguments: [
      [0xFF], [0xD9], [0xD9, 0x00], [0x00, 0x00], [0x00], [0xFF, 0xD8], [0xFF, 0x00], [0xFF, 0xC9],
      [0xFF, 0x00, 0x00, 0x00],
    ] as [[UInt8]])
  func aDamagedEndOfAWholePictureIsCompleted(_ end: [UInt8]) {
    for sampling in SampleFrames.Sampling.allCases {
      for seed in 1...8 as ClosedRange<UInt64> {
        let frame = SampleFrames.jpeg(Self.size, sampling, seed: seed)
        let found = Self.inspect(Array(frame.dropLast(2)) + end)
        #expect(found.verdict == .repairable, "\(sampling) \(seed)")
        #expect(found.picture == 0..<frame.count - 2, "\(sampling) \(seed)")
        #expect(found.lacksEnd)
      }
    }
  }

  @Test("a damaged end is completed without tables too")
  func aDamagedEndIsCompletedWithoutTablesToo() {
    let frame = SampleFrames.withoutTables(Self.frame)
    let found = Self.inspect(Array(frame.dropLast(1)))
    #expect(found.verdict == .repairable)
    #expect(found.lacksEnd)
    #expect(found.tablesOffset != nil)
  }

  @Test("a frame cut anywhere is never usable and nothing is read behind it")
  func aFrameCutAnywhereIsNeverUsableAndNothingIsReadBehindIt() throws {
    for sampling in SampleFrames.Sampling.allCases {
      let frame = SampleFrames.jpeg(Self.size, sampling)
      let memory = try #require(GuardedBytes(capacity: frame.count + 64))
      // Where all but bits of the very last block is there, a leftover of EOI can pass for them.
      for count in 0..<frame.count - 5 {
        for end in [[], [0x00, 0x00], [0xD9, 0x00], [0xFF], [0xFF, 0xD8]] as [[UInt8]] {
          // That would make an EOI, which only a decoder can tell from the right one.
          if count > 0, frame[count - 1] == 0xFF, end.first == 0xD9 { continue }
          let found = memory.with(frame[..<count] + end) {
            JPEGGate.inspect($0, expected: Self.size)
          }
          #expect(!found.isUsable, "\(sampling): the first \(count) bytes, then \(end)")
        }
      }
    }
  }

  @Test("a cut frame is called cut", arguments: [50, 95])
  func aCutFrameIsCalledCut(_ percent: Int) {
    let part = Array(Self.frame.prefix(Self.frame.count * percent / 100))
    #expect(Self.inspect(part).verdict == .damaged(.cut))
    let padded = part + [UInt8](repeating: 0, count: 10_000)
    #expect(Self.inspect(padded).verdict == .damaged(.cut))
  }

  @Test("other kinds are refused by their header") func otherKindsAreRefusedByTheirHeader() throws {
    #expect(Self.inspect([]).verdict == .damaged(.empty))
    #expect(Self.inspect([1, 2, 3]).verdict == .damaged(.short))
    #expect(
      Self.inspect([UInt8](repeating: 7, count: 9000)).verdict == .damaged(.notPicture))
    #expect(
      Self.inspect(Self.frame, PixelSize(width: 97, height: 64)).verdict == .damaged(.otherSize))

    let header = try #require(SampleFrames.segments(Self.frame).first { $0.code == 0xC0 }).range
    func changed(_ offset: Int, _ value: UInt8) -> [UInt8] {
      var frame = Self.frame
      frame[header.lowerBound + offset] = value
      return frame
    }
    for code in [0xC2, 0xC3, 0xC5, 0xC9, 0xCA, 0xCB, 0xCD, 0xCF] as [UInt8] {
      #expect(Self.inspect(changed(1, code)).verdict == .damaged(.unsupported))
    }
    #expect(Self.inspect(changed(4, 12)).verdict == .damaged(.unsupported))
    var absurd = changed(5, 0xFF)
    absurd[header.lowerBound + 7] = 0xFF
    #expect(Self.inspect(absurd, nil).verdict == .damaged(.unsupported))
    #expect(Self.inspect(changed(11, 0x51)).verdict == .damaged(.brokenHeader))
    #expect(Self.inspect(changed(12, 3)).verdict == .damaged(.brokenHeader))
    #expect(Self.inspect(changed(2, 0xFF)).isUsable == false)
  }

  @Test("a marker inside the scan is damage") func aMarkerInsideTheScanIsDamage() {
    var frame = Self.frame
    frame.replaceSubrange(frame.count - 200..<frame.count - 198, with: [0xFF, 0xC4])
    #expect(Self.inspect(frame).verdict == .damaged(.strayMarker))
  }

  @Test("restart markers are followed and a lost interval is seen")
  func restartMarkersAreFollowedAndALostIntervalIsSeen() throws {
    let frame = try Tools.run("jpegtran", ["-restart", "2B"], on: Self.frame).output
    var marks: [Int] = []
    let scan = try #require(SampleFrames.segments(frame).last).range.upperBound
    for index in scan..<frame.count - 2
    where frame[index] == 0xFF && (0xD0...0xD7).contains(frame[index + 1]) {
      marks.append(index)
    }
    #expect(marks.count == 23)
    #expect(Self.inspect(frame).verdict == .clean)
    // Damaged ends are counted through the restarts, too.
    #expect(Self.inspect(Array(frame.dropLast())).verdict == .repairable)
    for count in stride(from: scan, to: frame.count - 5, by: 7) {
      #expect(!Self.inspect(frame[..<count] + [0xFF]).isUsable)
    }
    for index in 0..<marks.count - 1 {
      var lost = frame
      lost.removeSubrange(marks[index]..<marks[index + 1])
      #expect(Self.inspect(lost).verdict == .damaged(.lostData), "\(index)")
    }
    // Eight lost intervals leave the order right, but not the number.
    var lost = frame
    lost.removeSubrange(marks[3]..<marks[11])
    #expect(Self.inspect(lost).verdict == .damaged(.lostData))
    var stray = Self.frame
    stray.replaceSubrange(stray.count - 300..<stray.count - 298, with: [0xFF, 0xD0])
    #expect(Self.inspect(stray).verdict == .damaged(.strayMarker))
  }

  @Test("a scan that cannot hold all blocks is cut") func aScanThatCannotHoldAllBlocksIsCut() throws
  {
    let scan = try #require(SampleFrames.segments(Self.frame).last).range.upperBound
    let frame = Self.frame[..<(scan + 30)] + [0xFF, 0xD9]
    #expect(Self.inspect(Array(frame)).verdict == .damaged(.cut))
  }

  @Test("no change of bytes makes the walk read on or trap")
  func noChangeOfBytesMakesTheWalkReadOnOrTrap() throws {
    var random = SplitMix(seed: 20)
    let memory = try #require(GuardedBytes(capacity: Self.frame.count + 4096))
    for round in 0..<6_000 {
      var frame = round % 3 == 0 ? SampleFrames.withoutTables(Self.frame) : Self.frame
      let isHeader = round % 2 == 0
      for _ in 0...random.next() % 6 {
        let place = Int(random.next() % UInt64(isHeader ? 640 : frame.count))
        frame[place] = random.next() % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
      }
      if round % 5 == 0 { frame.removeLast(Int(random.next() % 80)) }
      let found = memory.with(frame) { JPEGGate.inspect($0, expected: nil) }
      #expect(found.picture.lowerBound >= 0 && found.picture.upperBound <= frame.count)
      if let offset = found.tablesOffset { #expect(found.picture.contains(offset)) }
    }
  }
}
