import Media

/// The check of a frame's bytes that decides whether the frame may be shown and saved.
///
/// The check decodes nothing, allocates nothing, and may run on any thread.
public enum FrameGate {
  /// Inspects a frame of any format.
  ///
  /// A frame in a format that this module does not know (those that libv4lconvert converts) only
  /// needs to have bytes.
  public static func inspect(_ image: FrameImage) -> FrameInspection {
    image.format.isJPEG
      ? JPEGGate.inspect(image.bytes, expected: image.size) : RawGate.inspect(image)
  }
}
