/// Reads the directories of a TIFF structure: the body of an `Exif` segment, or an `eXIf` chunk.
///
/// Any bytes may be in it; what makes no sense is nil. Source: TIFF 6.0, section 2.
package struct TIFFReader {
  /// One field of a directory.
  package struct Entry {
    /// The kind of its values, as TIFF numbers them.
    package var type: Int
    /// Where its value is, or the offset of its values.
    package var place: Int
  }

  private let bytes: UnsafeRawBufferPointer
  private let isLittle: Bool

  /// Nil for bytes that do not begin as the structure does.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 8, bytes[0] == bytes[1], bytes[0] == 0x49 || bytes[0] == 0x4D else {
      return nil
    }
    self.bytes = bytes
    isLittle = bytes[0] == 0x49
    guard short(2) == 42 else { return nil }
  }

  /// A number of two bytes.
  package func short(_ offset: Int) -> Int? {
    bytes.bigEndian16(at: offset).map { isLittle ? ($0 & 0xFF) << 8 | $0 >> 8 : $0 }
  }

  /// A number of four bytes.
  package func long(_ offset: Int) -> Int? {
    guard let first = short(offset), let second = short(offset + 2) else { return nil }
    return isLittle ? first | second << 16 : first << 16 | second
  }

  /// Where the first directory is.
  package var first: Int? { long(4) }

  /// Where the directory after another is; nil for the last.
  package func next(after directory: Int) -> Int? {
    guard let count = short(directory), let next = long(directory + 2 + 12 * count), next > 0 else {
      return nil
    }
    return next
  }

  /// The first entry with a tag in a directory.
  package func entry(_ tag: Int, in directory: Int) -> Entry? {
    guard let count = short(directory) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let found = short(entry), let type = short(entry + 2) else { return nil }
      if found == tag { return Entry(type: type, place: entry + 8) }
    }
    return nil
  }

  /// How the picture has to be turned; nil where no directory says it.
  package var orientation: ExifOrientation? {
    guard let first, let entry = entry(0x0112, in: first), entry.type == 3 else { return nil }
    return short(entry.place).flatMap(ExifOrientation.init)
  }

  /// The bytes of the structure that are the thumbnail, itself a JPEG.
  package var thumbnail: Range<Int>? {
    guard let first, let second = next(after: first), let start = entry(0x0201, in: second),
      let length = entry(0x0202, in: second), let place = long(start.place),
      let count = long(length.place), count > 0
    else { return nil }
    return place..<place + count
  }
}
