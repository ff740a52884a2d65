/// A camera whose capture loop is stepped by a test instead of a thread.
package final class CameraStepper {
  private let loop: CaptureLoop

  /// Creates a stepper for a camera that was not started.
  package init(_ camera: Camera) {
    loop = camera.makeLoop()
    loop.jitter = { 1 }
  }

  /// Runs the next step; returns false once the camera was stopped and the device is closed.
  package func step() -> Bool { loop.step() }
}
