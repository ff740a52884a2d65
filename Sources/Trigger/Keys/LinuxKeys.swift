import CEvdev
import Glibc
import Platform

/// The keys of this machine's input devices, through libevdev.
public struct LinuxKeys: KeyHardware {
  private let system: any SystemCalls

  /// Creates the access, which opens nothing yet.
  public init(system: any SystemCalls = LinuxSystemCalls()) { self.system = system }

  /// Returns the number of a key by its name, such as `KEY_ENTER` or `enter`; nil for an unknown
  /// name.
  public static func code(of name: String) -> UInt32? {
    for candidate in [name, "KEY_\(name.uppercased())", "BTN_\(name.uppercased())"] {
      let code = libevdev_event_code_from_name(cevdev_key_type(), candidate)
      if code >= 0 { return UInt32(code) }
    }
    return nil
  }

  /// Returns the name of a key, or its number if it has no name.
  public static func name(of code: UInt32) -> String {
    libevdev_event_code_get_name(cevdev_key_type(), code).map { String(cString: $0) } ?? "\(code)"
  }

  /// The names of all keys, for suggestions.
  public static var names: [String] {
    (0...cevdev_key_maximum()).compactMap { code in
      libevdev_event_code_get_name(cevdev_key_type(), code).map { String(cString: $0) }
    }
  }

  /// Returns the devices with keys that can be opened.
  public func devices() -> (devices: [KeyDeviceInfo], problems: [SystemError]) {
    let directory = "/dev/input"
    let nodes = ((try? system.entries(directory).get()) ?? [])
      .filter { $0.hasPrefix("event") }.sorted { ($0.count, $0) < ($1.count, $1) }
    var ids: [String: [String]] = [:]
    for id in ((try? system.entries("\(directory)/by-id").get()) ?? []).sorted() {
      guard let target = try? system.readlink("\(directory)/by-id/\(id)").get() else { continue }
      ids[String(target.split(separator: "/").last ?? ""), default: []].append(id)
    }
    var (devices, problems): ([KeyDeviceInfo], [SystemError]) = ([], [])
    for node in nodes {
      do throws(SystemError) {
        let device = try Device("\(directory)/\(node)", isGrabbed: false)
        guard device.hasKeys else { continue }
        devices.append(
          KeyDeviceInfo(path: "\(directory)/\(node)", name: device.name, ids: ids[node] ?? []))
      } catch {
        problems.append(error)
      }
    }
    return (devices, problems)
  }

  /// Opens a device; with `isGrabbed`, no other program gets its keys while it is open.
  public func open(_ path: String, isGrabbed: Bool) throws(SystemError) -> any KeyDevice {
    try Device(path, isGrabbed: isGrabbed)
  }

  private final class Device: KeyDevice {
    // Only the owner of the device uses the pointer, on one thread at a time.
    nonisolated(unsafe) private let pointer: OpaquePointer
    let number: Int32
    private let path: String

    init(_ path: String, isGrabbed: Bool) throws(SystemError) {
      let number = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard number >= 0 else { throw SystemError(errno: errno, call: "open", path: path) }
      var pointer: OpaquePointer?
      let failure = libevdev_new_from_fd(number, &pointer)
      guard failure == 0, let pointer else {
        close(number)
        throw SystemError(errno: 0 - failure, call: "EVIOCGBIT", path: path)
      }
      self.pointer = pointer
      self.number = number
      self.path = path
      // From here on, throwing runs the deinitializer, because all properties are set.
      let clock = libevdev_set_clock_id(pointer, cevdev_monotonic())
      guard clock == 0 else {
        throw SystemError(errno: 0 - clock, call: "EVIOCSCLOCKID", path: path)
      }
      guard isGrabbed else { return }
      let grab = libevdev_grab(pointer, LIBEVDEV_GRAB)
      guard grab == 0 else { throw SystemError(errno: 0 - grab, call: "EVIOCGRAB", path: path) }
    }

    var name: String { libevdev_get_name(pointer).map { String(cString: $0) } ?? "" }

    var hasKeys: Bool { libevdev_has_event_type(pointer, cevdev_key_type()) == 1 }

    func readKeys() throws(SystemError) -> [KeyEdge] {
      var edges: [KeyEdge] = []
      var flag = LIBEVDEV_READ_FLAG_NORMAL.rawValue
      // The loop is bounded; the next call reads the rest.
      for _ in 0..<1024 {
        var event = input_event()
        let result = libevdev_next_event(pointer, flag, &event)
        if result == 0 - EAGAIN {
          // The edges that the kernel's queue lost have been replaced, or there are no more edges.
          guard flag == LIBEVDEV_READ_FLAG_SYNC.rawValue else { break }
          flag = LIBEVDEV_READ_FLAG_NORMAL.rawValue
          continue
        }
        if result == 0 - EINTR { continue }
        guard result >= 0 else {
          throw SystemError(errno: 0 - result, call: "read", path: path)
        }
        if result == Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue) {
          flag = LIBEVDEV_READ_FLAG_SYNC.rawValue
        }
        // The value 2 is a repeat.
        guard UInt32(event.type) == cevdev_key_type(), event.value == 0 || event.value == 1 else {
          continue
        }
        edges.append(
          KeyEdge(
            UInt32(event.code), isDown: event.value == 1,
            at: MonotonicTime(nanoseconds: cevdev_time(&event))))
      }
      return edges
    }

    deinit {
      libevdev_free(pointer)
      close(number)
    }
  }
}
