extension TOMLValue {
  func string() throws(ConfigurationKey.Refusal) -> String {
    guard case .string(let text) = content else { throw wrongType("a string") }
    return text
  }

  func strings() throws(ConfigurationKey.Refusal) -> [String] {
    guard case .strings(let list) = content else { throw wrongType("a list of strings") }
    return list
  }

  func number() throws(ConfigurationKey.Refusal) -> Double {
    switch content {
    case .integer(let value): return Double(value)
    case .number(let value) where value.isFinite: return value
    default: throw wrongType("a number")
    }
  }

  func boolean() throws(ConfigurationKey.Refusal) -> Bool {
    guard case .boolean(let value) = content else { throw wrongType("true or false") }
    return value
  }

  /// Returns a number of seconds in `range`, rounded to milliseconds.
  func seconds(in range: ClosedRange<Double>) throws(ConfigurationKey.Refusal) -> Duration {
    let value = try number()
    guard range.contains(value) else {
      let (low, high) = (tomlNumber(range.lowerBound), tomlNumber(range.upperBound))
      throw ConfigurationKey.Refusal(reason: "must be from \(low) to \(high) seconds")
    }
    return .milliseconds(Int64((value * 1000).rounded()))
  }

  func absolutePath() throws(ConfigurationKey.Refusal) -> String {
    let path = try string()
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw ConfigurationKey.Refusal(reason: "must be an absolute path, one that starts with '/'")
    }
    return path
  }

  func oneOf<Choice: RawRepresentable<String> & CaseIterable>(
    _: Choice.Type
  ) throws(ConfigurationKey.Refusal) -> Choice {
    let text = try string()
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map { tomlString($0.rawValue) }
      throw ConfigurationKey.Refusal(
        reason: "must be \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
    }
    return choice
  }

  /// Returns a number of bytes, from an integer or a string with a unit (`MB`: 1000², `MiB`:
  /// 1024²).
  func bytes() throws(ConfigurationKey.Refusal) -> Int64 {
    if case .integer(let value) = content, value >= 0 { return value }
    let refusal = ConfigurationKey.Refusal(
      reason: #"must be a number of bytes, or a string such as "200 MB""#)
    guard case .string(let text) = content else { throw refusal }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    let units: [String: Double] = [
      "": 1, "B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 1024,
      "MiB": 1_048_576, "GiB": 1_073_741_824,
    ]
    guard let number = Double(digits), let factor = units[String(unit)], number * factor < 9e18
    else { throw refusal }
    return Int64(number * factor)
  }

  private func wrongType(_ wanted: String) -> ConfigurationKey.Refusal {
    ConfigurationKey.Refusal(reason: "must be \(wanted), and is \(kind)")
  }
}

/// Returns `text` as a TOML basic string.
package func tomlString(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    case _ where scalar.properties.generalCategory == .control:
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// Returns a number as TOML, without a fraction of zero.
package func tomlNumber(_ value: Double) -> String {
  value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
}

/// Returns a duration as a number of seconds in TOML.
package func tomlSeconds(_ duration: Duration) -> String {
  tomlNumber(Double(duration.nanoseconds) / 1e9)
}
