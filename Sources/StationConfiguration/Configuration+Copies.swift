extension Configuration {
  /// Throws when a directory for copies is the library, contains it, or lies inside it.
  ///
  /// Only the paths are compared. Links and mounts are resolved when copies are made, since this
  /// check touches no disk.
  func checkCopies(file: String?) throws(ConfigurationError) {
    let library = Configuration.parts(libraryPath)
    for path in copies {
      let copy = Configuration.parts(path)
      let relation: String
      if copy == library {
        relation = "is the library itself"
      } else if library.starts(with: copy) {
        relation = "holds the library"
      } else if copy.starts(with: library) {
        relation = "is inside of the library"
      } else {
        continue
      }
      throw ConfigurationError(
        file: file, line: line(of: "copy.to"),
        message: "'copy.to' names \(tomlString(path)), which \(relation) "
          + "(\(tomlString(libraryPath))), and nothing there would be a copy; name a directory on "
          + "another disk")
    }
  }

  // Resolves `.` and `..` in a path; the names are bytes, as in the kernel.
  private static func parts(_ path: String) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
      let name = Array(part)
      switch name {
      case [0x2E]: break
      case [0x2E, 0x2E]: _ = parts.popLast()
      default: parts.append(name)
      }
    }
    return parts
  }
}
