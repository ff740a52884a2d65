/// The identifier of the box with a movie's thumbnail, a JPEG, which is `Retake` followed by ten
/// arbitrary bytes.
package enum MovieMark {
  /// The first bytes in a `uuid` box.
  package static let thumbnail: [UInt8] = [
    0x52, 0x65, 0x74, 0x61, 0x6B, 0x65, 0x5C, 0x1D, 0xA4, 0x4B, 0x90, 0x07, 0x3E, 0xC1, 0x68, 0xF2,
  ]
}
