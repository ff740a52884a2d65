import CTurboJPEG
import Media

/// A finished JPEG without metadata: a preview frame, a review picture, an opened file.
///
/// Immutable, safe from any thread.
public final class EncodedPicture: @unchecked Sendable {
  /// Its size in pixels.
  public let size: PixelSize
  private let encoded: UnsafeRawBufferPointer

  init(_ encoded: consuming CodecBuffer, size: PixelSize) {
    self.encoded = encoded.release()
    self.size = size
  }

  deinit {
    tjFree(UnsafeMutablePointer(mutating: encoded.baseAddress?.assumingMemoryBound(to: UInt8.self)))
  }

  /// Bytes of the file.
  public var count: Int { encoded.count }

  /// Lends the bytes; valid during the call.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(encoded) }

  /// The bytes as an array: a copy.
  public func bytes() -> [UInt8] { Array(encoded) }
}
