import Capture
import Glibc
import ImagePicker
import Platform
import StationConfiguration

// Cameras by their configured names, since a picker may ask for another than the default camera.
extension CameraPart {
  /// The name of the camera that is used when a caller names none.
  nonisolated var defaultName: String {
    options.camera ?? settings.current.configuration.camera.device ?? "auto"
  }

  /// The name of the default camera while a camera of `camera.fallback` replaces it.
  nonisolated var replacedName: String? {
    let (view, name) = (current, defaultName)
    return view.camera == nil || view.isBorrowed || view.label == name ? nil : name
  }

  /// Returns whether the camera named `name` could be used, as last seen.
  nonisolated func isAvailable(_ name: String) -> Bool {
    let view = current
    if name == view.label || (name == defaultName && view.label.isEmpty) {
      return condition.reason == nil
    }
    return view.present.contains(name)
  }

  /// Updates the set of present cameras without opening any camera.
  func lookForCameras() async {
    let present = await threads.looker.run { [self] in camerasPresent() }
    if view.present != present { view.present = present }
  }

  private nonisolated func camerasPresent() -> Set<String> {
    let configuration = settings.current.configuration
    let names = Set(configuration.cameras.keys).union([defaultName])
    return names.filter { name in
      let device = configuration.camera(named: name).device ?? name
      switch CameraName(device) {
      case .demo: return true
      case .clip(let file): return isThere(file)
      case .best:
        return (try? threads.system.entries("/sys/class/video4linux").get())?.isEmpty == false
      case .device(let path):
        return device != Configuration.Camera.off
          && threads.system.exists(path.hasPrefix("/") ? path : "/dev/v4l/by-id/\(path)")
      }
    }
  }

  private nonisolated func isThere(_ file: String) -> Bool {
    let media = threads.media
    let answer = try? media.worker("looks", for: file).run(media.reading) { _ in
      Glibc.access(file, R_OK) == 0
    }
    return answer ?? false
  }

  /// Opens the named camera for one session; `nil` names the default camera.
  func borrow(_ device: ImagePickerController.CameraDevice?) async throws(PickerError) {
    let name = device?.rawValue ?? defaultName
    // A fallback camera serves as the default camera and stays open.
    guard name != view.label, device != nil || view.isBorrowed else { return }
    if device != nil, name == defaultName, !view.isBorrowed { return }
    do {
      try await reopen(device.map { $0.rawValue })
      view.isBorrowed = name != defaultName
    } catch {
      view.isBorrowed = true
      await giveBack()
      throw PickerError(
        .cameraDeviceUnavailable, message: error.message,
        fix: error.fix ?? "plug it in, or name another one; 'retake cameras' lists them")
    }
  }

  /// Reopens the default camera after a session that used another camera.
  func giveBack() async {
    guard view.isBorrowed, !life.isStopping else {
      view.isBorrowed = false
      return
    }
    view.isBorrowed = false
    do throws(StationError) {
      try await reopen()
    } catch {
      log.error("the usual camera cannot be used again: \(error)")
    }
  }
}
