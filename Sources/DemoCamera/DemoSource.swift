import CTurboJPEG
import Capture
import Media
import Platform

/// The built-in moving scene as a camera's JPEG pictures.
final class DemoSource: PictureSource {
  private var scene = DemoScene()
  private var encoder: Encoder?

  // The single owner of the codec's handle and of the planes that it reads.
  private final class Encoder {
    let handle: tjhandle
    let planes: UnsafeMutablePointer<UInt8>
    let pixels = DemoScene.size.width * DemoScene.size.height

    init?() {
      guard let handle = tjInitCompress() else { return nil }
      self.handle = handle
      planes = .allocate(capacity: pixels * 3 / 2)
      planes.initialize(repeating: 128, count: pixels * 3 / 2)
    }

    deinit {
      tjDestroy(handle)
      planes.deallocate()
    }
  }

  private let subsampling = Int32(TJSAMP_420.rawValue)

  let identity = CameraIdentity(name: "demo", driver: "demo", bus: "built-in", path: "demo")

  func open() throws(CaptureError) -> CameraMode {
    if encoder == nil { encoder = Encoder() }
    guard encoder != nil else {
      throw CaptureError(.failed, "the demo camera cannot start: there is no memory left")
    }
    let size = DemoScene.size
    let bytes = Int(tjBufSize(Int32(size.width), Int32(size.height), subsampling))
    return CameraMode(format: .mjpeg, size: size, rate: nil, imageBytes: bytes)
  }

  func fill(
    _ number: Int, at time: Duration, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> (bytes: Int, picture: Int) {
    guard let encoder, let output = buffer.baseAddress else { return (0, number) }
    let size = DemoScene.size
    let y = encoder.planes
    let u = y + encoder.pixels
    let v = u + encoder.pixels / 4
    scene.draw(frame: number, at: time, into: (y: y, u: u, v: v))
    var start: UnsafeMutablePointer<UInt8>? = output.assumingMemoryBound(to: UInt8.self)
    var count = UInt(buffer.count)
    let failed = withUnsafeTemporaryAllocation(
      of: UnsafePointer<UInt8>?.self, capacity: 3
    ) { planes in
      planes[0] = UnsafePointer(y)
      planes[1] = UnsafePointer(u)
      planes[2] = UnsafePointer(v)
      return withUnsafeMutablePointer(to: &start) { start in
        tjCompressFromYUVPlanes(
          encoder.handle, planes.baseAddress, Int32(size.width), nil, Int32(size.height),
          subsampling, start, &count, 85, TJFLAG_NOREALLOC | TJFLAG_FASTDCT)
      }
    }
    return (failed == 0 ? Int(count) : 0, number)
  }

  func close() {}
}
