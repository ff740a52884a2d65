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
    /// The service's default where this is a default and the service has another one; else nil.
    public var serviceDefault: String?
  }

  /// Every key with its effective value, in the order of ``ConfigurationKey/all``.
  public var settings: [Setting] {
    ConfigurationKey.all.flatMap { key in
      key.instances(self).map { names in
        let (value, origin) = (key.show(self, names), origins[key.name(names)])
        let differs = origin == nil && names.isEmpty && value != key.defaultValue
        return Setting(
          key: key.name(names, quote: tomlKey), value: value, origin: origin,
          summary: key.summary, form: key.form, serviceDefault: differs ? key.defaultValue : nil)
      }
    }
  }
}

/// A key as TOML wants it: quoted unless it is plain.
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
  /// The effective configuration as a TOML file, each value with its meaning and origin.
  ///
  /// What is not set stands there as a comment, so that the file can be kept and changed. So does a
  /// default that the service does not share: as a setting it would be the service's, too.
  public var commented: String {
    var tables: [(name: String, settings: [(key: String, setting: Setting)])] = []
    for setting in settings {
      // Only a chosen name can be quoted, and it is never last.
      let dot = setting.key.lastIndex(of: ".") ?? setting.key.startIndex
      let (head, key) = (String(setting.key[..<dot]), String(setting.key[dot...].dropFirst()))
      // A table may appear once only, and cameras take turns in the list of settings.
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
      } else if setting.origin != nil {
        lines.append("#\(key) = (set, not shown)  # \(origin)")
      } else {
        lines.append("#\(key) =")
      }
    }
    return lines.joined(separator: "\n")
  }
}
