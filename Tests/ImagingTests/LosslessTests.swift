import CTurboJPEG
import Imaging
import Media
import StationTestSupport
import Testing

/// Tests of lossless transforms, including the faults of libjpeg-turbo 2.1.5.
@Suite struct LosslessTests {
  /// The coefficients of each component, block by block, as TurboJPEG hands them to a filter.
  final class Coefficients {
    var blocks: [[[Int16]]] = [[], [], []]
    var rows: [Int] = [0, 0, 0]

    init?(_ jpeg: [UInt8]) {
      guard let handle = tjInitTransform() else { return nil }
      defer { tjDestroy(handle) }
      var transform = tjtransform()
      transform.options = Int32(TJXOPT_NOOUTPUT)
      transform.data = Unmanaged.passUnretained(self).toOpaque()
      transform.customFilter = { data, array, _, component, _, transform in
        guard let data, let owner = transform?.pointee.data else { return -1 }
        let found = Unmanaged<Coefficients>.fromOpaque(owner).takeUnretainedValue()
        let count = Int(array.w) / 8
        found.rows[Int(component)] = count
        for block in 0..<count {
          found.blocks[Int(component)].append(
            Array(UnsafeBufferPointer(start: data + block * 64, count: 64)))
        }
        return 0
      }
      var output: UnsafeMutablePointer<UInt8>?
      var count: UInt = 0
      guard
        tjTransform(handle, jpeg, UInt(jpeg.count), 1, &output, &count, &transform, 0) == 0
      else { return nil }
    }
  }

  @Test(
    "the coefficients of a crop are the camera's own", arguments: SampleFrames.Sampling.allCases)
  func theCoefficientsOfACropAreTheCamerasOwn(_ sampling: SampleFrames.Sampling) throws {
    var maker = StillMaker()
    let frame = SampleFrames.jpeg(PixelSize(width: 320, height: 176), sampling)
    let still = try Tools.still(frame, with: &maker)
    let before = try #require(Coefficients(frame))
    let after = try #require(Coefficients(still.bytes()))
    let unit = sampling.unit
    let crop = still.geometry.crop
    #expect(crop.x % unit.width == 0 && crop.y == 0)
    for component in 0..<(sampling == .gray ? 1 : 3) {
      let across = component == 0 ? 8 : unit.width
      let row = after.rows[component]
      #expect(row > 0)
      // Whole units only: the encoder fills up the last one as it likes.
      let whole = crop.size.width / unit.width * unit.width / across
      for (index, block) in after.blocks[component].enumerated() where index % row < whole {
        let place = index / row * before.rows[component] + index % row + crop.x / across
        #expect(before.blocks[component][place] == block)
      }
    }
  }

  @Test("four quarter turns give the same coefficients", arguments: SampleFrames.Sampling.allCases)
  func fourQuarterTurnsGiveTheSameCoefficients(_ sampling: SampleFrames.Sampling) throws {
    var maker = StillMaker()
    let frame = SampleFrames.jpeg(PixelSize(width: 160, height: 96), sampling)
    var turned = frame
    for _ in 0..<4 {
      let still = try Tools.still(
        turned, Orientation(mount: .clockwise, enforce: .off), with: &maker)
      #expect(still.isLossless)
      turned = still.bytes()
    }
    #expect(try #require(Coefficients(frame)).blocks == #require(Coefficients(turned)).blocks)
  }

  @Test("a frame without tables gives a file with tables")
  func aFrameWithoutTablesGivesAFileWithTables() throws {
    var maker = StillMaker()
    let frame = SampleFrames.jpeg(PixelSize(width: 320, height: 176), .s422)
    let whole = try Tools.still(frame, with: &maker)
    let repaired = try Tools.still(SampleFrames.withoutTables(frame), with: &maker)
    #expect(SampleFrames.segments(repaired.bytes()).contains { $0.code == 0xC4 })
    #expect(repaired.bytes() == whole.bytes())
  }

  @Test("tables of the frame before are forgotten") func tablesOfTheFrameBeforeAreForgotten() throws
  {
    var maker = StillMaker()
    let frame = SampleFrames.jpeg(PixelSize(width: 320, height: 176), .s422)
    let own = try Tools.run("jpegtran", ["-optimize"], on: frame).output
    #expect(!own.isEmpty && own.count < frame.count)
    let expected = try Tools.still(frame, with: &maker).bytes()
    #expect(try Tools.still(own, with: &maker).bytes() == expected)
    #expect(try Tools.still(SampleFrames.withoutTables(frame), with: &maker).bytes() == expected)
  }

  @Test("a completed end gives the same still and is counted")
  func aCompletedEndGivesTheSameStillAndIsCounted() throws {
    var maker = StillMaker()
    let frame = SampleFrames.jpeg(PixelSize(width: 320, height: 176), .s422)
    let expected = try Tools.still(frame, with: &maker).bytes()
    #expect(maker.bytesCopied == 0)
    let cut = Array(frame.dropLast())
    #expect(try Tools.still(cut, with: &maker).bytes() == expected)
    #expect(maker.bytesCopied == frame.count - 2)
  }

