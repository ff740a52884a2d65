import Capture

extension PictureSources {
  /// The sources of the built-in moving scene (`CameraName.demo`) and of files of JPEG pictures
  /// (`CameraName.clip`).
  public static let demo = PictureSources { name, system in
    switch name {
    case .demo: DemoSource()
    case .clip(let path): ClipSource(path: path, system: system)
    case .device, .best: nil
    }
  }
}
