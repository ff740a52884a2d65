import CTurboJPEG
import Media

/// A finished JPEG without metadata, such as a preview frame, a review picture or an opened file.
///
/// A picture is immutable and may be used from any thread.
public final class EncodedPicture: @unchecked Sendable {
  /// The size in pixels.
  public let size: PixelSize
  private let encoded: UnsafeRawBufferPointer

  init(_ encoded: consuming CodecBuffer, size: PixelSize) {
    self.encoded = encoded.release()
    self.size = size
  }

  deinit {
    tjFree(UnsafeMutablePointer(mutating: encoded.baseAddress?.assumingMemoryBound(to: UInt8.self)))
  }

  /// The number of bytes of the file.
  public var count: Int { encoded.count }

  /// Calls `body` with the bytes, which are valid during the call.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(encoded) }

  /// Returns a copy of the bytes as an array.
  public func bytes() -> [UInt8] { Array(encoded) }
}
