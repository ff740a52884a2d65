/// The contents of a picture's or movie's file header, with its size in pixels and the position of
/// its thumbnail.
package struct PhotoHeader: Sendable, Hashable {
  /// The size in pixels; zero if it is unknown.
  package var size = PixelSize(width: 0, height: 0)
  /// The byte range of the thumbnail in the file, which is a JPEG.
  package var thumbnail: Range<Int>?
  /// Whether the file is a movie with at least one track.
  package var isMovie = false
  /// The duration of a movie in milliseconds; nil if the file does not state it.
  package var duration: Int?
  /// The orientation of the stored picture.
  package var orientation = ExifOrientation.upright

  /// The maximum number of markers to read; a picture has a few dozen at most.
  private static let markerLimit = 256
  /// The maximum number of bytes to read of an Exif segment, whose directories are at its
  /// beginning.
  private static let exifBytes = 8192

  /// Reads a JPEG's segments up to the frame header, or a movie's boxes; invalid values are
  /// ignored.
  ///
  /// Source: Exif 2.3, 4.5 and 4.6.
  package static func read<Source: ByteSource & ~Copyable>(
    _ source: borrowing Source
  ) throws(Source.Failure) -> PhotoHeader {
    var header = PhotoHeader()
    var (start, window) = (0, try source.read(at: 0, count: 4096))
    if MovieHeader.isMovie(window) { return try MovieHeader.read(source) }
    guard window.starts(with: [0xFF, 0xD8]) else { return header }
    var offset = 2
    for _ in 0..<markerLimit {
      var (marker, size) = marker(in: window, at: offset - start)
      if marker == nil || size == nil, offset > start, start + window.count < source.bytes {
        (start, window) = (offset, try source.read(at: offset, count: 4096))
        (marker, size) = self.marker(in: window, at: 0)
      }
      guard let marker else { return header }
      if marker.isFrame {
        header.size = size ?? header.size
        return header
      }
      switch marker.code {
      case 0xE1 where header.thumbnail == nil:
        let body = start + marker.body.lowerBound..<start + marker.body.upperBound
        let part = try source.read(at: body.lowerBound, count: min(body.count, exifBytes))
        header.readExif(part, of: body)
      case 0xD9, 0xDA: return header
      default: break
      }
      offset = start + marker.body.upperBound
    }
    return header
  }

  /// Returns the marker at `place` in `window`, and the size in a frame header.
  ///
  /// The size is zero for other segments, and nil for a frame header that is cut off.
  private static func marker(
    in window: [UInt8], at place: Int
  ) -> (JPEGMarkers.Marker?, PixelSize?) {
    window.withUnsafeBytes { bytes in
      var markers = JPEGMarkers(bytes, at: place, limit: .max)
      guard case .marker(let marker) = markers.next() else { return (nil, nil) }
      return (marker, marker.isFrame ? markers.size(of: marker) : PixelSize(width: 0, height: 0))
    }
  }

  /// Reads the orientation and the thumbnail's position from an Exif segment, of which `part` is
  /// the beginning.
  private mutating func readExif(_ part: [UInt8], of segment: Range<Int>) {
    guard part.starts(with: Array("Exif\0\0".utf8)) else { return }
    part.withUnsafeBytes { bytes in
      guard let tiff = TIFFReader(bytes.part(6..<bytes.count)) else { return }
      orientation = tiff.orientation ?? orientation
      guard let range = tiff.thumbnail else { return }
      let start = segment.lowerBound + 6
      let place = start + range.lowerBound..<start + range.upperBound
      if place.upperBound <= segment.upperBound { thumbnail = place }
    }
  }

  /// Returns the size in the header of a JPEG in memory, or nil for other bytes.
  package static func size(ofJPEG bytes: [UInt8]) -> PixelSize? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    return bytes.withUnsafeBytes { bytes in
      var markers = JPEGMarkers(bytes, at: 2, limit: .max)
      for _ in 0..<markerLimit {
        guard case .marker(let marker) = markers.next() else { return nil }
        if (0xC0...0xC2).contains(marker.code) { return markers.size(of: marker) }
        if marker.code == 0xD9 || marker.code == 0xDA { return nil }
      }
      return nil
    }
  }

  /// Reads the headers in arbitrary bytes, for the fuzz target; traps if a value is invalid.
  package static func checkReading(_ bytes: [UInt8]) {
    let source = MemorySource(content: bytes)
    let header = read(source)
    precondition((0...65535).contains(header.size.width))
    precondition((0...65535).contains(header.size.height))
    precondition(header.duration ?? 0 >= 0)
    let thumbnail = header.thumbnail ?? 0..<0
    precondition(thumbnail.lowerBound >= 0 && thumbnail.upperBound <= max(bytes.count, 1 << 40))
    if !header.isMovie { precondition(header.duration == nil) }
    _ = MovieHeader.isWhole(source)
    _ = size(ofJPEG: bytes)
  }
}
