import Capture

extension PictureSources {
  /// Knows the built-in moving scene (`CameraName.demo`) and files of JPEG pictures
  /// (`CameraName.clip`).
  public static let demo = PictureSources { name, system in
    switch name {
    case .demo: DemoSource()
    case .clip(let path): ClipSource(path: path, system: system)
    case .device, .best: nil
    }
  }
}
