import Capture
import Media
import Platform

/// A camera on a scripted kernel, with JPEG frames, whose capture loop the test steps.
///
/// The kernel's clock moves only while the loop waits, so frames and their dates are the same in
/// every run.
public final class FrameStage {
  /// The size of the frames.
  public static let size = PixelSize(width: 320, height: 240)
  /// The kernel.
  public let kernel = ScriptedKernel()
  /// The device, of which a test may ask what was done with it.
  public let device: ScriptedCamera
  /// The camera, which was not started.
  public let camera: Camera
  private let stepper: CameraStepper

  /// Creates the camera and steps it until it has published that many frames.
  ///
  /// `damage` returns whether a frame has lost the middle of its data, which only decoding shows.
  public init(
    frames: Int, damage: @escaping @Sendable (Int) -> Bool = { _ in false }
  ) throws {
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
        // Like a gate that looks at the segments only, it leaves lost data to the decoder.
        FrameInspection(
          verdict: .clean, picture: 0..<image.bytes.count, size: image.size,
          unit: PixelSize(width: 16, height: 8))
      }, system: kernel)
    stepper = CameraStepper(camera)
    for _ in 0..<1000 where camera.counts.published < frames { step() }
  }

  deinit {
    camera.stop()
    while step() {}
  }

  /// Makes one step of the capture loop; returns false once the camera was stopped.
  @discardableResult
  public func step() -> Bool { stepper.step() }

  /// Returns the frame with a piece of its entropy-coded data gone, and its end whole.
  private static func withoutMiddle(_ jpeg: [UInt8]) -> [UInt8] {
    let cut = jpeg.count * 6 / 10
    return Array(jpeg[..<cut] + jpeg[(cut + jpeg.count / 8)...])
  }
}

/// A lease that expectations can look into.
public final class Held {
  /// The frame, of which the object holds a use.
  public let frame: Frame

  /// Takes over a lease; nil if there is none.
  public init?(_ lease: consuming FrameLease?) {
    guard let lease else { return nil }
    frame = lease.takeFrame()
  }

  deinit { frame.release() }
}
