import ImagePicker
import Imaging
import Media
import Platform
import StationTestSupport

@testable import Capture
@testable import Station

/// A camera on a scripted kernel whose loop the test steps.
final class FrameStage {
  static let size = PixelSize(width: 320, height: 240)
  let kernel = ScriptedKernel()
  let device: ScriptedCamera
  let camera: Camera
  let loop: CaptureLoop

  /// `damage` says which frames have lost the middle of their data.
  init(frames: Int, damage: @escaping @Sendable (Int) -> Bool = { _ in false }) throws {
    Log.setLevel(.error)
    let whole = SampleFrames.jpeg(FrameStage.size, .s422)
    let broken = FrameStage.withoutMiddle(whole)
    device = ScriptedCamera(
      [ScriptedFormat(.mjpeg, [(FrameStage.size, [30])]) { _ in [1 << 18] }]
    ) { .picture([damage($0) ? broken : whole]) }
    kernel.plug(device, at: 0)
    var options = CameraOptions()
    options.skippedFrames = 0
    camera = try Camera(
      .best, options: options,
      gate: { image in
        // As a gate that only looks at segments: loss inside the data is the decoder's to find.
        FrameInspection(
          verdict: .clean, picture: 0..<image.bytes.count, size: image.size,
          unit: PixelSize(width: 16, height: 8))
      }, system: kernel)
    loop = camera.makeLoop()
    for _ in 0..<1000 where camera.counts.published < frames { _ = loop.step() }
  }

  deinit {
    camera.stop()
    while loop.step() {}
  }

  /// The frame with a piece of its entropy-coded data gone, its end whole.
  static func withoutMiddle(_ jpeg: [UInt8]) -> [UInt8] {
    let cut = jpeg.count * 6 / 10
    return Array(jpeg[..<cut] + jpeg[(cut + jpeg.count / 8)...])
  }

  var chooser: FrameChooser {
    FrameChooser(
      ring: camera.ring, system: kernel, earliest: .milliseconds(250), patience: .seconds(1),
      note: camera.note)
  }
}

/// A lease that expectations can look into.
final class Held {
  let frame: Frame

  init?(_ lease: consuming FrameLease?) {
    guard let lease else { return nil }
    frame = lease.takeFrame()
  }

  deinit { frame.release() }
}
