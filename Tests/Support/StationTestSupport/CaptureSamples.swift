import Glibc
import Media

/// Bytes that resemble a JPEG picture enough for code that only walks its segments.
public func samplePicture(
  _ number: UInt8 = 0, size: PixelSize = PixelSize(width: 64, height: 48), scan: Int = 100
) -> [UInt8] {
  var bytes: [UInt8] = [0xFF, 0xD8]
  // An APP segment with bytes like the start and the end of another picture.
  bytes += [0xFF, 0xE1, 0, 8, 0xFF, 0xD8, 0xFF, 0xD9, 0, 0]
  bytes += [0xFF, 0xC0, 0, 17, 8]
  bytes += [UInt8(size.height >> 8), UInt8(size.height & 255)]
  bytes += [UInt8(size.width >> 8), UInt8(size.width & 255), 3]
  bytes += [1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
  bytes += [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]
  bytes += [UInt8](repeating: number & 0x7F, count: scan)
  bytes += [0xFF, 0x00, 0xFF, 0xD0, 1, 0xFF, 0xD9]
  return bytes
}

/// A gate that takes every frame that starts with SOI and says that all of it is the picture.
public let plainGate: @Sendable (FrameImage) -> FrameInspection = { image in
  let isPicture =
    !image.format.isJPEG
    || (image.bytes.count > 2 && image.bytes[0] == 0xFF && image.bytes[1] == 0xD8)
  return FrameInspection(
    verdict: isPicture ? .clean : .damaged(.notPicture), picture: 0..<image.bytes.count,
    size: image.size)
}

/// A file that is deleted with its owner.
public struct TemporaryFile: ~Copyable {
  /// The path of the file.
  public let path: String

  /// Writes `bytes` into a new file.
  public init(_ bytes: [UInt8]) {
    path = "/tmp/capture-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  deinit { unlink(path) }
}
