import CNettle

/// A SHA-256 digest of bytes that come piece by piece, computed by nettle.
struct SHA256: ~Copyable {
  private var context = sha256_ctx()

  init() { cnettle_sha256_init(&context) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    cnettle_sha256_update(
      &context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
  }

  /// Returns the 32 bytes of the digest.
  consuming func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    cnettle_sha256_digest(&context, &digest)
    return digest
  }
}
