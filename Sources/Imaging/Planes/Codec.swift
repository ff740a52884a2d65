import CTurboJPEG

/// The one owner of a TurboJPEG handle.
///
/// One is made for each still and none is kept: a used handle remembers the Huffman tables of the
/// picture before, which a picture without tables would then be decoded with, and the address of
/// its last output buffer, whose size it trusts if it sees that address again.
struct Codec: ~Copyable {
  /// What handles are for.
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
      throw StillError(.failed, "there is not enough memory for a picture; stop other programs")
    }
    handle = made
  }

  /// Throws what a result of -1 means; a warning that is accepted is returned.
  @discardableResult
  borrowing func check(
    _ result: Int32, _ doing: String, acceptsWarnings: Bool = false
  ) throws(StillError) -> String? {
    guard result != 0 else { return nil }
    let reason = tjGetErrorStr2(handle).map { String(cString: $0) }
    if tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) {
      if acceptsWarnings { return reason ?? "" }
      throw StillError(
        .decoderWarning, "the frame's picture data is damaged; another frame is needed",
        cause: reason)
    }
    throw StillError(.failed, "the picture could not be \(doing)", cause: reason)
  }

  deinit { tjDestroy(handle) }
}

/// The one owner of a buffer that TurboJPEG allocated.
struct CodecBuffer: ~Copyable {
  /// Where the library puts its pointer; nil before.
  var start: UnsafeMutablePointer<UInt8>?
  /// How many bytes of it are used.
  var count: UInt = 0

  /// An empty one: the library allocates.
  init() {}

  /// One with room, which the library enlarges if it must.
  init(room: Int) {
    start = tjAlloc(Int32(clamping: room))
    if start != nil { count = UInt(Int32(clamping: room)) }
  }

  /// Lets a call of the library write both; passed in one call, Swift 6.0 takes two members of one
  /// value for overlapping accesses.
  mutating func fill(
    _ call: (
      UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<UInt>
    ) -> Int32
  ) -> Int32 {
    var (start, count) = (start, count)
    let result = call(&start, &count)
    // Written back whatever it says: what was allocated is to be freed.
    (self.start, self.count) = (start, count)
    return result
  }

  /// Gives the bytes to somebody else, who has to call `tjFree`.
  consuming func release() -> UnsafeRawBufferPointer {
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
    start = nil
    return bytes
  }

  deinit { tjFree(start) }
}
