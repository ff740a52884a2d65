/// A camera whose thread is played by whoever tests it.
package final class CameraStepper {
  private let loop: CaptureLoop

  /// Makes one for a camera that was not started.
  package init(_ camera: Camera) {
    loop = camera.makeLoop()
    loop.jitter = { 1 }
  }

  /// Does the next thing; false once the camera was stopped and the device is closed.
  package func step() -> Bool { loop.step() }
}
