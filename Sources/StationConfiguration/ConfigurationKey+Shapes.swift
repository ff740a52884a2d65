// Forms that several keys share.
extension ConfigurationKey {
  /// Returns a key whose value is one of several words.
  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ field: WritableKeyPath<Configuration, Choice> & Sendable, form: String,
    summary: String
  ) -> ConfigurationKey {
    ConfigurationKey(name: name, form: form, summary: summary) {
      config, value, _ throws(Refusal) in
      config[keyPath: field] = try value.oneOf(Choice.self)
    } show: { config, _ in
      tomlString(config[keyPath: field].rawValue)
    }
  }

  /// Returns a key whose value is true or false.
  static func flag(
    _ name: String, _ field: WritableKeyPath<Configuration, Bool> & Sendable, summary: String
  ) -> ConfigurationKey {
    ConfigurationKey(name: name, form: "true or false", summary: summary) {
      config, value, _ throws(Refusal) in
      config[keyPath: field] = try value.boolean()
    } show: { config, _ in
      config[keyPath: field] ? "true" : "false"
    }
  }

  /// Returns a key whose value is a number of seconds.
  static func seconds(
    _ name: String, _ field: WritableKeyPath<Configuration, Duration> & Sendable,
    in range: ClosedRange<Double>, summary: String
  ) -> ConfigurationKey {
    let (low, high) = (tomlNumber(range.lowerBound), tomlNumber(range.upperBound))
    let form = "a number of seconds from \(low) to \(high)"
    return ConfigurationKey(name: name, form: form, summary: summary) {
      config, value, _ throws(Refusal) in
      config[keyPath: field] = try value.seconds(in: range)
    } show: { config, _ in
      tomlSeconds(config[keyPath: field])
    }
  }

  /// Returns a key whose value is a list of at most eight different directories.
  static func directories(
    _ name: String, _ field: WritableKeyPath<Configuration, [String]> & Sendable, form: String,
    summary: String
  ) -> ConfigurationKey {
    ConfigurationKey(name: name, form: form, summary: summary) {
      config, value, _ throws(Refusal) in
      let paths = try value.strings()
      for path in paths where !path.hasPrefix("/") || path.utf8.contains(0) {
        throw Refusal(reason: "must hold absolute paths, and \(tomlString(path)) is none")
      }
      guard Set(paths).count == paths.count, paths.count <= 8 else {
        throw Refusal(reason: "must name at most 8 directories, each once")
      }
      config[keyPath: field] = paths
    } show: { config, _ in
      "[" + config[keyPath: field].map(tomlString).joined(separator: ", ") + "]"
    }
  }

  /// Returns a key of a table for each named camera, button or lamp.
  static func item<Item: Sendable>(
    _ name: String, _ form: String, _ summary: String, new: Item,
    in things: WritableKeyPath<Configuration, [String: Item]> & Sendable,
    read: @escaping @Sendable (inout Item, TOMLValue) throws(Refusal) -> Void,
    show: @escaping @Sendable (Item) -> String?
  ) -> ConfigurationKey {
    var result = ConfigurationKey(name: name, form: form, summary: summary) {
      config, value, names throws(Refusal) in
      let name = names.first ?? ""
      try checkNames(config[keyPath: things].keys, name)
      try read(&config[keyPath: things][name, default: new], value)
    } show: { config, names in
      config[keyPath: things][names.first ?? ""].flatMap(show)
    }
    result.instances = { $0[keyPath: things].keys.sorted().map { [$0] } }
    return result
  }

  /// The maximum number of named cameras, buttons or lamps.
  static let mostNames = 64

  /// Throws when the name is too long, or when a new name would be one too many.
  static func checkNames<Names: Collection<String>>(
    _ known: Names, _ name: String
  ) throws(Refusal) {
    guard name.utf8.count <= 64 else {
      throw Refusal(reason: "has a name of more than 64 bytes; take a shorter one")
    }
    guard known.count < mostNames || known.contains(name) else {
      throw Refusal(reason: "is one too many: at most \(mostNames) have names; take some away")
    }
  }
}
