extension Configuration {
  /// Throws where a directory for copies is the library, holds it, or is inside of it.
  ///
  /// By the paths alone: what links and mounts make of them is seen when copies are made, for no
  /// disk is touched here.
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

  // Without what says nothing; names as bytes, as the kernel has them.
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
