import CTurboJPEG
import Glibc
import Imaging
import Media
import Platform

/// A turn by 90° without decoding: the library's transform alone, and a whole still.
enum Lossless {
  static func run(_ words: [String]) throws {
    let bytes = contents(words[0])
    let rounds = words.count > 1 ? Int(words[1]) ?? 20 : 20
    var maker = StillMaker()
    let handle = tjInitTransform()
    defer { tjDestroy(handle) }
    let turned = Orientation(mount: .clockwise, mirror: .none, enforce: .off)
    let cropped = Orientation(mount: .clockwise, mirror: .none, enforce: .portrait)
    var half = Orientation(mount: .upright, mirror: .none, enforce: .portrait)
    half.aspect = .threeToFour
    let size = JPEGGate.inspect(bytes).size
    // 3:4 of the turned picture, as a still takes it.
    let box = PixelRect(x: 0, y: 0, width: size.height, height: size.height * 4 / 3 / 16 * 16)
    try measure(
      rounds: rounds,
      [
        ("tjTransform", { transform(handle, bytes, nil) }),
        ("still", { _ = try still(&maker, bytes, turned) }),
        ("still, no thumbnail", { _ = try still(&maker, bytes, turned, embeds: false) }),
        ("tjTransform, cropped", { transform(handle, bytes, box) }),
        ("still, cropped", { _ = try still(&maker, bytes, cropped, box: box) }),
      ])
  }

  /// Runs one job in its own process, and measures the maximum memory of that process.
  static func peak(_ words: [String]) throws {
    let bytes = contents(words[1])
    if words[0] == "tjTransform" {
      let handle = tjInitTransform()
      transform(handle, bytes, nil)
      tjDestroy(handle)
    } else {
      var maker = StillMaker()
      let turned = Orientation(mount: .clockwise, mirror: .none, enforce: .off)
      _ = try still(&maker, bytes, turned)
    }
    // ru_maxrss is not used, because at exec a process inherits the maximum of its parent.
    guard let status = fopen("/proc/self/status", "r") else { Main.fail("no /proc") }
    defer { fclose(status) }
    var line = [UInt8](repeating: 0, count: 256)
    var peak = 0
    while line.withUnsafeMutableBytes({ bytes in
      fgets(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), 256, status) != nil
    }) {
      let words = String(decoding: line.prefix { $0 != 0 }, as: UTF8.self).split {
        $0 == " " || $0 == "\t"
      }
      if words.first == "VmHWM:" { peak = words.compactMap { Int($0) }.first ?? 0 }
    }
    print("{\"name\": \"\(words[0])\", \"peak_kib\": \(peak)}")
  }

  private static func transform(
    _ handle: tjhandle?, _ bytes: UnsafeRawBufferPointer, _ box: PixelRect?
  ) {
    var transform = tjtransform()
    transform.op = Int32(TJXOP_ROT90.rawValue)
    transform.options = Int32(TJXOPT_TRIM | TJXOPT_COPYNONE)
    if let box {
      transform.options |= Int32(TJXOPT_CROP)
      transform.r = tjregion(
        x: Int32(box.x), y: Int32(box.y), w: Int32(box.size.width), h: Int32(box.size.height))
    }
    var output: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let result = tjTransform(
      handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), 1, &output,
      &count, &transform, 0)
    tjFree(output)
    guard result == 0 else { Main.fail("tjTransform: " + String(cString: tjGetErrorStr2(handle))) }
  }

  private static func still(
    _ maker: inout StillMaker, _ bytes: UnsafeRawBufferPointer, _ orientation: Orientation,
    box: PixelRect? = nil, embeds: Bool = true
  ) throws -> Still {
    maker.embedsThumbnail = embeds
    let inspection = JPEGGate.inspect(bytes)
    let image = FrameImage(bytes: bytes, format: .mjpeg, size: inspection.size, bytesPerLine: 0)
    let still = try maker.make(
      image, inspection: inspection, orientation: orientation, box: box, metadata: metadata)
    guard still.isLossless else { Main.fail("the still was encoded anew") }
    return still
  }

  /// The metadata that a station writes.
  static var metadata: StillMetadata {
    var metadata = StillMetadata()
    metadata.make = "Example"
    metadata.model = "Webcam"
    metadata.serial = "SN-12"
    metadata.software = "Retake"
    metadata.session = "4f2a"
    metadata.date = StillMetadata.Date(seconds: 1_700_000_000, nanoseconds: 123_456_789, offset: 0)
    metadata.frameTime = MonotonicTime(nanoseconds: 12_345_678_901)
    metadata.pressToFrame = .milliseconds(7)
    return metadata
  }
}
