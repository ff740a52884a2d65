import CTOML

/// A value of a TOML file with its place.
struct TOMLValue: Equatable, Sendable {
  enum Content: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case strings([String])
    /// An empty table, or a kind that no key accepts, such as a date or an array of numbers.
    case other
  }

  var keys: [String]
  var content: Content
  var line: Int
  var column: Int

  /// The key as a person would write it.
  var name: String { keys.joined(separator: ".") }

  /// The kind of the value, for messages.
  var kind: String {
    switch content {
    case .string: "a string"
    case .integer: "a whole number"
    case .number(let value): value.isFinite ? "a number" : "not a finite one"
    case .boolean: "true or false"
    case .strings: "a list of strings"
    case .other: "something else"
    }
  }
}

/// The values of a TOML file as a flat list, in the file's order.
///
/// The C++ library toml++ parses the file.
struct TOMLDocument: Sendable {
  var values: [TOMLValue] = []

  struct ParseError: Error, Equatable {
    /// Whether the text is no valid TOML, in which case the message is the parser's.
    var isSyntax: Bool
    var message: String
    var line: Int
    var column: Int
  }

  /// The maximum number of values; the largest configuration has a few hundred.
  static let mostValues = 4000

  /// Parses `text`.
  init(_ text: String) throws(ParseError) { try self.init(bytes: Array(text.utf8)) }

  /// Parses UTF-8 bytes after a check by ``ConfigurationText``.
  init(bytes: [UInt8]) throws(ParseError) {
    let text: ArraySlice<UInt8>
    do throws(ConfigurationText.Problem) {
      text = try ConfigurationText.check(bytes)
    } catch {
      throw ParseError(
        isSyntax: false, message: error.message, line: error.line, column: error.column)
    }
    var failure = ctoml_error()
    let collector = Collector()
    let limits = ctoml_limits(
      values: TOMLDocument.mostValues, bytes: ConfigurationText.mostBytes)
    let outcome = text.withUnsafeBytes { bytes in
      ctoml_parse(
        bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count, limits,
        { value, context in
          guard let value, let context else { return }
          Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue().add(value.pointee)
        }, Unmanaged.passUnretained(collector).toOpaque(), &failure)
    }
    guard outcome == CTOML_READ else {
      let message = withUnsafeBytes(of: failure.message) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }.filter { character in
        // The parser quotes the file, so control characters are removed before a terminal shows
        // them.
        !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      }
      throw ParseError(
        isSyntax: outcome == CTOML_SYNTAX, message: message, line: Int(failure.line),
        column: Int(failure.column))
    }
    values = collector.values
  }

  private final class Collector {
    var values: [TOMLValue] = []

    func add(_ value: ctoml_value) {
      let keys = String(cString: value.path).split(
        separator: "\u{1F}", omittingEmptySubsequences: false
      ).map(String.init)
      let content: TOMLValue.Content
      switch value.kind {
      case CTOML_STRING: content = .string(value.string.map { String(cString: $0) } ?? "")
      case CTOML_INTEGER: content = .integer(value.integer)
      case CTOML_FLOAT: content = .number(value.number)
      case CTOML_BOOLEAN: content = .boolean(value.boolean)
      default: content = .other
      }
      guard value.index >= 0 else {
        values.append(
          TOMLValue(
            keys: keys, content: content, line: Int(value.line), column: Int(value.column)))
        return
      }
      // The parser reports the elements of an array one by one; keys accept only lists of strings.
      if value.index > 0, let last = values.indices.last, values[last].keys == keys {
        if case .strings(var list) = values[last].content, case .string(let text) = content {
          // The value is released first, so that the list grows without a copy.
          values[last].content = .other
          list.append(text)
          values[last].content = .strings(list)
        } else {
          values[last].content = .other
        }
        return
      }
      let list: TOMLValue.Content
      switch content {
      case .string(let text): list = .strings([text])
      case .other where value.kind == CTOML_TABLE: list = .strings([])
      default: list = .other
      }
      values.append(
        TOMLValue(keys: keys, content: list, line: Int(value.line), column: Int(value.column)))
    }
  }
}
