import Platform

extension CameraList {
  /// Finds the camera that a name means.
  ///
  /// A port and a link of the owner's own are looked up each time. Any other name is looked up
  /// once, and `known` says what was found: from then on it is that camera, by its identity. Two
  /// cameras may share one serial number; then the port decides, and with `hasTwin` a camera at
  /// another port is not taken for `known`.
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

  /// The path that a name stands for by itself: a port, or a link of the owner's; nil for names of
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
    // A link that somebody made once may lead to a number that the camera had then.
    let isPort = path.hasPrefix(CameraList.ports + "/")
    if !isPort, let known, let entry = match(known, entries, hasTwin: hasTwin) {
      return try entry.usable()
    }
    return try byPath(path, entries)
  }

  /// Where a chain of links ends; the path itself where it is none.
  private func target(of path: String) -> String {
    var path = path
    // The kernel gives up after forty.
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

  /// The camera of that name; of several with one serial number that at the first port, whichever
  /// of them the system's name leads to today.
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

  // Port 2 comes before port 10.
  private func isBefore(_ lhs: String, _ rhs: String) -> Bool {
    (lhs.utf8.count, lhs) < (rhs.utf8.count, rhs)
  }

  private func match(
    _ known: CameraIdentity, _ entries: [CameraEntry], hasTwin: Bool
  ) -> CameraEntry? {
    let same = entries.filter { $0.identity.key == known.key }
    // An entry that may not be opened has no port to compare.
    if let here = same.first(where: { $0.identity.bus == known.bus || $0.identity.bus.isEmpty }) {
      return here
    }
    if !same.isEmpty { return hasTwin || same.count > 1 ? nil : same.first }
    // Without a serial number it may now be in another port; taken if there is no doubt.
    guard !known.vendor.isEmpty, known.serial.isEmpty else { return nil }
    let alike = entries.filter {
      $0.identity.vendor == known.vendor && $0.identity.product == known.product
        && $0.identity.index == known.index
    }
    return alike.count == 1 ? alike.first : nil
  }

  // A link of the user's own, or a node that is no camera: the error should say which.
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
      // Reached by a way that only the kernel follows, such as a linked folder.
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
        "there is no camera \(text); plug it in, or choose one that 'retake cameras' lists")
    }
    return CaptureError(
      .noCamera, "there is no camera; plug one in, or name the built-in one, \"demo\"")
  }

  /// What is said when `known` is not there, and perhaps another one with its serial number.
  private func absent(
    _ name: CameraName, _ known: CameraIdentity, _ entries: [CameraEntry]
  ) -> CaptureError {
    guard let other = entries.first(where: { $0.identity.key == known.key }) else {
      return absent(name)
    }
    return CameraList.otherTwin(known, other.identity)
  }

  /// What is said when another camera with the serial number of `known` is there.
  static func otherTwin(_ known: CameraIdentity, _ other: CameraIdentity) -> CaptureError {
    CaptureError(
      .noCamera,
      "the camera at \(known.bus) is away; the one at \(other.bus) has its serial number "
        + "and is another: plug it in again, or set 'camera.device' to \(other.uniqueName)")
  }
}
