import Platform

/// The memory of one frame's buffer, released with its owner.
struct FrameMemory: ~Copyable {

  /// The first plane, or all planes if they share one buffer.
  let bytes: UnsafeMutableRawBufferPointer
  /// The second and third plane of multi-planar buffers; empty otherwise.
  let second: UnsafeMutableRawBufferPointer
  let third: UnsafeMutableRawBufferPointer
  private let owned: UnsafeMutableRawBufferPointer?
  private let mapping: Mapping?
  private let secondMapping: Mapping?
  private let thirdMapping: Mapping?

  private static var none: UnsafeMutableRawBufferPointer { .init(start: nil, count: 0) }

  /// Takes ownership of a driver buffer of one plane.
  init(_ mapping: consuming Mapping) {
    bytes = mapping.bytes
    second = FrameMemory.none
    third = FrameMemory.none
    owned = nil
    self.mapping = consume mapping
    secondMapping = nil
    thirdMapping = nil
  }

  /// Takes ownership of a driver buffer of two planes.
  init(_ first: consuming Mapping, _ second: consuming Mapping) {
    bytes = first.bytes
    self.second = second.bytes
    third = FrameMemory.none
    owned = nil
    mapping = consume first
    secondMapping = consume second
    thirdMapping = nil
  }

  /// Takes ownership of a driver buffer of three planes.
  init(_ first: consuming Mapping, _ second: consuming Mapping, _ third: consuming Mapping) {
    bytes = first.bytes
    self.second = second.bytes
    self.third = third.bytes
    owned = nil
    mapping = consume first
    secondMapping = consume second
    thirdMapping = consume third
  }

  /// Allocates `count` bytes; pages that are never written use no memory.
  init(heap count: Int) {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 64)
    bytes = block
    second = FrameMemory.none
    third = FrameMemory.none
    owned = block
    mapping = nil
    secondMapping = nil
    thirdMapping = nil
  }

  deinit { owned?.deallocate() }
}
