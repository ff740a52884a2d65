import Platform

/// A camera that is plugged in.
public struct CameraEntry: Sendable {
  /// Which camera it is.
  public var identity: CameraIdentity
  /// Why it could not be asked; nil when it could.
  public var error: CaptureError?
  /// Whether it is a bare CSI receiver, whose frames need libcamera to become pictures.
  public var needsCompatibilityLayer: Bool {
    CompatibilityLayer.receivers.contains(identity.driver)
  }

  var isUsable: Bool { error == nil && !needsCompatibilityLayer }
}

/// What a camera can do.
public struct CameraAbilities: Sendable {
  /// Its formats, sizes and rates.
  public var offers: [FormatOffer]
  /// What can be set.
  public var controls: [CameraControl]
  /// Whether something is connected, as far as its input says.
  public var hasSignal: Bool

  /// What is wrong with those wishes for its controls; nil when nothing is.
  public func refusal(of wishes: [String: ControlValue]) -> CaptureError? {
    do {
      _ = try ControlPlan(wishes, for: controls)
      return nil
    } catch {
      return error
    }
  }

  /// What is wrong with that wish for a mode; nil when nothing is.
  public func refusal(of wish: ModeWish) -> CaptureError? {
    ModeChoice.order(offers, wish: wish).isEmpty ? ModeChoice.refusal(offers, wish: wish) : nil
  }
}

/// The V4L2 cameras of this machine.
///
/// Nodes that take no pictures are left out: metadata, codecs, outputs. It opens each node for a
/// moment.
public struct CameraList {
  let system: any SystemCalls
  let holders: DeviceHolders

  // Image processors of the Raspberry Pi: they claim to capture, but what they give is what a
  // program put into them.
  private static let processors: Set<String> = ["bcm2835-isp", "pispbe", "bcm2835-codec"]

  /// Makes a list; nothing is read yet.
  public init(system: any SystemCalls = LinuxSystemCalls()) {
    self.init(system: system, holders: DeviceHolders(system: system))
  }

  /// As ``init(system:)``, with what is known of who has which camera.
  init(system: any SystemCalls, holders: DeviceHolders) {
    self.system = system
    self.holders = holders
  }

  /// All cameras, by node number.
  public func entries() -> [CameraEntry] {
    let links = links()
    return nodes().compactMap { entry($0, links) }
  }

  /// What the camera at `path` can do, in detail.
  public func abilities(at path: String) throws(CaptureError) -> CameraAbilities {
    do {
      let device = try VideoDevice(opening: path, system: system, holders: holders)
      return CameraAbilities(
        offers: device.offers(), controls: device.controls(), hasSignal: !device.lacksSignal())
    } catch {
      throw error.openingError(path, holders)
    }
  }

  /// The formats, sizes and rates of the camera at `path`.
  public func offers(at path: String) throws(CaptureError) -> [FormatOffer] {
    try abilities(at: path).offers
  }

  /// The node that a name means now.
  public func path(of name: CameraName) throws(CaptureError) -> String {
    try find(name, known: nil).path
  }

  /// The best camera that can be used, else the demo camera.
  public func bestOrDemo() -> CameraName {
    entries().contains { $0.isUsable } ? .best : .demo
  }

  /// The name and the number of a process that has the camera at `path` open, as far as this user
  /// may see; nil otherwise.
  public func holder(of path: String) -> String? { holders.holder(of: path) }

  /// Finds the camera that a name means: `known`, once it was found; else by the name.
  func find(_ name: CameraName, known: CameraIdentity?) throws(CaptureError) -> CameraIdentity {
    let entries = entries()
    if let known, let entry = match(known, entries) { return try entry.usable() }
    if known != nil, name != .best { throw absent(name) }
    switch name {
    case .device(let text):
      let link = "/dev/v4l/by-id/\(text)"
      let named = entries.first {
        let identity = $0.identity
        return identity.path == text || identity.key == text || identity.links.contains(text)
          || identity.links.contains(link)
      }
      if let named { return try named.usable() }
      return try byPath(text)
    case .best, .demo, .clip:
      if let entry = entries.first(where: { $0.isUsable }) { return entry.identity }
      if let error = entries.first?.error { throw error }
      throw absent(name)
    }
  }

