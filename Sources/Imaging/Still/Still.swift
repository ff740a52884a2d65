import CTurboJPEG
import Glibc
import Media

/// A finished upright JPEG with its metadata.
///
/// The file is kept in parts, so that no bytes are copied to put metadata before the picture.
/// ``withParts(_:)`` lends the parts for `writev(2)`. A still is immutable and may be used from any
/// thread.
public final class Still: @unchecked Sendable {
  /// The still's size in pixels.
  public let size: PixelSize
  /// The geometry by which the still was cut from the frame.
  public let geometry: StillGeometry
  /// Whether the still has the camera's own coefficients.
  public let isLossless: Bool
  /// The decoder's warning, if one was accepted; nil for an undamaged frame.
  public let warning: String?

  // The SOI and the metadata segments.
  private let head: UnsafeRawBufferPointer
  // The encoder's output, which the still owns, and the offset in it of the rest of the picture.
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
    // EXIF and JFIF both require their segment to come first, so the JFIF segment is dropped.
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

  /// The numbers of columns and rows that are lost at the frame's edge, 0...15 each.
  public var trimmed: PixelSize { geometry.trimmed }

  /// The number of bytes of the whole file.
  public var count: Int { head.count + encoded.count - restOffset }

  /// Calls `body` with the parts of the file in order, for `writev(2)`; the parts are valid during
  /// the call.
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

  /// Returns a copy of the whole file as one array, for callers that cannot use parts.
  public func bytes() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      let target = UnsafeMutableRawBufferPointer(buffer)
      target.copyMemory(from: head)
      let rest = encoded.part(restOffset..<encoded.count)
      UnsafeMutableRawBufferPointer(rebasing: target[head.count...]).copyMemory(from: rest)
      used = count
    }
  }

  /// Calls `body` with the picture without metadata, as one block that is valid during the call.
  public func withPicture<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(encoded) }
}
