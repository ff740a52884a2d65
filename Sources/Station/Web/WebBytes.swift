import ImagePicker
import KioskServer
import Synchronization

/// Bytes in memory that several answers share.
final class WebBytes: KioskBytes, @unchecked Sendable {
  // `@unchecked Sendable` is safe, since the bytes are written only in `init`.
  private let storage: UnsafeMutableRawBufferPointer

  init(_ array: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, array.count), alignment: 1)
    copy.copyBytes(from: array)
    storage = UnsafeMutableRawBufferPointer(rebasing: copy.prefix(array.count))
  }

  deinit { storage.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storage) }
}

/// The bytes of the picture under review, shared by all answers and freed with the last of them.
///
/// All calls may come from any thread.
final class ReviewBytes: Sendable {
  private struct Known {
    var candidate: CandidateID?
    var frame: Int?
    weak var bytes: WebBytes?
  }

  private let known = Mutex(Known())

  /// Returns the shared bytes; calls `make` when no answer holds them.
  ///
  /// `frame` is the index of an offered frame, or `nil` when no frames are offered.
  func bytes(of candidate: CandidateID, frame: Int?, make: () -> [UInt8]) -> WebBytes {
    known.withLock { known in
      if known.candidate == candidate, known.frame == frame, let bytes = known.bytes {
        return bytes
      }
      let bytes = WebBytes(make())
      known = Known(candidate: candidate, frame: frame, bytes: bytes)
      return bytes
    }
  }
}
