import CTurboJPEG

/// The sole owner of a TurboJPEG handle.
///
/// Each still uses a new handle. A used handle keeps the Huffman tables of the picture before and
/// would decode a picture without tables by them. The handle also keeps the address and size of its
/// last output buffer, and assumes that size if it gets the same address again.
struct Codec: ~Copyable {
  /// The purpose of a handle.
  enum Kind {
    case compress, decompress, transform
  }

  /// The library's handle, valid as long as the owner lives.
  let handle: tjhandle

  init(_ kind: Kind) throws(StillError) {
    let made =
      switch kind {
      case .compress: tjInitCompress()
      case .decompress: tjInitDecompress()
      case .transform: tjInitTransform()
      }
    guard let made else {
      throw StillError(
        .failed, "there is not enough memory for a picture",
        fix: "stop other programs")
    }
    handle = made
  }

  /// Throws the error of a failed call, and returns an accepted warning.
  @discardableResult
  borrowing func check(
    _ result: Int32, _ doing: String, acceptsWarnings: Bool = false
  ) throws(StillError) -> String? {
    guard result != 0 else { return nil }
    let reason = tjGetErrorStr2(handle).map { String(cString: $0) }
    if tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) {
      if acceptsWarnings { return reason ?? "" }
      throw StillError(
        .decoderWarning, "the frame's picture data is damaged",
        fix: "another frame is needed",
        cause: reason)
    }
    throw StillError(.failed, "the picture could not be \(doing)", cause: reason)
  }

  deinit { tjDestroy(handle) }
}

/// The sole owner of a buffer that TurboJPEG allocated.
struct CodecBuffer: ~Copyable {
  /// The start of the buffer; nil until it is allocated.
  var start: UnsafeMutablePointer<UInt8>?
  /// The number of bytes in use.
  var count: UInt = 0

  /// Creates an empty buffer, which the library allocates.
  init() {}

  /// Creates a buffer with room for some bytes, which the library enlarges if necessary.
  init(room: Int) {
    start = tjAlloc(Int32(clamping: room))
    if start != nil { count = UInt(Int32(clamping: room)) }
  }

  /// Lets a call of the library write `start` and `count`, by way of copies because Swift 6.0
  /// treats two members of one value in a call as overlapping accesses.
  mutating func fill(
    _ call: (
      UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<UInt>
    ) -> Int32
  ) -> Int32 {
    var (start, count) = (start, count)
    let result = call(&start, &count)
    // The values are written back even after an error, because allocated memory must be freed.
    (self.start, self.count) = (start, count)
    return result
  }

  /// Transfers the bytes to the caller, who must call `tjFree`.
  consuming func release() -> UnsafeRawBufferPointer {
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
    start = nil
    return bytes
  }

  deinit { tjFree(start) }
}
