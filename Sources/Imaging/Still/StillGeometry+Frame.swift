import Media

extension StillGeometry {
  /// Creates the geometry by which an inspected frame becomes a still.
  ///
  /// The geometry is the same for all frames of a camera's mode, so that a page can show in the
  /// live picture what will be saved.
  public init(of inspection: FrameInspection, format: PixelFormat, orientation: Orientation) {
    guard format.isJPEG else {
      // A format without a layout is first converted to YU12.
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
