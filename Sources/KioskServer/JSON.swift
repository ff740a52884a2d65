import FoundationEssentials
import Glibc

/// Returns a value as JSON; a value that cannot be encoded is a bug and becomes `null`.
func encodeJSON(_ value: some Encodable) -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else { return Array("null".utf8) }
  return [UInt8](data)
}

/// Returns `2026-11-30T12:00:00Z` for seconds since 1970.
func calendarDate(_ seconds: Int64) -> String {
  var time = time_t(seconds)
  var parts = tm()
  gmtime_r(&time, &parts)
  func digits(_ number: Int32, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
  return digits(parts.tm_year &+ 1900, 4) + "-" + digits(parts.tm_mon &+ 1, 2) + "-"
    + digits(parts.tm_mday, 2) + "T" + digits(parts.tm_hour, 2) + ":" + digits(parts.tm_min, 2)
    + ":" + digits(parts.tm_sec, 2) + "Z"
}

/// Any JSON value of a request.
enum JSONValue: Decodable, Equatable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Parses a body; returns nil for invalid JSON.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
      return nil
    }
    self = value
  }
}

/// The members of a request's object, each of which is read once; remaining ones are an error.
struct JSONMembers {
  private var members: [String: JSONValue]
  /// The largest whole number that JavaScript represents exactly.
  static let largest = 9_007_199_254_740_991

  init(_ members: [String: JSONValue]) { self.members = members }

  mutating func value(_ name: String) -> JSONValue? {
    let value = members.removeValue(forKey: name)
    return value == .null ? nil : value
  }

  /// Returns a member's number; nil if the member is missing.
  ///
  /// Null makes the call throw, unless `orNull` is set, which returns nil for it.
  mutating func integer(
    _ name: String, in range: ClosedRange<Int>, orNull: Bool = false
  ) throws(KioskProblem) -> Int? {
    guard let value = members.removeValue(forKey: name), !orNull || value != .null else {
      return nil
    }
    guard case .number(let number) = value, let whole = Int(exactly: number), range.contains(whole)
    else {
      throw KioskProblem(
        400, "'\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  mutating func boolean(_ name: String) throws(KioskProblem) -> Bool? {
    guard let value = members.removeValue(forKey: name) else { return nil }
    guard case .boolean(let truth) = value else {
      throw KioskProblem(400, "'\(name)' must be true or false")
    }
    return truth
  }

  mutating func string(_ name: String, limit: Int) throws(KioskProblem) -> String? {
    guard let value = members.removeValue(forKey: name) else { return nil }
    guard case .string(let text) = value, !text.isEmpty, text.unicodeScalars.count <= limit else {
      throw KioskProblem(400, "'\(name)' must be a string of 1 to \(limit) characters")
    }
    return text
  }

  /// Throws if members remain that no call has read.
  func finish() throws(KioskProblem) {
    guard let name = members.keys.sorted().first else { return }
    throw KioskProblem(400, "'\(name.prefix(40))' has no meaning here")
  }
}
