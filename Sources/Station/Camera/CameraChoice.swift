import Capture
import Imaging
import Media
import Platform
import StationConfiguration

/// Which camera a station uses, and how, once the names of the configuration are resolved.
package struct CameraChoice: Sendable {
  /// What people call it.
  package var label: String
  package var name: CameraName
  package var options: CameraOptions
  /// How much later than its light a frame is dated.
  var delay: Duration
  /// Where in the configuration its controls are, by name.
  private var places: [String: String] = [:]

  /// Resolves `label`, which may be a name of the configuration; `rate` takes the place of its own.
  package init(
    _ label: String, _ configuration: Configuration, rate: Double? = nil, sourceLog: String? = nil,
    frameLog: String? = nil
  ) {
    let camera = configuration.camera(named: label)
    self.label = label
    name = CameraName(camera.device ?? label)
    delay = camera.delay ?? .zero
    let table = configuration.cameras[label] == nil ? "camera" : "cameras.\(label)"
    options = CameraOptions()
    options.controls = camera.controls
    options.wish = ModeWish(
      size: camera.size, format: camera.format,
      rate: (rate ?? camera.rate).flatMap { FrameRate("\($0)") })
    options.sourceLog = sourceLog
    options.frameLog = frameLog
    options.huffmanTables = StandardTables.segment
    for control in camera.controls.keys {
      places[control] = configuration.origins["\(table).controls.\(control)"]?.description
    }
  }

  /// The error in the station's words, with the line that it is about.
  package func explain(_ error: CaptureError) -> StationError {
    var error = error
    if let place = error.control.flatMap({ places[$0] }) {
      error.message = "\(place): \(error.message)"
    }
    return StationError(error)
  }

  /// The same, and what to do about missing permissions, which are looked at now; it blocks.
  package func explain(_ error: CaptureError, in configuration: Configuration) -> StationError {
    let explained = explain(error)
    guard error.code == .denied else { return explained }
    return explained.explained(by: AccessProbe().camera(label, configuration))
  }
}

extension StationError {
  /// The same in the station's words.
  package init(_ error: CaptureError) {
    let code: Code =
      switch error.code {
      case .noCamera, .notCamera, .badClip: .noCamera
      case .busy: .cameraBusy
      case .denied: .noPermission
      case .noMode, .badControl: .configuration
      case .noSignal, .noFrame: .noCleanFrame
      case .noBandwidth, .failed: .cameraFailed
      }
    self.init(code, error.message, cause: error)
  }
}