  // A link of the user's own, or a node that is no camera: the error should say which.
  private func byPath(_ path: String) throws(CaptureError) -> CameraIdentity {
    guard path.hasPrefix("/") else { throw absent(.device(path)) }
    do {
      let device = try VideoDevice(opening: path, system: system, holders: holders)
      guard device.capability.isCamera else { throw CaptureError.notCamera(path) }
      return CameraIdentity(
        name: device.capability.card, driver: device.capability.driver,
        bus: device.capability.bus, path: path)
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
        "There is no camera \(text); plug it in, or choose one that `retake cameras` lists.")
    }
    return CaptureError(
      .noCamera, "There is no camera; plug one in, or name the built-in one, \"demo\".")
  }

  private func match(_ known: CameraIdentity, _ entries: [CameraEntry]) -> CameraEntry? {
    if let same = entries.first(where: { $0.identity.key == known.key }) { return same }
    // Without a serial number it may now be in another port; taken if there is no doubt.
    guard !known.vendor.isEmpty, known.serial.isEmpty else { return nil }
    let alike = entries.filter {
      $0.identity.vendor == known.vendor && $0.identity.product == known.product
        && $0.identity.index == known.index
    }
    return alike.count == 1 ? alike.first : nil
  }

  // MARK: Reading

  private func nodes() -> [String] {
    guard case .success(let names) = system.entries("/dev") else { return [] }
    return names.compactMap { name in
      name.hasPrefix("video") ? Int(name.dropFirst(5)).map { ($0, name) } : nil
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Names under `/dev/v4l/by-id`, by the node that they lead to.
  private func links() -> [String: [String]] {
    var links: [String: [String]] = [:]
    let folder = "/dev/v4l/by-id"
    guard case .success(let names) = system.entries(folder) else { return [:] }
    for name in names.sorted() {
      guard case .success(let target) = system.readlink("\(folder)/\(name)"),
        let node = target.split(separator: "/").last
      else { continue }
      links[String(node), default: []].append("\(folder)/\(name)")
    }
    return links
  }

  private func entry(_ node: String, _ links: [String: [String]]) -> CameraEntry? {
    let path = "/dev/\(node)"
    let folder = "/sys/class/video4linux/\(node)"
    var identity = CameraIdentity(
      name: system.line("\(folder)/name") ?? node,
      vendor: system.line("\(folder)/device/../idVendor") ?? "",
      product: system.line("\(folder)/device/../idProduct") ?? "",
      serial: system.line("\(folder)/device/../serial") ?? "",
      path: path, links: links[node] ?? [])
    identity.manufacturer = system.line("\(folder)/device/../manufacturer") ?? ""
    identity.index = Int(system.line("\(folder)/index") ?? "") ?? 0
    do {
      let device = try VideoDevice(opening: path, system: system, holders: holders)
      guard device.capability.isCamera, !CameraList.processors.contains(device.capability.driver)
      else { return nil }
      identity.driver = device.capability.driver
      identity.bus = device.capability.bus
      if !device.capability.card.isEmpty { identity.name = device.capability.card }
      return CameraEntry(identity: identity, error: nil)
    } catch {
      // Gone since the folder was read, or nothing that knows V4L2.
      if error.isGone || error.errno == 2 || error.errno == 25 { return nil }
      return CameraEntry(identity: identity, error: error.openingError(path, holders))
    }
  }
}

extension CameraEntry {
  fileprivate func usable() throws(CaptureError) -> CameraIdentity {
    if let error { throw error }
    return identity
  }
}

extension SystemCalls {
  /// The first line of a small file such as those of sysfs; nil when it cannot be read.
  func line(_ path: String) -> String? {
    let file = retrying { $0.open(path, 0, 0) }
    guard file >= 0 else { return nil }
    defer { _ = close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = retrying { $0.read(file, buffer) }
      guard count > 0, count <= buffer.count else { return nil }
      let line = buffer.prefix(count).prefix { $0 != 10 && $0 != 0 }
      return String(decoding: line, as: UTF8.self)
    }
  }
}
