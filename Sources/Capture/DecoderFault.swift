/// A kind of damage that only a decoder finds, in a frame whose segments are whole.
///
/// The raw value is its name in counters and logs.
public enum DecoderFault: String, CaseIterable, Sendable {
  /// The data of the scan ends before the picture is complete.
  case prematureEnd = "premature-end"
  /// The data contains bits that are not a Huffman code.
  case badCode = "bad-code"
  /// The data contains surplus bytes before a marker.
  case extraneousBytes = "extraneous-bytes"
  /// A restart marker is out of order.
  case badRestart = "bad-restart"
  /// The decoder reported another fault.
  case other

  /// Creates the kind of fault that a message of libjpeg describes.
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
