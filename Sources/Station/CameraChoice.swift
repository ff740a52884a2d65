import Capture
import Imaging
import Platform

/// Which camera a station uses, and how, once the names of the configuration are resolved.
struct CameraChoice: Sendable {
  /// What people call it.
  var label: String
  var name: CameraName
  var options: CameraOptions
  /// How much later than its light a frame is dated.
  var delay: Duration

  /// Resolves `label`, which may be a name of the configuration; `rate` takes the place of its own.
  init(
    _ label: String, _ configuration: Configuration, rate: Double? = nil, sourceLog: String? = nil,
    frameLog: String? = nil
  ) {
    let camera = configuration.camera(named: label)
    self.label = label
    name = CameraName(camera.device ?? label)
    delay = camera.delay ?? .zero
    options = CameraOptions()
    options.wish = ModeWish(
      size: camera.size, format: camera.format,
      rate: (rate ?? camera.rate).flatMap { FrameRate("\($0)") })
    options.sourceLog = sourceLog
    options.frameLog = frameLog
    options.huffmanTables = StandardTables.segment
  }
}

extension StationError {
  /// The same in the station's words.
  init(_ error: CaptureError) {
    let code: Code =
      switch error.code {
      case .noCamera, .notCamera, .badClip: .noCamera
      case .busy: .cameraBusy
      case .denied: .noPermission
      case .noMode: .configuration
      case .noSignal, .noFrame: .noCleanFrame
      case .noBandwidth, .failed: .cameraFailed
      }
    self.init(code, error.message, cause: error)
  }
}
