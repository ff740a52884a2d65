import Platform

/// A device with keys, as the kernel describes it.
public struct KeyDeviceInfo: Equatable, Sendable {
  /// The path of the device, such as `/dev/input/event3`, which may change with the next boot.
  public var path: String
  /// The device's own name.
  public var name: String
  /// The device's names in `/dev/input/by-id`, which are stable.
  public var ids: [String]

  /// Creates the description of a device.
  public init(path: String, name: String, ids: [String]) {
    self.path = path
    self.name = name
    self.ids = ids
  }

  /// Returns whether an operator's `text` means this device.
  public func isCalled(_ text: String) -> Bool {
    text == path || text == name || ids.contains(text)
      || ids.contains { "/dev/input/by-id/\($0)" == text }
  }
}

/// A key that went down or up; repeats are left out.
public struct KeyEdge: Equatable, Sendable {
  /// The kernel's number for the key.
  public var code: UInt32
  /// Whether the key went down.
  public var isDown: Bool
  /// The kernel's time of the edge, on CLOCK_MONOTONIC.
  public var time: MonotonicTime

  /// Creates an edge.
  public init(_ code: UInt32, isDown: Bool, at time: MonotonicTime) {
    self.code = code
    self.isDown = isDown
    self.time = time
  }
}

/// The source of keyboards, presenters and pedals: libevdev, or a test's simulation.
public protocol KeyHardware: Sendable {
  /// Returns the devices with keys that can be opened, and the errors of the others.
  func devices() -> (devices: [KeyDeviceInfo], problems: [SystemError])
  /// Opens a device; with `isGrabbed`, no other program gets its keys while it is open.
  func open(_ path: String, isGrabbed: Bool) throws(SystemError) -> any KeyDevice
}

/// An open device, closed with its last reference.
///
/// For one thread at a time.
public protocol KeyDevice: AnyObject, Sendable {
  /// The descriptor that is readable when there are keys.
  var number: Int32 { get }
  /// Returns the edges since the last call.
  func readKeys() throws(SystemError) -> [KeyEdge]
}
