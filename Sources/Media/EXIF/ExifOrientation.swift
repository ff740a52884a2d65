/// The EXIF orientation of an imported picture, which tells how its stored pixels are turned.
///
/// Source: EXIF 2.32, tag 0x0112.
public enum ExifOrientation: Int, CaseIterable, Sendable {
  /// The picture is upright.
  case upright = 1
  /// The picture is mirrored left to right.
  case mirrored
  /// The picture is upside down.
  case upsideDown
  /// The picture is upside down and mirrored.
  case upsideDownMirrored
  /// The picture lies on its side with its top at the left, mirrored.
  case leftMirrored
  /// The picture lies on its side with its top at the left.
  case left
  /// The picture lies on its side with its top at the right, mirrored.
  case rightMirrored
  /// The picture lies on its side with its top at the right.
  case right
}
