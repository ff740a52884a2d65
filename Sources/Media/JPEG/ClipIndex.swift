/// Where the pictures of a clip lie: a file of JPEG pictures one after the other, as `ffmpeg -f
/// mjpeg` and most cameras' dumps are.
///
/// A picture ends where the next begins, so one that was cut stays as it is, and so does padding.
/// The index is fed piece by piece and keeps only positions.
package struct ClipIndex {
  /// Each picture's bytes in the file.
  package private(set) var pictures: [Range<Int>] = []
  /// The size that the first picture claims.
  package private(set) var size: PixelSize?
  /// How many bytes of the file have been taken.
  package private(set) var position = 0

  private var start: Int?
  /// Whether the picture's end was seen, so that padding follows.
  private var isPadding = false
  /// Bytes of a segment that go on in the next piece.
  private var skip = 0

  package init() {}

  /// Takes the bytes of the file from ``position`` on, but for a few at their end with which a
  /// marker may begin.
  ///
  /// The next piece begins with those.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var at = skip
    while let found = bytes.nextMarker(from: at) {
      guard let next = take(bytes, at: found) else {
        (position, skip) = (position + found, 0)
        return
      }
      at = next
    }
    skip = max(0, at - bytes.count)
    position += bytes.count
  }

  /// Says that the file ends at `end`.
  package mutating func finish(at end: Int) {
    if let start, start < end { pictures.append(start..<end) }
    start = nil
  }

  /// Takes the marker at `found`; gives where to go on, nil where more bytes are needed.
  private mutating func take(_ bytes: UnsafeRawBufferPointer, at found: Int) -> Int? {
    guard found + 1 < bytes.count else { return nil }
    switch bytes[found + 1] {
    case 0xFF: return found + 1
    case 0xD8:
      if let start { pictures.append(start..<position + found) }
      start = position + found
      isPadding = false
    case 0xD9: isPadding = true
    case 0x01, 0xD0...0xD7: break
    default:
      guard start != nil, !isPadding else { break }
      return segment(bytes, at: found)
    }
    return found + 2
  }

  private mutating func segment(_ bytes: UnsafeRawBufferPointer, at found: Int) -> Int? {
    var markers = JPEGMarkers(bytes, at: found, limit: .max)
    switch markers.next() {
    case .marker(let marker):
      if marker.isFrame, size == nil, marker.body.count >= 5 {
        guard let size = markers.size(of: marker) else { return nil }
        self.size = size
      }
      // What begins another picture is found in a scan's header, too.
      return marker.code == 0xDA ? marker.body.lowerBound : marker.body.upperBound
    case .fault(.cut): return nil
    case .fault: return found + 4
    }
  }
}
