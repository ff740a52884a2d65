import Glibc
import PhotoLibrary
import Platform

extension Configuration {
  /// Where the service's configuration is, and everybody's who names no other.
  public static let defaultFile = "/etc/retake/retake.toml"

  /// Reads the configuration.
  ///
  /// - Parameters:
  ///   - file: The file to read; it must exist. Nil: ``defaultFile`` if there is one, else the
  ///     defaults.
  ///   - environment: Where a person's own directories are. Default: the process's.
  /// - Returns: The effective configuration.
  /// - Throws: ``ConfigurationError`` with file, line and column.
  public static func load(
    from file: String? = nil, environment: [String: String]? = nil
  ) throws(ConfigurationError) -> Configuration {
    try read(from: file, environment).withStartedAlbum
  }

  /// Reads the configuration for a command that works on its library, and makes the process the
  /// library's owner if root runs it.
  ///
  /// With `mayReturn` files that root named can still be written as root, by `RaisedSystemCalls`.
  /// Returns as well whether the user changed. Throws ``ConfigurationError`` or `LibraryError`; with
  /// `waits` a library whose owner cannot be told is left to `Station`, which checks it again.
  public static func loadAsOwner(
    from file: String? = nil, mayReturn: Bool = false, waits: Bool = false
  ) throws -> (configuration: Configuration, isOwner: Bool) {
    let configuration = try read(from: file, nil)
    do throws(LibraryError) {
      // Not even the name of the album is read as root.
      let isOwner = try LibraryOwner.become(of: configuration.libraryPath, mayReturn: mayReturn)
      return (configuration.withStartedAlbum, isOwner)
    } catch {
      guard waits else { throw error }
      return (configuration, false)
    }
  }

  // Without what the library says.
  private static func read(
    from file: String?, _ environment: [String: String]?
  ) throws(ConfigurationError) -> Configuration {
    let environment = environment ?? processEnvironment()
    let defaults = Configuration(environment: environment, isService: isService(environment))
    let path = file ?? defaultFile
    switch ConfigurationFile.read(path) {
    case .success(let bytes): return try defaults.reading(bytes, file: path)
    case .failure(.missing) where file == nil: return defaults
    case .failure(let problem):
      // Whoever looks after a service has no command line to change.
      let advice = file == nil ? "" : "; name another file with --config"
      throw ConfigurationError(file: path, message: "\(problem)\(advice)")
    }
  }

  /// What is in effect without any file.
  public static var defaults: Configuration {
    Configuration(environment: processEnvironment(), isService: isService())
  }

  /// Whether the defaults are the service's.
  ///
  /// systemd sets the variable for every service that has a state directory. Root looks after the
  /// service where there is one: `sudo retake photos list` is about its photos.
  public static func isService(_ environment: [String: String]? = nil) -> Bool {
    (environment ?? processEnvironment())["STATE_DIRECTORY"] != nil
      || (isStartedByRoot && access(serviceDirectory, F_OK) == 0)
  }

  // As it was at first: root may have become the library's owner since.
  private static let isStartedByRoot = geteuid() == 0

  /// The service's own directory.
  static let serviceDirectory = "/var/lib/retake"

  /// These settings with those of `text`, which is TOML, on top.
  public func reading(_ text: String, file: String) throws(ConfigurationError) -> Configuration {
    try reading(Array(text.utf8), file: file)
  }

