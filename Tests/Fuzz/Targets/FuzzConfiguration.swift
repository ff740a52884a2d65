import Station

/// Reads any bytes as a configuration and passes the result to the station's parts; traps if a
/// refusal has no place or contains control characters, or if the shown text cannot be read again.
public func fuzzConfiguration(_ bytes: UnsafeRawBufferPointer) {
  let defaults = Configuration(environment: ["HOME": "/home/guest"])
  let read: Configuration
  do {
    read = try defaults.reading(Array(bytes), file: "f.toml")
  } catch {
    let words = error.description
    precondition(words.hasPrefix("f.toml:") && words.utf8.count < 20_000)
    precondition(!words.unicodeScalars.contains { $0.properties.generalCategory == .control })
    precondition((error.line ?? 1) >= 1 && (error.column ?? 1) >= 1)
    return
  }
  read.rehearse()
  guard let again = try? defaults.reading(read.commented, file: "f.toml") else {
    preconditionFailure("what is shown cannot be read")
  }
  precondition(again.settings.map(\.value) == read.settings.map(\.value))
}
