import CTurboJPEG
import Glibc
import Media

/// A finished JPEG, upright, with its metadata.
///
/// It is kept in parts so that nothing is copied to put metadata before the picture:
/// ``withParts(_:)`` lends them to `writev(2)`. Immutable, safe from any thread.
public final class Still: @unchecked Sendable {
  /// The still's size in pixels.
  public let size: PixelSize
  /// How it was cut out of the frame.
  public let geometry: StillGeometry
  /// Whether the coefficients are the camera's own.
  public let isLossless: Bool
  /// What the decoder warned of, where that was accepted; nil for a good frame.
  public let warning: String?

  // SOI and the metadata segments.
  private let head: UnsafeRawBufferPointer
  // The encoder's output, owned, and where in it the rest of the picture starts.
  private let encoded: UnsafeRawBufferPointer
  private let restOffset: Int

  init(
    encoded: consuming CodecBuffer, size: PixelSize, geometry: StillGeometry, isLossless: Bool,
    metadata: [UInt8]?, warning: String? = nil
  ) {
    let encoded = encoded.release()
    self.encoded = encoded
    self.size = size
    self.geometry = geometry
    self.isLossless = isLossless
    self.warning = warning
    guard let metadata else {
      head = UnsafeRawBufferPointer(start: nil, count: 0)
      restOffset = 0
      return
    }
    let head = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 + metadata.count, alignment: 1)
    head[0] = 0xFF
    head[1] = 0xD8
    UnsafeMutableRawBufferPointer(rebasing: head[2...]).copyBytes(from: metadata)
    self.head = UnsafeRawBufferPointer(head)
    // EXIF wants its segment first, and JFIF its own: with EXIF, the JFIF segment goes.
    var markers = JPEGMarkers(encoded, at: 2)
    if case .marker(let first) = markers.next(), first.code == 0xE0 {
      restOffset = first.body.upperBound
    } else {
      restOffset = 2
    }
  }

  deinit {
    head.deallocate()
    tjFree(UnsafeMutablePointer(mutating: encoded.baseAddress?.assumingMemoryBound(to: UInt8.self)))
  }

  /// Columns and rows left out at the frame's edge, 0...15 each.
  public var trimmed: PixelSize { geometry.trimmed }

  /// Bytes of the whole file.
  public var count: Int { head.count + encoded.count - restOffset }

  /// Lends the parts of the file, in order, for `writev(2)`; valid during the call.
  public func withParts<Result>(
    _ body: (UnsafeBufferPointer<iovec>) throws -> Result
  ) rethrows -> Result {
    let rest = encoded.part(restOffset..<encoded.count)
    return try withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { parts in
      var used = 0
      for part in [head, rest] where !part.isEmpty {
        parts.initializeElement(
          at: used,
          to: iovec(
            iov_base: UnsafeMutableRawPointer(mutating: part.baseAddress), iov_len: part.count))
        used += 1
      }
      return try body(UnsafeBufferPointer(rebasing: parts[..<used]))
    }
  }

  /// The whole file as one array: a copy, for callers that cannot take parts.
  public func bytes() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      let target = UnsafeMutableRawBufferPointer(buffer)
      target.copyMemory(from: head)
      let rest = encoded.part(restOffset..<encoded.count)
      UnsafeMutableRawBufferPointer(rebasing: target[head.count...]).copyMemory(from: rest)
      used = count
    }
  }

  /// The picture without metadata, as one block; valid during the call.
  public func withPicture<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(encoded) }
}