  /// These settings with those of a file's bytes on top.
  ///
  /// Any bytes may be given: what is not UTF-8, too large or too deep is refused before it is parsed.
  public func reading(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> Configuration {
    guard bytes.count <= ConfigurationFile.limit else {
      throw ConfigurationError(file: file, message: "\(ConfigurationFile.Problem.tooLarge)")
    }
    let document: TOMLDocument
    do {
      document = try TOMLDocument(bytes: bytes)
    } catch {
      let words = error.isSyntax ? "invalid TOML: \(error.message)" : error.message
      throw ConfigurationError(
        file: file, line: error.line, column: error.column,
        message: String(decoding: bytes, as: UTF8.self).twice(error) ?? words)
    }
    var result = self
    for value in document.values {
      try result.set(value, file: file)
    }
    try result.check(file: file)
    return result
  }

  /// Sets a key from the words of a command line's option.
  public mutating func set(
    _ name: String, to text: String, option: String
  ) throws(ConfigurationError) {
    let keys = name.split(separator: ".").map(String.init)
    let content = Int64(text).map(TOMLValue.Content.integer) ?? .string(text)
    let value = TOMLValue(keys: keys, content: content, line: 0, column: 0)
    for key in ConfigurationKey.all {
      guard let instance = key.match(keys) else { continue }
      do {
        try key.read(&self, value, instance)
      } catch {
        throw ConfigurationError(message: "'\(option)' \(error.reason), and is '\(text)'")
      }
      origins[name] = .option(option)
      return
    }
    preconditionFailure("there is no key \(name)")
  }

  private mutating func set(_ value: TOMLValue, file: String) throws(ConfigurationError) {
    func problem(_ message: String) -> ConfigurationError {
      ConfigurationError(file: file, line: value.line, column: value.column, message: message)
    }
    for key in ConfigurationKey.all {
      guard let names = key.match(value.keys) else { continue }
      do {
        try key.read(&self, value, names)
      } catch {
        throw problem("'\(value.name)' \(error.reason)")
      }
      origins[value.name] = .file(file, line: value.line)
      return
    }
    // An empty table of a known name is no mistake.
    if value.content == .other,
      ConfigurationKey.all.contains(where: { ConfigurationKey.isPrefix(value.keys, of: $0.name) })
    {
      return
    }
    if let tables = ConfigurationKey.tables(ofMisplaced: value.keys) {
      throw problem(
        "there is no key '\(value.name)'; '\(value.keys.last ?? "")' belongs below \(tables): take "
          + "the '#' before that line away, or put the key there")
    }
    // A chosen name is none to correct, so the known keys take it over from the file.
    let known = ConfigurationKey.all.map { key in
      let parts = key.name.split(separator: ".").map(String.init)
      return zip(parts, parts.indices).map { part, index in
        part == "*" && index < value.keys.count ? value.keys[index] : part
      }.joined(separator: ".")
    }.filter { !$0.contains("*") }
    if let nearest = nearestName(to: value.name, among: known) {
      throw problem("there is no key '\(value.name)'; the nearest is '\(nearest)'")
    }
    throw problem("there is no key '\(value.name)'; 'retake config' lists those there are")
  }
}

extension ConfigurationKey {
  /// The tables, as words, that have the last of `keys`, which stands in a table that has not.
  ///
  /// Nil where no table has such a key, or where the one that `keys` names does not exist: then the
  /// mistake is another.
  fileprivate static func tables(ofMisplaced keys: [String]) -> String? {
    guard keys.count > 1, let word = keys.last,
      all.contains(where: { isPrefix(Array(keys.dropLast()), of: $0.name) })
    else { return nil }
    let tables = all.compactMap { key -> String? in
      key.lastWord == word ? "[\(key.openTable)]" : nil
    }
    return tables.isEmpty ? nil : tables.joined(separator: " or ")
  }

  /// Whether `keys` names a table that holds the key `name`.
  static func isPrefix(_ keys: [String], of name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard keys.count < parts.count else { return false }
    return zip(keys, parts).allSatisfy { key, part in part == "*" || key == part }
  }
}

/// The process's environment.
package func processEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  for name in ["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "STATE_DIRECTORY"] {
    if let value = getenv(name) { result[name] = String(cString: value) }
  }
  return result
}

/// All bytes of an open file; throws where there are more than `limit`.
package func readBytes(
  _ file: borrowing Descriptor, _ path: String, limit: Int
) throws(SystemError) -> [UInt8] {
  let (number, system) = (file.number, file.system)
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = system.retrying { system in
      buffer.withUnsafeMutableBytes { system.read(number, $0) }
    }
    try system.check(count, "read", path)
    if count == 0 { return bytes }
    bytes.append(contentsOf: buffer.prefix(count))
    guard bytes.count <= limit else { throw SystemError(errno: EFBIG, call: "read", path: path) }
  }
}

extension String {
  /// What is to be said of a table that is in the text a second time; nil: the mistake is another.
  fileprivate func twice(_ error: TOMLDocument.ParseError) -> String? {
    let sign = "cannot redefine existing table '"
    guard let range = error.message.firstRange(of: sign) else { return nil }
    let name = error.message[range.upperBound...].prefix { $0 != "'" }
    // Lines as the parser counts them.
    let lines = split(separator: "\n", omittingEmptySubsequences: false).prefix(
      max(0, error.line - 1))
    let first = lines.firstIndex { line in
      line.filter { $0 != " " && $0 != "\t" && $0 != "\r" }
        .prefix { $0 != "#" } == "[\(name)]"
    }
    return first.map {
      "[\(name)] is in the file already, in line \($0 + 1); put these lines there, below it, and "
        + "take this [\(name)] away"
    }
  }
}
