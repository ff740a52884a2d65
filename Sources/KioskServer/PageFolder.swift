import CLinux
import Glibc
import Platform

/// One file of the page.
struct PageAsset: Sendable {
  var name: String
  var type: String
  var tag: String
  var body: HTTPResponse.Body
}

extension PageAsset {
  /// Returns the media type of a file's name; nil for a kind that no page has.
  static func type(of name: String) -> String? {
    switch name.split(separator: ".").last?.lowercased() {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "json", "webmanifest": "application/json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "webp": "image/webp"
    case "ico": "image/x-icon"
    case "woff2": "font/woff2"
    case "wav": "audio/wav"
    case "mp3": "audio/mpeg"
    case "ogg": "audio/ogg"
    case "txt": "text/plain; charset=utf-8"
    case "yaml": "application/yaml"
    default: nil
    }
  }

  /// Returns whether every part of a path is a name that a page's file may have.
  static func isName(_ parts: [String]) -> Bool {
    (1...4).contains(parts.count)
      && parts.allSatisfy { part in
        !part.isEmpty && !part.hasPrefix(".") && part.utf8.count <= 100
          && part.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
              || (0x61...0x7A).contains($0) || [0x2D, 0x2E, 0x5F].contains($0)
          }
      }
  }

  /// Returns the built-in file of that name.
  static func builtIn(_ name: String) -> PageAsset? {
    guard let index = PageAssets.all.firstIndex(where: { $0.name == name }),
      let type = type(of: name)
    else { return nil }
    let asset = PageAssets.all[index]
    return PageAsset(name: name, type: type, tag: asset.tag, body: .literal(asset.text))
  }
}

/// An operator's own page: files in a directory, read again for each request.
struct PageFolder: Sendable {
  let path: String
  let system: any SystemCalls
  private let media: DiskWorkers
  static let largest = 16 << 20

  init(_ path: String, media: DiskWorkers, system: any SystemCalls) {
    self.path = path
    self.media = media
    self.system = SteppedSystemCalls(system)
  }

  /// Returns the file of that name; nil if there is none.
  ///
  /// Blocks on the directory's disk, and throws if it does not answer in time. Links are not
  /// followed, so that no file outside is served.
  func asset(_ parts: [String]) throws(MediumSilence) -> PageAsset? {
    try media.worker("page", for: path).run(media.reading) { [self] _ in find(parts) }
  }

  private func find(_ parts: [String]) -> PageAsset? {
    guard PageAsset.isName(parts), let type = PageAsset.type(of: parts.last ?? "") else {
      return nil
    }
    do throws(SystemError) {
      let folder = try Descriptor(
        opening: path, flags: clinux_o_directory | clinux_o_path, system: system)
      let file = try open(parts[...], in: folder)
      var status = stat()
      try system.check(system.fstat(file.number, &status), "fstat")
      guard status.st_mode & 0o170000 == 0o100000, status.st_size <= Self.largest else {
        return nil
      }
      let tag =
        "\"\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)\""
      let bytes = try read(file, count: Int(status.st_size))
      return PageAsset(
        name: parts.joined(separator: "/"), type: type, tag: tag, body: .bytes(bytes))
    } catch {
      return nil
    }
  }

  // Recursion opens one folder after the other, because Swift 6.0 crashes on noncopyable variables
  // that loops replace.
  private func open(
    _ parts: ArraySlice<String>, in folder: borrowing Descriptor
  ) throws(SystemError) -> Descriptor {
    let name = parts.first ?? ""
    if parts.count <= 1 {
      let flags = O_RDONLY | clinux_o_nofollow | clinux_o_nonblock
      let number = try system.check(system.openat(folder.number, name, flags, 0), "open")
      return Descriptor(owning: number, system: system)
    }
    let flags = clinux_o_directory | clinux_o_path | clinux_o_nofollow
    let number = system.openat(folder.number, name, flags, 0)
    let inner = Descriptor(owning: try system.check(number, "open", name), system: system)
    return try open(parts.dropFirst(), in: inner)
  }

  private func read(_ file: borrowing Descriptor, count: Int) throws(SystemError) -> [UInt8] {
    let (number, system) = (file.number, system)
    return try system.readAll(number, limit: count)
  }
}
