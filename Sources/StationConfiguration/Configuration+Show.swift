extension Configuration {
  /// The effective value of a key.
  public struct Setting: Sendable {
    /// The full name of the key.
    public var key: String
    /// The value as TOML, or `nil` when nothing is set.
    public var value: String?
    /// The origin of the value, or `nil` for the default.
    public var origin: Origin?
    /// The meaning of the key.
    public var summary: String
    /// The form of a value.
    public var form: String
    /// The service's default, if the value is a default that the service does not share, or `nil`.
    public var serviceDefault: String?
  }

  /// The effective values of all keys, in the order of ``ConfigurationKey/all``.
  public var settings: [Setting] {
    ConfigurationKey.all.flatMap { key in
      key.instances(self).map { names in
        let (value, origin) = (key.show(self, names), origins[key.name(names)])
        let differs = origin == nil && names.isEmpty && value != key.usualValue
        return Setting(
          key: key.name(names, quote: tomlKey), value: value, origin: origin,
          summary: key.summary, form: key.form, serviceDefault: differs ? key.usualValue : nil)
      }
    }
  }
}

/// Returns a key in TOML, in quotation marks unless it is a bare key.
package func tomlKey(_ name: String) -> String {
  let isPlain =
    !name.isEmpty
    && name.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == 0x2D || $0 == 0x5F
    }
  return isPlain ? name : tomlString(name)
}

extension Configuration {
  /// The effective configuration as a TOML file, with the meaning and the origin of each value.
  ///
  /// The file can be kept and changed. An unset key is a comment in it. A default that the service
  /// does not share is a comment, too, since the service would take it over as a setting.
  public var commented: String {
    var tables: [(name: String, settings: [(key: String, setting: Setting)])] = []
    for setting in settings {
      // Only a name chosen by the operator can be quoted, and such a name is never last.
      let dot = setting.key.lastIndex(of: ".") ?? setting.key.startIndex
      let (head, key) = (String(setting.key[..<dot]), String(setting.key[dot...].dropFirst()))
      // TOML allows each table once, and the settings of several cameras alternate in the list.
      if let index = tables.firstIndex(where: { $0.name == head }) {
        tables[index].settings.append((key, setting))
      } else {
        tables.append((head, [(key, setting)]))
      }
    }
    return tables.map { Configuration.lines(of: $0.name, $0.settings) }.joined(separator: "\n\n")
  }

  private static func lines(
    of table: String, _ settings: [(key: String, setting: Setting)]
  ) -> String {
    var lines = ["[\(table)]"]
    for (key, setting) in settings {
      lines.append("# \(setting.summary): \(setting.form)")
      let origin = setting.origin.map { "\($0)" } ?? "default"
      if let value = setting.value, let other = setting.serviceDefault {
        lines.append("#\(key) = \(value)  # default here; the service's is \(other)")
      } else if let value = setting.value {
        lines.append("\(key) = \(value)  # \(origin)")
      } else {
        lines.append("#\(key) =")
      }
    }
    return lines.joined(separator: "\n")
  }
}
