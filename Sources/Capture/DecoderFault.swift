/// What only a decoder finds wrong with a frame whose segments are whole.
///
/// The raw value is its name in counters and logs.
public enum DecoderFault: String, CaseIterable, Sendable {
  /// The data of the scan ends before the picture does.
  case prematureEnd = "premature-end"
  /// Bits that are no Huffman code.
  case badCode = "bad-code"
  /// Bytes that belong to no block before a marker.
  case extraneousBytes = "extraneous-bytes"
  /// A restart marker out of order.
  case badRestart = "bad-restart"
  /// Anything else.
  case other

  /// What libjpeg's words mean.
  public init(_ words: String) {
    let words = words.lowercased()
    if words.contains("premature end") {
      self = .prematureEnd
    } else if words.contains("bad huffman code") || words.contains("bad arithmetic code") {
      self = .badCode
    } else if words.contains("extraneous bytes") {
      self = .extraneousBytes
    } else if words.contains("instead of rst") || words.contains("restart") {
      self = .badRestart
    } else {
      self = .other
    }
  }
}
