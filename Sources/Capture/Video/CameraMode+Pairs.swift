import Media

extension CameraMode {
  /// The mode without a last column that has no chroma.
  ///
  /// Two pixels of a row share their chroma. Some drivers grant an odd width and rows that end in
  /// the middle of such a pair.
  var withWholePairs: CameraMode {
    guard size.width > 1, size.width % 2 == 1, bytesPerLine > 0 else { return self }
    let pairs = (size.width + 1) / 2
    let needed: Int
    switch format {
    case .yuyv, .yvyu, .uyvy, .vyuy: needed = pairs * 4
    case .nv12, .nv21, .nv16: needed = pairs * 2
    default: return self
    }
    guard bytesPerLine < needed else { return self }
    var mode = self
    mode.size = PixelSize(width: size.width - 1, height: size.height)
    return mode
  }
}
