import Glibc
import Platform

extension CaptureError {
  static func notCamera(_ path: String) -> CaptureError {
    CaptureError(
      .notCamera,
      "\(path) is no camera: it takes no pictures or cannot stream them",
      fix: "choose another device; 'retake cameras' lists them")
  }
}

extension SystemError {
  /// Returns the error for a node that could not be opened.
  func openingError(_ path: String, _ holders: DeviceHolders) -> CaptureError {
    switch errno {
    case ENOENT, ENODEV, ENXIO:
      return CaptureError(
        .noCamera, "there is no camera at \(path); plug it in, or choose another", cause: self)
    case EACCES, EPERM:
      return CaptureError(
        .denied,
        "this user may not open \(path); add the user to the group 'video', then log in again",
        cause: self)
    case EBUSY: return busy(path, holders)
    case ENOTTY, EINVAL:
      var error = CaptureError.notCamera(path)
      error.cause = self
      return error
    default:
      return CaptureError(.failed, "\(path) cannot be opened: \(reason)", cause: self)
    }
  }

  /// Returns the error for a camera that another program uses.
  func busy(_ path: String, _ holders: DeviceHolders) -> CaptureError {
    let holder = holders.holder(of: path)
    let fix =
      holder == nil
      ? "'sudo fuser -v \(path)' shows which; stop it" : "stop it, or choose another camera"
    return CaptureError(
      .busy, "the camera \(path) is used by \(holder ?? "another program"): \(fix)", cause: self,
      holder: holder)
  }
}

extension VideoDevice {
  /// Returns the error for a failed request during the start of a stream.
  func explain(_ error: SystemError) -> CaptureError {
    switch error.errno {
    case EBUSY: return error.busy(path, holders)
    case ENODEV, ENXIO:
      return CaptureError(.noCamera, "the camera was unplugged; plug it in again", cause: error)
    case ENOSPC:
      return CaptureError(
        .noBandwidth,
        "the USB bus has no bandwidth left for this mode; use a smaller size or rate, or another "
          + "USB port for one of the cameras", cause: error)
    case ENOLINK, ENOLCK:
      return CaptureError(
        .noSignal, "nothing is connected to the input of \(path), or it is switched off",
        cause: error)
    case EINVAL:
      return CaptureError(.noMode, "the camera refuses this mode", cause: error)
    default:
      return CaptureError(.failed, "the camera failed to start: \(error.reason)", cause: error)
    }
  }
}
