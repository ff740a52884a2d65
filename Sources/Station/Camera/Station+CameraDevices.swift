import Capture
import Glibc
import ImagePicker
import Platform
import StationConfiguration

/// Cameras by their names in the configuration: a picker may ask for another than the usual one.
extension Station {
  /// The camera that is used when none is named.
  var usualCamera: String { options.camera ?? configuration.camera.device ?? "auto" }

  /// The usual camera, where another one of `camera.fallback` is used since it is not there.
  var replacedCamera: String? {
    let usual = usualCamera
    return parts.withLock { parts in
      parts.camera == nil || parts.isCameraBorrowed || parts.cameraLabel == usual ? nil : usual
    }
  }

  /// Whether the camera of that name could be used now, from what was last seen.
  func isCameraAvailable(_ name: String) -> Bool {
    let (label, others) = parts.withLock { ($0.cameraLabel, $0.camerasPresent) }
    if name == label || (name == usualCamera && label.isEmpty) {
      return cameraCondition.reason == nil
    }
    return others.contains(name)
  }

  /// Looks which of the named cameras are there, without opening one; on the looker's thread.
  func lookForCameras() {
    let configuration = configuration
    let usual = usualCamera
    let names = Set(configuration.cameras.keys).union([usual])
    let present = names.filter { name in
      let device = configuration.camera(named: name).device ?? name
      switch CameraName(device) {
      case .demo: return true
      case .clip(let file): return isThere(file)
      case .best: return (try? system.entries("/sys/class/video4linux").get())?.isEmpty == false
      case .device(let path):
        return device != Configuration.Camera.off
          && Glibc.access(path.hasPrefix("/") ? path : "/dev/v4l/by-id/\(path)", F_OK) == 0
      }
    }
    parts.withLock { $0.camerasPresent = present }
  }

  private func isThere(_ file: String) -> Bool {
    let answer = try? media.worker("looks", for: file).run(media.reading) { _ in
      Glibc.access(file, R_OK) == 0
    }
    return answer ?? false
  }

  /// Brings the named camera into use for one session; nil: the usual one.
  func useCamera(_ device: ImagePickerController.CameraDevice?) async throws(PickerError) {
    let name = device?.rawValue ?? usualCamera
    let label = parts.withLock { $0.cameraLabel }
    // A fallback is in use for the usual one, and stays.
    guard name != label, device != nil || parts.withLock({ $0.isCameraBorrowed }) else { return }
    if device != nil, name == usualCamera, !parts.withLock({ $0.isCameraBorrowed }) { return }
    do {
      try await reopenCamera(device.map { $0.rawValue })
      parts.withLock { $0.isCameraBorrowed = name != usualCamera }
    } catch {
      parts.withLock { $0.isCameraBorrowed = true }
      await giveCameraBack()
      throw PickerError(
        .cameraDeviceUnavailable, message: error.message,
        fix: "plug it in, or name another one; 'retake cameras' lists them")
    }
  }

  /// After a session with another camera the usual one is used again.
  func giveCameraBack() async {
    let wasBorrowed = parts.withLock { parts in
      defer { parts.isCameraBorrowed = false }
      return parts.isCameraBorrowed && !life.isStopping
    }
    guard wasBorrowed else { return }
    do throws(StationError) {
      try await reopenCamera()
    } catch {
      log.error("the usual camera cannot be used again: \(error.message)")
    }
  }
}
