/// A reader of the directories in a TIFF structure, such as the body of an `Exif` segment or an
/// `eXIf` chunk.
///
/// The structure may contain arbitrary bytes; invalid values are nil. Source: TIFF 6.0, section 2.
package struct TIFFReader {
  /// One field of a directory.
  package struct Entry {
    /// The type of the field's values, by TIFF's numbers.
    package var type: Int
    /// The offset of the field's value, or of the offset of its values.
    package var place: Int
  }

  private let bytes: UnsafeRawBufferPointer
  private let isLittle: Bool

  /// Creates a reader, or returns nil for bytes without a TIFF header.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 8, bytes[0] == bytes[1], bytes[0] == 0x49 || bytes[0] == 0x4D else {
      return nil
    }
    self.bytes = bytes
    isLittle = bytes[0] == 0x49
    guard short(2) == 42 else { return nil }
  }

  /// Returns the number of two bytes at `offset`, or nil past the end.
  package func short(_ offset: Int) -> Int? {
    bytes.bigEndian16(at: offset).map { isLittle ? ($0 & 0xFF) << 8 | $0 >> 8 : $0 }
  }

  /// Returns the number of four bytes at `offset`, or nil past the end.
  package func long(_ offset: Int) -> Int? {
    guard let first = short(offset), let second = short(offset + 2) else { return nil }
    return isLittle ? first | second << 16 : first << 16 | second
  }

  /// The offset of the first directory.
  package var first: Int? { long(4) }

  /// Returns the offset of the directory after `directory`, or nil for the last.
  package func next(after directory: Int) -> Int? {
    guard let count = short(directory), let next = long(directory + 2 + 12 * count), next > 0 else {
      return nil
    }
    return next
  }

  /// Returns the first entry with the tag in a directory, or nil if there is none.
  package func entry(_ tag: Int, in directory: Int) -> Entry? {
    guard let count = short(directory) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let found = short(entry), let type = short(entry + 2) else { return nil }
      if found == tag { return Entry(type: type, place: entry + 8) }
    }
    return nil
  }

  /// The orientation of the stored picture; nil if the first directory does not state it.
  package var orientation: ExifOrientation? {
    guard let first, let entry = entry(0x0112, in: first), entry.type == 3 else { return nil }
    return short(entry.place).flatMap(ExifOrientation.init)
  }

  /// The byte range of the thumbnail in the structure, which is a JPEG.
  package var thumbnail: Range<Int>? {
    guard let first, let second = next(after: first), let start = entry(0x0201, in: second),
      let length = entry(0x0202, in: second), let place = long(start.place),
      let count = long(length.place), count > 0
    else { return nil }
    return place..<place + count
  }
}
