import Media

extension RawLayout {
  /// Returns how a raw frame lies in memory, and its planes as `planes(_:)` has them.
  ///
  /// `purpose` is the word for what is to be made of it. Throws `unsupported` for a format that is
  /// not raw, and `damaged` for a frame that lacks bytes.
  static func read(
    _ image: FrameImage, for purpose: String
  ) throws(StillError) -> (RawLayout, SamplePlanes) {
    guard let layout = RawLayout(image.format) else {
      throw StillError(
        .unsupported,
        "no \(purpose) can be made of \(image.format) frames; choose another camera format")
    }
    guard let planes = layout.planes(image) else {
      throw StillError(.damaged(.short), "the frame is too short; another frame is needed")
    }
    return (layout, planes)
  }
}
