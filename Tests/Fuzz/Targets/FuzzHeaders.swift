import Media

/// Reads any bytes as the header of a picture or a movie on a stick; traps if a value is invalid.
public func fuzzHeaders(_ bytes: UnsafeRawBufferPointer) {
  PhotoHeader.checkReading(Array(bytes))
}
