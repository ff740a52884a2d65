import CVideo4Linux
import Platform

/// How a camera says that it exposes, as far as its controls tell.
public struct ExposureReading: Equatable, Sendable {
  /// Whether somebody set the time, rather than the camera.
  public var isManual: Bool
  /// For how long a frame is exposed; nil where the camera decides, since what its control holds
  /// then is the last time that somebody set.
  public var time: Duration?

  /// Makes a reading.
  public init(isManual: Bool, time: Duration? = nil) {
    self.isManual = isManual
    self.time = time
  }
}

extension Camera {
  /// Asks the device for its exposure; nil where it has no such controls, or does not stream.
  ///
  /// It opens the device's node for a moment and blocks: call it from a worker. Source:
  /// `V4L2_CID_EXPOSURE_AUTO`, and `V4L2_CID_EXPOSURE_ABSOLUTE` in units of 100 µs.
  public func readExposure() -> ExposureReading? {
    guard state == .streaming, let identity, identity.path.hasPrefix("/dev/"),
      // Its layer keeps one user of a camera; a second opening of it is not ours to try.
      !identity.driver.contains("libcamera")
    else { return nil }
    do {
      let device = try VideoDevice(opening: identity.path, system: system)
      guard let mode = device.control(UInt32(V4L2_CID_EXPOSURE_AUTO)) else { return nil }
      // Shutter priority sets the time by hand, too.
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
  /// The value of a control; nil where there is none of that number.
  fileprivate func control(_ id: UInt32) -> Int32? {
    var answer = v4l2_control()
    answer.id = id
    return tries(cv4l2_g_ctrl, &answer) ? answer.value : nil
  }
}