  @Test("bytes around the picture do not matter") func bytesAroundThePictureDoNotMatter() throws {
    var maker = StillMaker()
    let frame = SampleFrames.jpeg(PixelSize(width: 320, height: 176), .s420)
    let expected = try Tools.still(frame, with: &maker).bytes()
    let padded = [0, 1, 2] + frame + [UInt8](repeating: 0, count: 999)
    #expect(try Tools.still(padded, with: &maker).bytes() == expected)
  }

  @Test("data lost in the middle is refused while the next frame works")
  func dataLostInTheMiddleIsRefusedWhileTheNextFrameWorks() throws {
    var maker = StillMaker()
    let size = PixelSize(width: 320, height: 176)
    let frame = SampleFrames.jpeg(size, .s422)
    let scan = try #require(SampleFrames.segments(frame).last).range.upperBound
    var refused = 0
    var passed = 0
    for place in stride(from: scan + 50, to: frame.count - 700, by: 331) {
      var lost = frame
      lost.removeSubrange(place..<place + 512)
      for isExact in [false, true] {
        let orientation = Orientation(mount: .upsideDown, isExact: isExact)
        do {
          _ = try Tools.still(lost, orientation, with: &maker)
          passed += 1
        } catch let error as StillError {
          refused += 1
          #expect(error.isAboutThisFrame, "\(error)")
        }
      }
      #expect(try Tools.still(frame, with: &maker).isLossless)
    }
    #expect(refused > 20 && passed == 0)
  }

  @Test("a camera that always warns is usable when that is asked for")
  func aCameraThatAlwaysWarnsIsUsableWhenThatIsAskedFor() throws {
    let frame = SampleFrames.jpeg(PixelSize(width: 320, height: 176), .s422)
    var lost = frame
    lost.removeSubrange(frame.count - 1500..<frame.count - 1000)
    for isExact in [false, true] {
      var maker = StillMaker()
      maker.acceptsWarnings = true
      let orientation = Orientation(mount: .upsideDown, isExact: isExact)
      let still = try Tools.still(lost, orientation, with: &maker)
      #expect(still.warning != nil)
      #expect(ReferencePicture(decoding: still.bytes()) != nil)
      #expect(try Tools.still(frame, orientation, with: &maker).warning == nil)
    }
  }

  @Test("turned 4:2:2 is 4:4:0 and says its real size") func turned422Is440AndSaysItsRealSize()
    throws
  {
    var maker = StillMaker()
    let frame = SampleFrames.jpeg(PixelSize(width: 320, height: 184), .s422)
    let still = try Tools.still(
      frame, Orientation(mount: .clockwise, enforce: .off), with: &maker)
    let found = still.bytes().withUnsafeBytes { JPEGGate.inspect($0) }
    #expect(found.unit == PixelSize(width: 8, height: 16))
    #expect(found.size == PixelSize(width: 184, height: 320))
    #expect(still.size == found.size && still.trimmed == PixelSize(width: 0, height: 0))
  }

  @Test("a crop outside the picture is refused") func aCropOutsideThePictureIsRefused() throws {
    var maker = StillMaker()
    let frame = SampleFrames.jpeg(PixelSize(width: 320, height: 176), .s422)
    for box in [
      PixelRect(x: -1, y: 0, width: 10, height: 10), PixelRect(x: 0, y: 0, width: 321, height: 9),
      PixelRect(x: 300, y: 0, width: 21, height: 9), PixelRect(x: 0, y: 0, width: 0, height: 9),
      PixelRect(x: .max, y: .max, width: .max, height: .max),
    ] {
      do {
        _ = try Tools.still(frame, box: box, with: &maker)
        Issue.record("\(box) was accepted")
      } catch let error as StillError {
        #expect(error.code == .badCrop)
      }
    }
    let box = PixelRect(x: 35, y: 17, width: 99, height: 120)
    let still = try Tools.still(frame, box: box, with: &maker)
    #expect(still.size == box.size)
    #expect(abs(still.geometry.crop.x - 35) <= 8 && abs(still.geometry.crop.y - 17) <= 4)
    let exact = Orientation(isExact: true)
    #expect(try Tools.still(frame, exact, box: box, with: &maker).geometry.crop == box)
  }

  @Test("making many stills of many sizes keeps memory apart")
  func makingManyStillsOfManySizesKeepsMemoryApart() throws {
    var maker = StillMaker()
    var kept: [(Still, [UInt8])] = []
    for round in 0..<60 {
      let size = PixelSize(width: 48 + (round * 37) % 400, height: 48 + (round * 53) % 300)
      let still = try Tools.still(
        SampleFrames.jpeg(size, .s420, seed: UInt64(round)), Orientation(mount: .clockwise),
        with: &maker)
      if round % 3 == 0 { kept.append((still, still.bytes())) }
      if round % 7 == 0, !kept.isEmpty { kept.removeFirst() }
    }
    for (still, bytes) in kept { #expect(still.bytes() == bytes) }
  }
}
