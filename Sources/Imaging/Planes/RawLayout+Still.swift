import Media

extension RawLayout {
  /// Returns the layout of a raw frame and its planes.
  ///
  /// `purpose` names the wanted result in error messages. Throws `unsupported` for a format that is
  /// not raw, and `damaged` for a frame that lacks bytes.
  static func read(
    _ image: FrameImage, for purpose: String
  ) throws(StillError) -> (RawLayout, SamplePlanes) {
    guard let layout = RawLayout(image.format) else {
      throw StillError(
        .unsupported,
        "no \(purpose) can be made of \(image.format) frames",
        fix: "choose another camera format")
    }
    guard let planes = layout.planes(image) else {
      throw StillError(
        .damaged(.short), "the frame is too short",
        fix: "another frame is needed")
    }
    return (layout, planes)
  }
}
