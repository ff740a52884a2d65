/// The positions of the pictures in a clip, a file of concatenated JPEG pictures such as `ffmpeg -f
/// mjpeg` writes.
///
/// A picture ends where the next begins, so a truncated picture and padding stay in its range. The
/// caller adds the file piece by piece, and the index keeps only positions.
package struct ClipIndex {
  /// The byte range of each picture in the file.
  package private(set) var pictures: [Range<Int>] = []
  /// The size in the first picture's header.
  package private(set) var size: PixelSize?
  /// The number of bytes of the file that have been consumed.
  package private(set) var position = 0

  private var start: Int?
  /// Whether the picture's EOI was seen, after which padding follows.
  private var isPadding = false
  /// The number of bytes at the start of the next piece that belong to the last segment.
  private var skip = 0

  package init() {}

  /// Adds the bytes of the file from ``position`` on, except a few at the end in which a marker may
  /// begin.
  ///
  /// The next piece must begin with those bytes, at the new ``position``.
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

  /// Completes the index of a file that ends at `end`.
  package mutating func finish(at end: Int) {
    if let start, start < end { pictures.append(start..<end) }
    start = nil
  }

  /// Handles the marker at `found` and returns the offset at which to continue, or nil if more
  /// bytes are needed.
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
      // The search continues inside a scan's header, so that the start of another picture is found
      // there too.
      return marker.code == 0xDA ? marker.body.lowerBound : marker.body.upperBound
    case .fault(.cut): return nil
    case .fault: return found + 4
    }
  }
}
