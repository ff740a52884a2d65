import Media

extension StillGeometry {
  /// How a frame that was looked at becomes a still.
  ///
  /// The same for all frames of a camera's mode, so that a page can show in the live picture what
  /// will be saved.
  public init(of inspection: FrameInspection, format: PixelFormat, orientation: Orientation) {
    guard format.isJPEG else {
      // What has no layout is brought to YU12 first.
      let unit = RawLayout(format)?.unit ?? PixelSize(width: 2, height: 2)
      self.init(orientation, frame: inspection.size, unit: unit, freedom: .chroma)
      return
    }
    let moved = StillGeometry(
      orientation, frame: inspection.size, unit: inspection.unit, freedom: .coded)
    let exact = StillGeometry(orientation, frame: inspection.size)
    let costsPixels = orientation.isExact && moved.crop != exact.crop
    self = StillMaker.canMove(moved, inspection) && !costsPixels ? moved : exact
  }
}
