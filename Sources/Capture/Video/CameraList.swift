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
    let (links, ports) = (links(in: CameraList.names), links(in: CameraList.ports))
    var entries = nodes().compactMap { entry($0, links, ports) }
    for index in entries.indices where !entries[index].identity.serial.isEmpty {
      let own = entries[index].identity
      entries[index].identity.twins = entries.compactMap {
        $0.identity.key == own.key && $0.identity.path != own.path ? $0.identity.path : nil
      }
    }
    return entries
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

  // MARK: Reading

  private func nodes() -> [String] {
    names(in: "/dev").compactMap { name in
      name.hasPrefix("video") ? Int(name.dropFirst(5)).map { ($0, name) } : nil
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The names in a folder, read again after a signal; none where it cannot be read.
  private func names(in folder: String) -> [String] {
    while true {
      switch system.entries(folder) {
      case .success(let names): return names
      case .failure(let error) where error.errno == Errno.interrupted: continue
      case .failure: return []
      }
    }
  }

  /// The system's names for cameras.
  static let names = "/dev/v4l/by-id"
  /// The system's names for ports.
  static let ports = "/dev/v4l/by-path"

  /// The links of a folder, by the node that they lead to.
  private func links(in folder: String) -> [String: [String]] {
    var links: [String: [String]] = [:]
    for name in names(in: folder).sorted() {
      guard case .success(let target) = system.readlink("\(folder)/\(name)"),
        let node = target.split(separator: "/").last
      else { continue }
      links[String(node), default: []].append("\(folder)/\(name)")
    }
    return links
  }

  private func entry(
    _ node: String, _ links: [String: [String]], _ ports: [String: [String]]
  ) -> CameraEntry? {
    let path = "/dev/\(node)"
    let folder = "/sys/class/video4linux/\(node)"
    var identity = CameraIdentity(
      name: system.line("\(folder)/name") ?? node,
      vendor: system.line("\(folder)/device/../idVendor") ?? "",
      product: system.line("\(folder)/device/../idProduct") ?? "",
      serial: system.line("\(folder)/device/../serial") ?? "",
      path: path, links: links[node] ?? [])
    identity.ports = ports[node] ?? []
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
      if error.isGone || [Errno.noEntry, Errno.noSuchRequest].contains(error.errno) { return nil }
      return CameraEntry(identity: identity, error: error.openingError(path, holders))
    }
  }
}

extension CameraEntry {
  func usable() throws(CaptureError) -> CameraIdentity {
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
