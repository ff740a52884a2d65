extension Configuration {
  /// One effective value.
  public struct Setting: Sendable {
    /// The key's full name.
    public var key: String
    /// The value as TOML; nil when nothing is set.
    public var value: String?
    /// Where it came from; nil: the default.
    public var origin: Origin?
    /// What it decides.
    public var summary: String
    /// What a value looks like.
    public var form: String
  }

  /// The names that stand for the `*` of a key.
  private func instances(of key: ConfigurationKey) -> [String] {
    switch key.name.split(separator: ".").first {
    case "cameras": cameras.keys.sorted()
    case "buttons": buttons.keys.sorted()
    case "lamps": lamps.keys.sorted()
    default: [""]
    }
  }

  /// Every key with its effective value, in the order of ``ConfigurationKey/all``.
  public var settings: [Setting] {
    ConfigurationKey.all.flatMap { key -> [Setting] in
      let instances = instances(of: key)
      return instances.map { instance in
        let parts = key.name.split(separator: ".").map {
          $0 == "*" ? tomlKey(instance) : String($0)
        }
        let plain = key.name.split(separator: ".").map { $0 == "*" ? instance : String($0) }
        return Setting(
          key: parts.joined(separator: "."), value: key.show(self, instance),
          origin: origins[plain.joined(separator: ".")], summary: key.summary, form: key.form)
      }
    }
  }
}

/// A key as TOML wants it: quoted unless it is plain.
func tomlKey(_ name: String) -> String {
  let isPlain =
    !name.isEmpty
    && name.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == 0x2D || $0 == 0x5F
    }
  return isPlain ? name : tomlString(name)
}

extension Configuration {
  /// The effective configuration as a TOML file, each value with its meaning and origin.
  ///
  /// What is not set stands there as a comment, so that the file can be kept and changed.
  public var commented: String {
    var lines: [String] = []
    var table = ""
    for setting in settings {
      // Only a chosen name can be quoted, and it is never last.
      let dot = setting.key.lastIndex(of: ".") ?? setting.key.startIndex
      let (head, key) = (String(setting.key[..<dot]), String(setting.key[dot...].dropFirst()))
      if head != table {
        table = head
        if !lines.isEmpty { lines.append("") }
        lines.append("[\(table)]")
      }
      lines.append("# \(setting.summary): \(setting.form)")
      let origin = setting.origin.map { "\($0)" } ?? "default"
      if let value = setting.value {
        lines.append("\(key) = \(value)  # \(origin)")
      } else {
        lines.append("#\(key) =")
      }
    }
    return lines.joined(separator: "\n")
  }
}
