import Media

/// The look at a frame's bytes that decides whether anyone may see it.
///
/// Nothing is decoded, nothing is allocated. Safe from any thread.
public enum FrameGate {
  /// Looks at a frame of any format.
  ///
  /// Formats that this module does not know (those libv4lconvert converts) are only asked whether
  /// there are bytes.
  public static func inspect(_ image: FrameImage) -> FrameInspection {
    image.format.isJPEG
      ? JPEGGate.inspect(image.bytes, expected: image.size) : RawGate.inspect(image)
  }
}
