import Glibc

/// Where the pictures of a clip lie: a file of JPEG pictures one after the other, as `ffmpeg -f
/// mjpeg` and most cameras' dumps are.
///
/// A picture ends where the next begins, so one that was cut stays as it is, and so does padding.
/// Fed piece by piece; it keeps only positions.
package struct ClipIndex {
  /// Each picture's bytes in the file.
  package private(set) var pictures: [Range<Int>] = []
  /// The size that the first picture claims.
  package private(set) var size: PixelSize?

  package init() {}

  private enum Part {
    case outside
    case marker
    case length(UInt8, Int, Int)
    case header([UInt8], Int)
    case skip(Int)
    case scan
  }
  private var part = Part.outside
  private var position = 0
  private var start: Int?
  private var afterFF = false

  /// Takes the next bytes of the file.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < bytes.count {
      if case .skip(let count) = part {
        let step = min(count, bytes.count - index)
        index += step
        part = step < count ? .skip(count - step) : .marker
        continue
      }
      if isBetweenMarkers, let start = bytes.baseAddress {
        // Nearly all of a file; only 0xFF matters there.
        guard let next = memchr(start + index, 0xFF, bytes.count - index) else { break }
        index = start.distance(to: UnsafeRawPointer(next))
      }
      take(bytes[index], at: position + index)
      index += 1
    }
    position += bytes.count
  }

  /// Says that there are no more bytes.
  package mutating func finish() {
    if let start, start < position { pictures.append(start..<position) }
    start = nil
  }

  private var isBetweenMarkers: Bool {
    if afterFF { return false }
    return switch part {
    case .outside, .scan, .marker: true
    case .length, .header, .skip: false
    }
  }

  private mutating func take(_ byte: UInt8, at offset: Int) {
    switch part {
    case .outside, .scan, .marker:
      if byte == 0xFF {
        afterFF = true
      } else if afterFF {
        afterFF = false
        found(byte, at: offset)
      }
    case .length(let marker, let value, let read):
      let value = value << 8 | Int(byte)
      if read == 0 {
        part = .length(marker, value, 1)
      } else if value < 2 {
        part = .scan
      } else if isFrameHeader(marker), size == nil, value >= 7 {
        part = .header([], value - 2)
      } else if marker == 0xDA {
        part = .scan
      } else {
        part = value == 2 ? .marker : .skip(value - 2)
      }
    case .header(var bytes, let count):
      bytes.append(byte)
      if bytes.count < 5 {
        part = .header(bytes, count)
      } else {
        size = PixelSize(
          width: Int(bytes[3]) << 8 | Int(bytes[4]), height: Int(bytes[1]) << 8 | Int(bytes[2]))
        part = count > 5 ? .skip(count - 5) : .marker
      }
    case .skip: break
    }
  }

  private mutating func found(_ marker: UInt8, at offset: Int) {
    switch marker {
    case 0xD8:
      if let start { pictures.append(start..<offset - 1) }
      start = offset - 1
      part = .marker
    case 0xD9: part = .outside
    case 0x00, 0x01, 0xD0...0xD7: break
    default:
      if start != nil { if case .outside = part { return } else { part = .length(marker, 0, 0) } }
    }
  }

  private func isFrameHeader(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }
}
