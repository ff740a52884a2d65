import CVideo4Linux
import Platform

/// The exposure of a camera, as its controls report it.
public struct ExposureReading: Equatable, Sendable {
  /// Whether the exposure time was set by hand instead of by the camera.
  public var isManual: Bool
  /// The exposure time of a frame; nil in automatic mode, in which the control still holds the last
  /// time that was set by hand.
  public var time: Duration?

  /// Creates a reading.
  public init(isManual: Bool, time: Duration? = nil) {
    self.isManual = isManual
    self.time = time
  }
}

extension Camera {
  /// Reads the device's exposure; returns nil if the device has no such controls or does not
  /// stream.
  ///
  /// The call opens the device's node for a moment and blocks, so it belongs on a worker. Source:
  /// `V4L2_CID_EXPOSURE_AUTO`, and `V4L2_CID_EXPOSURE_ABSOLUTE` in units of 100 µs.
  public func readExposure() -> ExposureReading? {
    guard state == .streaming, let identity, identity.path.hasPrefix("/dev/"),
      // libcamera's layer allows one user of a camera, so the node is not opened a second time.
      !identity.driver.contains("libcamera")
    else { return nil }
    do {
      let device = try VideoDevice(opening: identity.path, system: system)
      guard let mode = device.control(UInt32(V4L2_CID_EXPOSURE_AUTO)) else { return nil }
      // Shutter priority also sets the time by hand.
      let isManual =
        mode == Int32(V4L2_EXPOSURE_MANUAL.rawValue)
        || mode == Int32(V4L2_EXPOSURE_SHUTTER_PRIORITY.rawValue)
      guard isManual, let units = device.control(UInt32(V4L2_CID_EXPOSURE_ABSOLUTE)), units > 0
      else { return ExposureReading(isManual: isManual) }
      return ExposureReading(isManual: true, time: .microseconds(Int64(units) * 100))
    } catch {
      return nil
    }
  }
}

extension VideoDevice {
  /// Returns the value of a control, or nil if there is none with that number.
  fileprivate func control(_ id: UInt32) -> Int32? {
    var answer = v4l2_control()
    answer.id = id
    return tries(cv4l2_g_ctrl, &answer) ? answer.value : nil
  }
}
