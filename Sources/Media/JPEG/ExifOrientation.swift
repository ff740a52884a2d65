/// The EXIF orientation of a picture from outside: what has to be done to it to be upright.
///
/// Source: EXIF 2.32, tag 0x0112; TIFF 6.0 for the structure around it.
public enum ExifOrientation: Int, CaseIterable, Sendable {
  /// The picture is as it should be.
  case upright = 1
  /// It is mirrored.
  case mirrored
  /// It stands on its head.
  case upsideDown
  /// It stands on its head and is mirrored.
  case upsideDownMirrored
  /// It lies, its top to the left, mirrored.
  case leftMirrored
  /// It lies, its top to the left.
  case left
  /// It lies, its top to the right, mirrored.
  case rightMirrored
  /// It lies, its top to the right.
  case right

  /// Reads the tag from a TIFF structure (the body of an `Exif` segment or an `eXIf` chunk);
  /// upright for anything that is not one.
  package init(tiff: UnsafeRawBufferPointer) {
    self = Self.read(tiff) ?? .upright
  }

  private static func read(_ tiff: UnsafeRawBufferPointer) -> ExifOrientation? {
    guard tiff.count >= 8 else { return nil }
    let isLittle = tiff[0] == 0x49
    guard tiff[0] == tiff[1], isLittle || tiff[0] == 0x4D else { return nil }
    func short(_ at: Int) -> Int? {
      guard at >= 0, at + 1 < tiff.count else { return nil }
      return isLittle
        ? Int(tiff[at]) | Int(tiff[at + 1]) << 8 : Int(tiff[at]) << 8 | Int(tiff[at + 1])
    }
    guard short(2) == 42, let first = short(4), let second = short(6) else { return nil }
    let directory = isLittle ? first | second << 16 : first << 16 | second
    guard let count = short(directory) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + index * 12
      guard let tag = short(entry) else { return nil }
      if tag == 0x0112, short(entry + 2) == 3 { return short(entry + 8).flatMap(Self.init) }
    }
    return nil
  }
}
