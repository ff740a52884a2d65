import Glibc
import PhotoLibrary
import Platform

extension Configuration {
  /// The file that is read when the caller names no other.
  public static let defaultFile = "/etc/retake/retake.toml"

  /// Reads the configuration.
  ///
  /// - Parameters:
  ///   - file: The file to read, which must exist. `nil` stands for ``defaultFile`` if it exists,
  ///     and for the defaults otherwise.
  ///   - environment: The environment with the user's directories. Default: the process's.
  /// - Returns: The effective configuration.
  /// - Throws: ``ConfigurationError`` with file, line and column.
  public static func load(
    from file: String? = nil, environment: [String: String]? = nil
  ) throws(ConfigurationError) -> Configuration {
    try read(from: file, environment).withStartedAlbum
  }

  /// Reads the configuration for a command that works on the library, as the library's owner.
  ///
  /// If root runs the process, the process becomes the owner of the library.
  ///
  /// With `mayReturn`, files that root named can still be written as root, by `RaisedSystemCalls`.
  /// With `waits`, an unknown owner of the library is no error, since `Station` checks the owner
  /// again.
  ///
  /// The result tells as well whether the user changed. Throws ``ConfigurationError`` or
  /// `LibraryError`.
  public static func loadAsOwner(
    from file: String? = nil, mayReturn: Bool = false, waits: Bool = false
  ) throws -> (configuration: Configuration, isOwner: Bool) {
    let configuration = try read(from: file, nil)
    do throws(LibraryError) {
      // Even the name of the album is read only after root has become the owner.
      let isOwner = try LibraryOwner.become(of: configuration.libraryPath, mayReturn: mayReturn)
      return (configuration.withStartedAlbum, isOwner)
    } catch {
      guard waits else { throw error }
      return (configuration, false)
    }
  }

  // Reads the configuration without the album that the library's file names.
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
      // A service has no command line that its operator could change, so the advice is left out.
      let advice = file == nil ? "" : "; name another file with --config"
      throw ConfigurationError(file: path, message: "\(problem)\(advice)")
    }
  }

  /// The configuration in effect when no file exists.
  public static var defaults: Configuration {
    Configuration(environment: processEnvironment(), isService: isService())
  }

  /// Returns whether the defaults are those of the service.
  ///
  /// systemd sets `STATE_DIRECTORY` for every service with a state directory. Root gets the
  /// service's defaults where the service's directory exists, so that `sudo retake photos list`
  /// lists the service's photos.
  public static func isService(_ environment: [String: String]? = nil) -> Bool {
    (environment ?? processEnvironment())["STATE_DIRECTORY"] != nil
      || (isStartedByRoot && access(serviceDirectory, F_OK) == 0)
  }

  // The value is stored, since root may become the library's owner later.
  private static let isStartedByRoot = geteuid() == 0

  /// The state directory of the service.
  static let serviceDirectory = "/var/lib/retake"

  /// Returns these settings, overridden by those of `text`, which is TOML.
  public func reading(_ text: String, file: String) throws(ConfigurationError) -> Configuration {
    try reading(Array(text.utf8), file: file)
  }

  /// Returns these settings, overridden by those of a file's bytes.
  ///
  /// The bytes may be arbitrary. Bytes that are not UTF-8, too large or too deeply nested are
  /// refused before they are parsed.
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

  /// Sets a key to the argument of a command-line option.
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
    // An empty table with a known name is no mistake.
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
    // Names chosen by the operator are never corrected, so they are copied into the known keys.
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
  /// Returns the tables, as words, that hold the last of `keys`, which stands in another table.
  ///
  /// Returns `nil` when no table has such a key, or when the table in `keys` does not exist. In
  /// these cases the mistake is a different one.
  fileprivate static func tables(ofMisplaced keys: [String]) -> String? {
    guard keys.count > 1, let word = keys.last,
      all.contains(where: { isPrefix(Array(keys.dropLast()), of: $0.name) })
    else { return nil }
    let tables = all.compactMap { key -> String? in
      key.lastWord == word ? "[\(key.openTable)]" : nil
    }
    return tables.isEmpty ? nil : tables.joined(separator: " or ")
  }

  /// Returns whether `keys` names a table that holds the key `name`.
  static func isPrefix(_ keys: [String], of name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard keys.count < parts.count else { return false }
    return zip(keys, parts).allSatisfy { key, part in part == "*" || key == part }
  }
}

/// Returns the variables of the process's environment that the configuration uses.
package func processEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  for name in ["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "STATE_DIRECTORY"] {
    if let value = getenv(name) { result[name] = String(cString: value) }
  }
  return result
}

/// Reads all bytes of an open file; throws when there are more than `limit`.
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
  /// Returns the message for a table that is in the text twice, or `nil` for another error.
  fileprivate func twice(_ error: TOMLDocument.ParseError) -> String? {
    // The text is split into lines in the same way as by the parser.
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(error.line - 1), let table = lines[error.line - 1].table,
      let first = lines.prefix(error.line - 1).firstIndex(where: { $0.table == table })
    else { return nil }
    return
      "\(table) is in the file already, in line \(first + 1); put these lines there, below it, "
      + "and take this \(table) away"
  }
}

extension Substring {
  /// The head of a table in this line, such as `[camera]`; nil for a line of another kind.
  fileprivate var table: String? {
    let text = filter { $0 != " " && $0 != "\t" && $0 != "\r" }.prefix { $0 != "#" }
    let isTable = text.hasPrefix("[") && !text.hasPrefix("[[") && text.hasSuffix("]")
    return isTable ? String(text) : nil
  }
}
