import Platform

extension CameraList {
  /// Finds the camera that a name refers to.
  ///
  /// A name of a port or a link of the owner's is looked up each time. Any other name is looked up
  /// once; later calls pass the result as `known` and find that camera by its identity. If two
  /// cameras share a serial number, the port decides, and with `hasTwin` a camera at another port
  /// is not accepted as `known`.
  func find(
    _ name: CameraName, known: CameraIdentity?, hasTwin: Bool = false
  ) throws(CaptureError) -> CameraIdentity {
    let entries = entries()
    switch name {
    case .device(let text):
      if let path = place(text, entries, known) {
        return try atPlace(path, entries, known, hasTwin: hasTwin)
      }
      if let known {
        if let entry = match(known, entries, hasTwin: hasTwin) { return try entry.usable() }
        throw absent(name, known, entries)
      }
      if let entry = named(text, entries) { return try entry.usable() }
      return try byPath(text, entries)
    case .best, .demo, .clip:
      if let known, let entry = match(known, entries, hasTwin: false) { return try entry.usable() }
      if let entry = entries.first(where: { $0.isUsable }) { return entry.identity }
      if let error = entries.first?.error { throw error }
      throw absent(name)
    }
  }

  /// Returns the path for the name of a port or for a link of the owner's, or nil for names of
  /// cameras and of nodes.
  private func place(
    _ text: String, _ entries: [CameraEntry], _ known: CameraIdentity?
  ) -> String? {
    guard text.hasPrefix("/") else {
      let path = "\(CameraList.ports)/\(text)"
      let isPort = (entries.map(\.identity) + (known.map { [$0] } ?? [])).contains {
        $0.ports.contains(path)
      }
      return isPort ? path : nil
    }
    let isNode = text.hasPrefix("/dev/video") && text.dropFirst(10).allSatisfy(\.isNumber)
    return isNode || text.hasPrefix(CameraList.names + "/") ? nil : text
  }

  private func atPlace(
    _ path: String, _ entries: [CameraEntry], _ known: CameraIdentity?, hasTwin: Bool
  ) throws(CaptureError) -> CameraIdentity {
    let node = target(of: path)
    if let entry = entries.first(where: { $0.identity.path == node }) { return try entry.usable() }
    // A link of the owner's may point to a node number that the camera no longer has.
    let isPort = path.hasPrefix(CameraList.ports + "/")
    if !isPort, let known, let entry = match(known, entries, hasTwin: hasTwin) {
      return try entry.usable()
    }
    return try byPath(path, entries)
  }

  /// Returns the end of a chain of links, or the path itself if it is no link.
  private func target(of path: String) -> String {
    var path = path
    // The limit is that of the kernel.
    for _ in 0..<40 {
      guard case .success(let target) = system.readlink(path) else { break }
      var parts = target.hasPrefix("/") ? [] : path.split(separator: "/").dropLast()
      for part in target.split(separator: "/") where part != "." {
        if part == ".." { _ = parts.popLast() } else { parts.append(part) }
      }
      path = "/" + parts.joined(separator: "/")
    }
    return path
  }

  /// Returns the camera with that name; among several with the same serial number, this is the one
  /// at the first port, even if the system's link leads to another.
  private func named(_ text: String, _ entries: [CameraEntry]) -> CameraEntry? {
    if let node = entries.first(where: { $0.identity.path == text }) { return node }
    let link = "\(CameraList.names)/\(text)"
    let named = entries.first {
      let identity = $0.identity
      return identity.key == text || identity.links.contains(text)
        || identity.links.contains(link)
    }
    guard let named, !named.identity.twins.isEmpty else { return named }
    return entries.filter { $0.identity.key == named.identity.key }
      .min { isBefore($0.identity.bus, $1.identity.bus) }
  }

  // Port 2 sorts before port 10.
  private func isBefore(_ lhs: String, _ rhs: String) -> Bool {
    (lhs.utf8.count, lhs) < (rhs.utf8.count, rhs)
  }

  private func match(
    _ known: CameraIdentity, _ entries: [CameraEntry], hasTwin: Bool
  ) -> CameraEntry? {
    let same = entries.filter { $0.identity.key == known.key }
    // An entry that cannot be opened has no port to compare.
    if let here = same.first(where: { $0.identity.bus == known.bus || $0.identity.bus.isEmpty }) {
      return here
    }
    if !same.isEmpty { return hasTwin || same.count > 1 ? nil : same.first }
    // A camera without a serial number may be in another port now; it is accepted if only one is
    // alike.
    guard !known.vendor.isEmpty, known.serial.isEmpty else { return nil }
    let alike = entries.filter {
      $0.identity.vendor == known.vendor && $0.identity.product == known.product
        && $0.identity.index == known.index
    }
    return alike.count == 1 ? alike.first : nil
  }

  // The path is a link of the user's, or a node that is no camera, which the error should name.
  private func byPath(
    _ path: String, _ entries: [CameraEntry]
  ) throws(CaptureError) -> CameraIdentity {
    guard path.hasPrefix("/") else { throw absent(.device(path)) }
    do {
      let device = try VideoDevice(opening: path, system: system, holders: holders)
      guard device.capability.isCamera else { throw CaptureError.notCamera(path) }
      let made = CameraIdentity(
        name: device.capability.card, driver: device.capability.driver,
        bus: device.capability.bus, path: path)
      // The camera was reached by a path that only the kernel resolves, such as a linked folder.
      let same = entries.filter {
        $0.identity.bus == made.bus && $0.identity.driver == made.driver
          && $0.identity.name == made.name
      }
      return same.count == 1 ? same.first?.identity ?? made : made
    } catch let error as SystemError {
      throw error.openingError(path, holders)
    } catch let error as CaptureError {
      throw error
    } catch {
      throw absent(.device(path))
    }
  }

  private func absent(_ name: CameraName) -> CaptureError {
    if case .device(let text) = name {
      return CaptureError(
        .noCamera,
        "there is no camera \(text)",
        fix: "plug it in, or choose one that 'retake cameras' lists")
    }
    return CaptureError(
      .noCamera, "there is no camera; plug one in, or name the built-in one, \"demo\"")
  }

  /// Returns the error for an absent `known`, which differs if another camera with its serial
  /// number is connected.
  private func absent(
    _ name: CameraName, _ known: CameraIdentity, _ entries: [CameraEntry]
  ) -> CaptureError {
    guard let other = entries.first(where: { $0.identity.key == known.key }) else {
      return absent(name)
    }
    return CameraList.otherTwin(known, other.identity)
  }

  /// Returns the error for a connected camera that has the serial number of `known` but is another.
  static func otherTwin(_ known: CameraIdentity, _ other: CameraIdentity) -> CaptureError {
    CaptureError(
      .noCamera,
      "the camera at \(known.bus) is away; the one at \(other.bus) has its serial number "
        + "and is another",
      fix: "plug it in again, or set 'camera.device' to \(other.uniqueName)")
  }
}
