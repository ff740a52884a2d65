import CLinux
import Glibc
import Platform
import Synchronization

@testable import Trigger

/// A keyboard that a test plugs, unplugs and types on.
final class ScriptedKeyboard: KeyHardware {
  private struct State {
    var isPresent = false
    var keys: [KeyEdge] = []
    var reader: Device?
  }
  private let state = Mutex(State())

  func plug(_ isPresent: Bool) {
    let reader = state.withLock { state in
      state.isPresent = isPresent
      return state.reader
    }
    reader?.wake()
  }

  func press(_ code: UInt32, isDown: Bool, at time: MonotonicTime) {
    let reader = state.withLock { state in
      state.keys.append(KeyEdge(code, isDown: isDown, at: time))
      return state.reader
    }
    reader?.wake()
  }

  func devices() -> (devices: [KeyDeviceInfo], problems: [SystemError]) {
    guard state.withLock({ $0.isPresent }) else { return ([], []) }
    return (
      [KeyDeviceInfo(path: "/dev/input/event7", name: "Pedal", ids: ["usb-Pedal-event-kbd"])], []
    )
  }

  func open(_ path: String, isGrabbed: Bool) throws(SystemError) -> any KeyDevice {
    let device = Device(self)
    state.withLock { state in
      state.reader = device
      state.keys = []
    }
    return device
  }

  final class Device: KeyDevice {
    let number = clinux_eventfd(0)
    private let keyboard: ScriptedKeyboard

    init(_ keyboard: ScriptedKeyboard) { self.keyboard = keyboard }

    func wake() {
      var one: UInt64 = 1
      withUnsafeBytes(of: &one) { _ = write(number, $0.baseAddress, $0.count) }
    }

    func readKeys() throws(SystemError) -> [KeyEdge] {
      var count: UInt64 = 0
      withUnsafeMutableBytes(of: &count) { _ = read(number, $0.baseAddress, $0.count) }
      let keys = keyboard.state.withLock { state -> [KeyEdge]? in
        defer { state.keys = [] }
        return state.isPresent ? state.keys : nil
      }
      guard let keys else { throw SystemError(errno: ENODEV, call: "read") }
      return keys
    }

    deinit { close(number) }
  }
}
