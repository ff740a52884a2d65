import CLibAV
import Imaging
import Media

/// The description of the file's one track, without its pictures.
struct MovieTrack {
  let plan: MoviePlan
  /// H.264's sequence and picture parameter sets; empty for JPEG pictures.
  var sequenceSet: [UInt8] = []
  var pictureSet: [UInt8] = []
  /// The date of the movie, in seconds since 1970; nil if the clock was not set.
  var created: Int64?

  /// Takes the parameter sets from units with start codes; returns false if one is missing.
  mutating func use(header: UnsafeRawBufferPointer) -> Bool {
    let sequence = MovieTrack.unit(7, header)
    let picture = MovieTrack.unit(8, header)
    guard (4..<1024).contains(sequence.count), (1..<1024).contains(picture.count) else {
      return false
    }
    (sequenceSet, pictureSet) = (sequence, picture)
    return true
  }

  private static func unit(_ type: Int32, _ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var count = 0
    let start = clibav_unit(
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, type, &count)
    return Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// The size of the coded pictures.
  var codedSize: PixelSize { plan.coding == .copy ? plan.geometry.frame : plan.size }

  private var isCopy: Bool { plan.coding == .copy }
  private var creation: Int { created.map { Int(clamping: $0) + 2_082_844_800 } ?? 0 }

  func fileType(to writer: inout BoxWriter) {
    writer.box("ftyp") { writer in
      writer.text("isom")
      writer.u32(512)
      writer.text("isomiso5iso6mp41")
      if !isCopy { writer.text("avc1") }
    }
  }

  /// Writes the `moov` box, with the pictures of `table` or, while fragments follow, with none.
  func movie(_ table: SampleTable, isFragmented: Bool, to writer: inout BoxWriter) {
    let duration = isFragmented ? 0 : table.duration
    writer.box("moov") { writer in
      writer.full("mvhd") { writer in
        writer.u32(creation)
        writer.u32(creation)
        writer.u32(VideoEncoder.timeBase)
        writer.u32(duration)
        writer.u32(0x10000)
        writer.u16(0x100)
        writer.zeros(10)
        MovieTrack.matrix([1, 0, 0, 1, 0, 0], to: &writer)
        writer.zeros(24)
        writer.u32(2)
      }
      writer.box("trak") { writer in
        header(duration, to: &writer)
        writer.box("mdia") { writer in
          media(duration, to: &writer)
          writer.box("minf") { writer in
            MovieTrack.information(to: &writer)
            writer.box("stbl") { writer in
              description(to: &writer)
              (isFragmented ? SampleTable(room: 0) : table).write(to: &writer)
            }
          }
        }
      }
      guard isFragmented else { return }
      writer.box("mvex") { writer in
        writer.full("trex") { writer in
          writer.u32(1)
          writer.u32(1)
          writer.zeros(12)
        }
      }
    }
  }

  // Pictures that are copied from the camera are turned by the player.
  private func header(_ duration: Int, to writer: inout BoxWriter) {
    writer.full("tkhd", flags: 3) { writer in
      writer.u32(creation)
      writer.u32(creation)
      writer.u32(1)
      writer.u32(0)
      writer.u32(duration)
      writer.zeros(16)
      var geometry = plan.geometry
      geometry.crop = PixelRect(
        x: 0, y: 0, width: geometry.frame.width, height: geometry.frame.height)
      MovieTrack.matrix(
        isCopy ? geometry.matrix(mirrored: geometry.isMirrored) : [1, 0, 0, 1, 0, 0], to: &writer)
      writer.u32(codedSize.width << 16)
      writer.u32(codedSize.height << 16)
    }
  }

  /// Writes six numbers in the order of CSS as the nine of a track.
  private static func matrix(_ numbers: [Int], to writer: inout BoxWriter) {
    for (index, number) in numbers.enumerated() {
      writer.u32(number << 16)
      if index % 2 == 1 { writer.u32(index == 5 ? 0x4000_0000 : 0) }
    }
  }

  private func media(_ duration: Int, to writer: inout BoxWriter) {
    writer.full("mdhd") { writer in
      writer.u32(creation)
      writer.u32(creation)
      writer.u32(VideoEncoder.timeBase)
      writer.u32(duration)
      writer.u16(0x55C4)  // "und": no language
      writer.u16(0)
    }
    writer.full("hdlr") { writer in
      writer.u32(0)
      writer.text("vide")
      writer.zeros(12)
      writer.text("Retake")
      writer.u8(0)
    }
  }

  private static func information(to writer: inout BoxWriter) {
    writer.full("vmhd", flags: 1) { $0.zeros(8) }
    writer.box("dinf") { writer in
      writer.full("dref") { writer in
        writer.u32(1)
        writer.full("url ", flags: 1) { _ in }
      }
    }
  }

  private func description(to writer: inout BoxWriter) {
    writer.full("stsd") { writer in
      writer.u32(1)
      writer.box(isCopy ? "mp4v" : "avc1") { writer in
        writer.zeros(6)
        writer.u16(1)
        writer.zeros(16)
        writer.u16(codedSize.width)
        writer.u16(codedSize.height)
        writer.u32(72 << 16)
        writer.u32(72 << 16)
        writer.u32(0)
        writer.u16(1)
        writer.zeros(32)
        writer.u16(24)
        writer.u16(0xFFFF)
        if isCopy {
          jpegDescription(to: &writer)
          cleanAperture(to: &writer)
        } else {
          configuration(to: &writer)
          colours(to: &writer)
        }
      }
    }
  }

  /// Writes the H.264 configuration.
  ///
  /// Source: ISO/IEC 14496-15, 5.3.3.1.
  private func configuration(to writer: inout BoxWriter) {
    guard sequenceSet.count >= 4 else { return }
    writer.box("avcC") { writer in
      writer.u8(1)
      writer.add(sequenceSet[1...3])
      writer.u8(0xFF)
      writer.u8(0xE1)
      writer.u16(sequenceSet.count)
      writer.add(sequenceSet)
      writer.u8(1)
      writer.u16(pictureSet.count)
      writer.add(pictureSet)
      // The high profiles repeat here that samples are 4:2:0 of 8 bits.
      if [100, 110, 122, 144].contains(sequenceSet[1]) { writer.add([0xFD, 0xF8, 0xF8, 0]) }
    }
  }

  private func colours(to writer: inout BoxWriter) {
    writer.box("colr") { writer in
      writer.text("nclx")
      writer.u16(1)
      writer.u16(1)
      writer.u16(plan.isBT709 ? 1 : 6)
      writer.u8(0)
    }
  }

  /// Writes that the pictures are JPEG: object type 6C.
  ///
  /// Source: ISO/IEC 14496-1, 7.2.6.
  private func jpegDescription(to writer: inout BoxWriter) {
    writer.full("esds") { writer in
      writer.add([3, 21, 0, 1, 0])
      writer.add([4, 13, 0x6C, 0x11, 0, 0, 0])
      writer.u32(plan.bitRate)
      writer.u32(0)
      writer.add([6, 1, 2])
    }
  }

  /// Writes the visible part of the pictures, which some players ignore.
  ///
  /// Source: ISO/IEC 14496-12, 12.1.4.
  private func cleanAperture(to writer: inout BoxWriter) {
    let (crop, frame) = (plan.geometry.crop, plan.geometry.frame)
    guard crop.size != frame else { return }
    writer.box("clap") { writer in
      for value in [crop.size.width, crop.size.height] {
        writer.u32(value)
        writer.u32(1)
      }
      // The distance from the picture's centre to that of the visible part, in halves of a pixel.
      for value in [
        2 * crop.x + crop.size.width - frame.width, 2 * crop.y + crop.size.height - frame.height,
      ] {
        writer.u32(value)
        writer.u32(2)
      }
    }
  }
}
