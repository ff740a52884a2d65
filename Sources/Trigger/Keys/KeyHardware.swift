import Platform

/// A device with keys, as the kernel describes it.
public struct KeyDeviceInfo: Equatable, Sendable {
  /// The device: `/dev/input/event3`, which may be another after the next boot.
  public var path: String
  /// What it calls itself.
  public var name: String
  /// Its names in `/dev/input/by-id`, which stay.
  public var ids: [String]

  /// Makes the description of a device.
  public init(path: String, name: String, ids: [String]) {
    self.path = path
    self.name = name
    self.ids = ids
  }

  /// Whether an operator who writes `text` means this device.
  public func isCalled(_ text: String) -> Bool {
    text == path || text == name || ids.contains(text)
      || ids.contains { "/dev/input/by-id/\($0)" == text }
  }
}

/// A key that went down or up; repeats are left out.
public struct KeyEdge: Equatable, Sendable {
  /// The kernel's number for the key.
  public var code: UInt32
  /// Whether it went down.
  public var isDown: Bool
  /// When, on CLOCK_MONOTONIC, by the kernel.
  public var time: MonotonicTime

  /// Makes an edge.
  public init(_ code: UInt32, isDown: Bool, at time: MonotonicTime) {
    self.code = code
    self.isDown = isDown
    self.time = time
  }
}

/// Where keyboards, presenters and pedals are found: libevdev, or what a test plays.
public protocol KeyHardware: Sendable {
  /// The devices with keys that can be opened, and what is wrong with the others.
  func devices() -> (devices: [KeyDeviceInfo], problems: [SystemError])
  /// Opens a device; with `isGrabbed`, nobody else gets its keys as long as it is open.
  func open(_ path: String, isGrabbed: Bool) throws(SystemError) -> any KeyDevice
}

/// An open device, closed with its last reference.
///
/// One thread at a time.
public protocol KeyDevice: AnyObject, Sendable {
  /// The descriptor that can be read when there are keys.
  var number: Int32 { get }
  /// What happened since the last call.
  func readKeys() throws(SystemError) -> [KeyEdge]
}
