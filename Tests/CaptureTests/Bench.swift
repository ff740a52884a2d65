import Media
import Platform
import StationTestSupport
import Testing

@testable import Capture

/// A scripted kernel with a camera, and the loop under test, stepped by the test.
final class Bench {
  let kernel: ScriptedKernel
  let device: ScriptedCamera
  let camera: Camera
  let loop: CaptureLoop

  static let sizes: [(PixelSize, [UInt32])] = [
    (PixelSize(width: 640, height: 480), [30, 15]),
    (PixelSize(width: 1280, height: 720), [30, 15]),
  ]

  static func pictures(_ number: Int) -> ScriptedFrame {
    .picture([samplePicture(UInt8(number & 0x7F), size: PixelSize(width: 1280, height: 720))])
  }

  static func mjpegCamera(
    _ script: @escaping @Sendable (Int) -> ScriptedFrame = Bench.pictures
  ) -> ScriptedCamera {
    ScriptedCamera([ScriptedFormat(.mjpeg, Bench.sizes) { _ in [65536] }], script: script)
  }

  init(
    _ device: ScriptedCamera = Bench.mjpegCamera(), name: CameraName = .best,
    plugged: Bool = true, kernel: ScriptedKernel? = nil, gate: @escaping FrameInspector = plainGate,
    configure: (inout CameraOptions) -> Void = { _ in }
  ) throws(CaptureError) {
    Log.setLevel(.error)
    self.device = device
    self.kernel = kernel ?? ScriptedKernel()
    if plugged, kernel == nil { self.kernel.plug(device, at: 0) }
    var options = CameraOptions()
    options.skippedFrames = 0
    configure(&options)
    camera = try Camera(name, options: options, gate: gate, system: self.kernel)
    loop = camera.makeLoop()
    loop.jitter = { 1 }
  }

  deinit { finish() }

  /// Steps the loop until `condition` holds; returns false after `limit` steps.
  @discardableResult
  func step(_ limit: Int = 400, until condition: () -> Bool) -> Bool {
    for _ in 0..<limit {
      if condition() { return true }
      guard loop.step() else { return condition() }
    }
    return condition()
  }

  func stream(_ frames: Int = 1) -> Bool {
    let start = camera.counts.published
    return step { camera.counts.published >= start + frames }
  }

  /// Stops the loop as the capture thread would.
  func finish() {
    camera.stop()
    while loop.step() {}
  }
}
