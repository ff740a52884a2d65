/// The SHA-256 of a file's bytes, which identifies a photo.
public struct Checksum: Sendable, Hashable, CustomStringConvertible {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Creates a checksum from 32 bytes; returns nil for any other number of bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  init(_ digest: consuming SHA256) { bytes = digest.finish() }

  /// Computes the checksum of bytes in memory, given in pieces.
  public init(of segments: [UnsafeRawBufferPointer]) {
    var digest = SHA256()
    for segment in segments { digest.update(segment) }
    self.init(digest)
  }

  /// The 64 digits that `sha256sum(1)` prints.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
