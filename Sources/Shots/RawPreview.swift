import Capture
import Imaging
import Media
import Synchronization

/// Returns an encoder that makes the live preview of a camera with raw frames.
///
/// The encoder runs on the threads of the viewers, encodes only the newest frame, and serves one
/// thread at a time.
package func rawPreview(maximumWidth: Int = 1280) -> RawFrameEncoder {
  let encoder = SharedEncoder(maximumWidth: maximumWidth)
  return { image, target in encoder.encode(image, into: target) }
}

private final class SharedEncoder: Sendable {
  private let encoder: Mutex<PreviewEncoder>

  init(maximumWidth: Int) {
    encoder = Mutex(PreviewEncoder(maximumWidth: maximumWidth))
  }

  func encode(_ image: FrameImage, into target: UnsafeMutableRawBufferPointer) -> Int? {
    let picture = encoder.withLock { encoder in try? encoder.encode(image) }
    return picture?.withBytes { bytes in
      guard bytes.count <= target.count else { return nil }
      target.copyMemory(from: bytes)
      return bytes.count
    }
  }
}
