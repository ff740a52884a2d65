/// The EXIF orientation of a picture from outside: what has to be done to it to be upright.
///
/// Source: EXIF 2.32, tag 0x0112.
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
}
