/// SHA-256 of FIPS 180-4, piece by piece.
///
/// Here, and not from a library, because nothing else of one would be used.
struct SHA256: ~Copyable {
  private var state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19
  )
  private let pending = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 4)
  private let schedule = UnsafeMutablePointer<UInt32>.allocate(capacity: 64)
  private var pendingCount = 0
  private var length: UInt64 = 0

  init() {}

  deinit {
    pending.deallocate()
    schedule.deallocate()
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    length &+= UInt64(bytes.count)
    if pendingCount > 0 {
      let count = min(64 - pendingCount, rest.count)
      copy(rest, count)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      guard pendingCount == 64 else { return }
      pendingCount = 0
      if let start = pending.baseAddress { compress(UnsafeRawPointer(start), blocks: 1) }
    }
    if let start = rest.baseAddress, rest.count >= 64 {
      compress(start, blocks: rest.count / 64)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(rest.count & ~63))
    }
    if !rest.isEmpty { copy(rest, rest.count) }
  }

  private mutating func copy(_ bytes: UnsafeRawBufferPointer, _ count: Int) {
    guard count > 0 else { return }
    UnsafeMutableRawBufferPointer(rebasing: pending[pendingCount...]).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
    pendingCount += count
  }

  consuming func finish() -> [UInt8] {
    let bits = length &* 8
    var tail: [UInt8] = [0x80]
    tail += [UInt8](repeating: 0, count: (119 - pendingCount) % 64)
    tail += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    tail.withUnsafeBytes { update($0) }
    let words = [
      state.0, state.1, state.2, state.3, state.4, state.5, state.6, state.7,
    ]
    return words.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) }
    }
  }

  private mutating func compress(_ start: UnsafeRawPointer, blocks: Int) {
    SHA256.constants.withUnsafeBufferPointer { constants in
      for block in 0..<blocks { compress(start + block * 64, constants) }
    }
  }

  private mutating func compress(
    _ block: UnsafeRawPointer, _ constants: UnsafeBufferPointer<UInt32>
  ) {
    let w = schedule
    for index in 0..<16 {
      w[index] = UInt32(
        bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
    }
    for index in 16..<64 {
      let (x, y) = (w[index &- 15], w[index &- 2])
      let s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >> 3)
      let s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >> 10)
      w[index] = w[index &- 16] &+ s0 &+ w[index &- 7] &+ s1
    }
    var (a, b, c, d, e, f, g, h) = state
    for index in 0..<64 {
      let s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let first = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ w[index]
      let s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let second = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    state = (
      state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e, state.5 &+ f,
      state.6 &+ g, state.7 &+ h
    )
  }

  @inline(__always)
  private func rotated(_ value: UInt32, _ by: UInt32) -> UInt32 {
    (value >> by) | (value << (32 &- by))
  }

  private static let constants: [UInt32] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  ]
}
