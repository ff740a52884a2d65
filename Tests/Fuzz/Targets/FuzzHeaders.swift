import Media

/// Reads any bytes as the head of a picture or a movie on a stick; traps when what it says makes no
/// sense.
public func fuzzHeaders(_ bytes: UnsafeRawBufferPointer) {
  PhotoHeader.checkReading(Array(bytes))
}
