import Media

extension ExifOrientation {
  /// The equivalent ``Orientation``, which neither crops nor enforces a shape.
  public var orientation: Orientation {
    let mount: Orientation.Mount =
      switch self {
      case .upright, .mirrored: .upright
      case .upsideDown, .upsideDownMirrored: .upsideDown
      case .left, .leftMirrored: .clockwise
      case .right, .rightMirrored: .counterclockwise
      }
    let mirrors: Bool =
      switch self {
      case .mirrored, .upsideDownMirrored, .leftMirrored, .rightMirrored: true
      default: false
      }
    return Orientation(mount: mount, mirror: mirrors ? .saved : .none, enforce: .off)
  }
}
