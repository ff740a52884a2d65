import Imaging
import Media
import StationTestSupport
import Testing

@Suite struct RepairTests {
  @Test("a repaired frame is clean and shows the same picture")
  func aRepairedFrameIsCleanAndShowsTheSamePicture() throws {
    let frame = SampleFrames.jpeg(PixelSize(width: 96, height: 64), .s420)
    let source = ReferencePicture(decoding: frame)
    let stripped = SampleFrames.withoutTables(frame)
    let padded: [UInt8] = frame + [0, 0, 0]
    let led: [UInt8] = [9, 9] + stripped
    let endless = [UInt8](stripped.dropLast())
    var torn: [UInt8] = [1]
    torn += stripped.dropLast(2)
    torn += [0xD9, 0x00]
    for damaged in [frame, stripped, padded, led, endless, torn] {
      let repaired = damaged.withUnsafeBytes { bytes in
        let found = JPEGGate.inspect(bytes)
        return [UInt8](unsafeUninitializedCapacity: found.repairedCount) { target, used in
          used = found.copyRepaired(bytes, into: UnsafeMutableRawBufferPointer(target))
          #expect(used == found.repairedCount)
        }
      }
      #expect(repaired.withUnsafeBytes { JPEGGate.inspect($0).verdict } == .clean)
      #expect(ReferencePicture(decoding: repaired) == source)
    }
  }

  @Test("there is no repair without room or of a damaged frame")
  func thereIsNoRepairWithoutRoomOrOfADamagedFrame() {
    let frame = SampleFrames.jpeg(PixelSize(width: 96, height: 64), .s420)
    var room = [UInt8](repeating: 0, count: frame.count - 1)
    let short = frame.withUnsafeBytes { bytes in
      room.withUnsafeMutableBytes { JPEGGate.inspect(bytes).copyRepaired(bytes, into: $0) }
    }
    #expect(short == 0)
    let damaged = frame.prefix(900).withUnsafeBytes { bytes in
      room.withUnsafeMutableBytes { JPEGGate.inspect(bytes).copyRepaired(bytes, into: $0) }
    }
    #expect(damaged == 0)
  }
}
