import Platform

/// A connected camera.
public struct CameraEntry: Sendable {
  /// The identity of the camera.
  public var identity: CameraIdentity
  /// The reason why the camera could not be opened; nil if it could.
  public var error: CaptureError?
  /// Whether the camera is a bare CSI receiver, whose frames only libcamera can turn into pictures.
  public var needsCompatibilityLayer: Bool {
    CompatibilityLayer.receivers.contains(identity.driver)
  }

  var isUsable: Bool { error == nil && !needsCompatibilityLayer }
}

/// The abilities of a camera.
public struct CameraAbilities: Sendable {
  /// The formats, sizes and rates.
  public var offers: [FormatOffer]
  /// The controls.
  public var controls: [CameraControl]
  /// Whether the input has a signal; true if the input does not report that.
  public var hasSignal: Bool

  /// Returns the error in wishes for the controls, or nil if there is none.
  public func refusal(of wishes: [String: ControlValue]) -> CaptureError? {
    do {
      _ = try ControlPlan(wishes, for: controls)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the error in a wish for a mode, or nil if there is none.
  public func refusal(of wish: ModeWish) -> CaptureError? {
    ModeChoice.order(offers, wish: wish).isEmpty ? ModeChoice.refusal(offers, wish: wish) : nil
  }
}

/// The V4L2 cameras of this machine.
///
/// Nodes that do not capture pictures are left out: metadata, codecs, outputs. Reading the list
/// opens each node for a moment.
public struct CameraList {
  let system: any SystemCalls
  let holders: DeviceHolders

  // The Raspberry Pi's image processors claim to capture, but only return what a program put into
  // them.
  private static let processors: Set<String> = ["bcm2835-isp", "pispbe", "bcm2835-codec"]

  /// Creates a list without reading anything yet.
  public init(system: any SystemCalls = LinuxSystemCalls()) {
    self.init(system: system, holders: DeviceHolders(system: system))
  }

  /// Creates a list that uses `holders` to find the programs that use a camera.
  init(system: any SystemCalls, holders: DeviceHolders) {
    self.system = system
    self.holders = holders
  }

  /// Returns all cameras in the order of their node numbers.
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

  /// Returns the abilities of the camera at `path`; throws if its node cannot be opened.
  public func abilities(at path: String) throws(CaptureError) -> CameraAbilities {
    do {
      let device = try VideoDevice(opening: path, system: system, holders: holders)
      return CameraAbilities(
        offers: device.offers(), controls: device.controls(), hasSignal: !device.lacksSignal())
    } catch {
      throw error.openingError(path, holders)
    }
  }

  /// Returns the formats, sizes and rates of the camera at `path`.
  public func offers(at path: String) throws(CaptureError) -> [FormatOffer] {
    try abilities(at: path).offers
  }

  /// Returns the path of the node that a name refers to now.
  public func path(of name: CameraName) throws(CaptureError) -> String {
    try find(name, known: nil).path
  }

  /// Returns the best usable camera, or the demo camera if there is none.
  public func bestOrDemo() -> CameraName {
    entries().contains { $0.isUsable } ? .best : .demo
  }

  /// Returns the name and the number of a process that has the camera at `path` open, or nil if
  /// this user can see none.
  public func holder(of path: String) -> String? { holders.holder(of: path) }

  // MARK: Reading

  private func nodes() -> [String] {
    names(in: "/dev").compactMap { name in
      name.hasPrefix("video") ? Int(name.dropFirst(5)).map { ($0, name) } : nil
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the names in a folder, or none if it cannot be read; a read that a signal interrupts
  /// is repeated.
  private func names(in folder: String) -> [String] {
    while true {
      switch system.entries(folder) {
      case .success(let names): return names
      case .failure(let error) where error.errno == Errno.interrupted: continue
      case .failure: return []
      }
    }
  }

  /// The folder with the system's names for cameras.
  static let names = "/dev/v4l/by-id"
  /// The folder with the system's names for ports.
  static let ports = "/dev/v4l/by-path"

  /// Returns the links in a folder, by the node that they lead to.
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
      // The node has disappeared since the folder was read, or does not support V4L2.
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
  /// Returns the first line of a small file such as those of sysfs, or nil if it cannot be read.
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
