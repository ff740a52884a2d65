import Capture
import KioskServer

extension Configuration {
  /// Checks the keys together, for faults that no single key can show.
  ///
  /// Every check that needs no disk, no device and no network is made here or by a key, so
  /// `retake config` refuses everything that `retake run` would refuse. Reading a file ends with
  /// this check, and a station's start begins with it.
  package func check(file: String? = nil) throws(ConfigurationError) {
    try checkTriggers(file: file)
    try checkCopies(file: file)
    try checkCameras(file: file)
    try checkWeb(file: file)
  }

  /// Returns the line of a key in its file, or `nil` when no file sets the key.
  func line(of key: String) -> Int? {
    guard case .file(_, let line) = origins[key] else { return nil }
    return line
  }

  private func checkCameras(file: String?) throws(ConfigurationError) {
    let named = cameras.sorted { $0.key < $1.key }.map { ("cameras.\($0.key)", $0.value) }
    let tables = [("camera", camera)] + named
    for (table, camera) in tables {
      if let format = camera.format, !ModeChoice.isUsable(format) {
        throw ConfigurationError(
          file: file, line: line(of: "\(table).format"),
          message: "'\(table).format' is \(tomlString("\(format)")), of which no pictures can be "
            + "made; leave it out, or name a format that 'retake cameras' lists")
      }
      if let size = camera.size, !size.isCameraSize {
        throw ConfigurationError(
          file: file, line: line(of: "\(table).size"),
          message: "'\(table).size' is \(tomlString("\(size)")), which no camera can be asked for; "
            + "leave it out, or name a size that 'retake cameras' lists")
      }
    }
  }

  private func checkWeb(file: String?) throws(ConfigurationError) {
    do throws(KioskError) {
      try web.server?.check("'web.listen'")
    } catch {
      throw ConfigurationError(
        file: file, line: line(of: "web.listen"), message: error.operatorMessage)
    }
    // A directory of the operator may add languages to the page.
    guard web.directory == nil, web.language != "auto" else { return }
    let known = KioskConfiguration.languages
    let code = web.language.lowercased().prefix { $0 != "-" && $0 != "_" }
    guard !known.contains(String(code)) else { return }
    let words = known.map(tomlString).joined(separator: ", ")
    throw ConfigurationError(
      file: file, line: line(of: "web.language"),
      message: "'web.language' is \(tomlString(web.language)), and the page speaks \(words); name "
        + "one of these, or \"auto\"")
  }
}
