/// A reader that steps through the markers of a JPEG picture.
///
/// The frame gate's walk, the headers of imported pictures and of files, and the index of a clip
/// all use this reader. The reader reads no byte past the end and allocates nothing. Source: ITU-T
/// T.81, annex B.
package struct JPEGMarkers {
  /// A marker and the contents of its segment, as offsets into the bytes.
  package struct Marker: Equatable {
    package var code: UInt8
    /// The `FF` before the code.
    package var offset: Int
    /// The segment's contents after the length field; empty for markers without a segment.
    package var body: Range<Int>

    /// Whether the segment is a frame header (SOF) of any JPEG process.
    package var isFrame: Bool {
      (0xC0...0xCF).contains(code) && code != 0xC4 && code != 0xC8 && code != 0xCC
    }
  }

  /// Why there is no next marker.
  package enum Fault: Equatable {
    /// There is no `FF` where a marker has to be.
    case noMarker
    /// The length field is below 2, the size of the field itself.
    case badLength
    /// The bytes end before the segment ends.
    case cut
  }

  /// The result of a step to the next marker.
  package enum Step: Equatable {
    case marker(Marker)
    case fault(Fault)
  }

  package let bytes: UnsafeRawBufferPointer
  /// The offset at which the next marker must be; after a fault, the offset of the fault.
  package var position: Int
  /// The offset that no segment may extend beyond.
  private let limit: Int

  /// Creates a reader that starts at `position`.
  ///
  /// A `limit` beyond `bytes` allows segments to end after them, for bytes that are the beginning
  /// of a longer picture.
  package init(_ bytes: UnsafeRawBufferPointer, at position: Int, limit: Int? = nil) {
    self.bytes = bytes
    self.position = position
    self.limit = limit ?? bytes.count
  }

  /// Returns whether a length field follows the marker with that code.
  package static func hasLength(_ code: UInt8) -> Bool {
    code >= 0xC0 && !(0xD0...0xD9).contains(code)
  }

  /// Returns the next marker and moves behind its segment; any number of `FF` bytes may precede the
  /// code.
  package mutating func next() -> Step {
    while true {
      guard position >= 0, position < bytes.count - 1 else { return .fault(.cut) }
      guard bytes[position] == 0xFF else { return .fault(.noMarker) }
      let code = bytes[position + 1]
      if code == 0xFF {
        position += 1
        continue
      }
      let offset = position
      guard Self.hasLength(code) else {
        position = offset + 2
        return .marker(Marker(code: code, offset: offset, body: position..<position))
      }
      guard let length = bytes.bigEndian16(at: offset + 2) else { return .fault(.cut) }
      guard length >= 2 else { return .fault(.badLength) }
      guard offset + 2 + length <= limit else { return .fault(.cut) }
      position = offset + 2 + length
      return .marker(Marker(code: code, offset: offset, body: offset + 4..<position))
    }
  }

  /// Skips entropy-coded data up to the next marker other than a restart; returns false if there is
  /// none.
  package mutating func passScan() -> Bool {
    while let found = bytes.nextMarker(from: position), found + 1 < bytes.count {
      let code = bytes[found + 1]
      if code != 0xFF, !(0xD0...0xD7).contains(code) {
        position = found
        return true
      }
      position = found + (code == 0xFF ? 1 : 2)
    }
    return false
  }

  /// Returns the size in a frame header, or nil if the bytes end before it.
  package func size(of frame: Marker) -> PixelSize? {
    guard frame.body.count >= 5, let height = bytes.bigEndian16(at: frame.body.lowerBound + 1),
      let width = bytes.bigEndian16(at: frame.body.lowerBound + 3)
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// Returns whether a segment begins with `text`, the name in application segments.
  package func isNamed(_ text: StaticString, _ marker: Marker) -> Bool {
    let start = marker.body.lowerBound
    guard marker.body.count >= text.utf8CodeUnitCount,
      start + text.utf8CodeUnitCount <= bytes.count
    else { return false }
    for index in 0..<text.utf8CodeUnitCount
    where bytes[start + index] != text.utf8Start[index] { return false }
    return true
  }

  /// Returns the TIFF structure of an `Exif` segment, cut where the bytes end, or nil for other
  /// segments.
  package func exif(_ marker: Marker) -> UnsafeRawBufferPointer? {
    guard marker.code == 0xE1, isNamed("Exif\0\0", marker) else { return nil }
    return bytes.part(marker.body.lowerBound + 6..<marker.body.upperBound)
  }
}
