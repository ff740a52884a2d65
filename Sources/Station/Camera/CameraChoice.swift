import Capture
import Imaging
import Media
import Platform
import StationConfiguration

/// The camera of a station with its options, after the names of the configuration are resolved.
package struct CameraChoice: Sendable {
  /// The operator's name of the camera.
  package var label: String
  package var name: CameraName
  package var options: CameraOptions
  /// The camera's delay, by which a frame is dated later than its light.
  var delay: Duration
  /// The configuration lines of the camera's controls, by control name.
  private var places: [String: String] = [:]

  /// Resolves `label`, which may be a name of the configuration.
  ///
  /// `rate` replaces the configured rate.
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

  /// Converts the error to a station error, with the configuration line that caused it.
  package func explain(_ error: CaptureError) -> StationError {
    var error = error
    if let place = error.control.flatMap({ places[$0] }) {
      error.message = "\(place): \(error.message)"
    }
    return StationError(error)
  }

  /// Converts the error to a station error, with the fix for missing permissions.
  ///
  /// Blocks while probing the permissions.
  package func explain(_ error: CaptureError, in configuration: Configuration) -> StationError {
    let explained = explain(error)
    guard error.code == .denied else { return explained }
    return explained.explained(by: AccessProbe().camera(label, configuration))
  }
}
