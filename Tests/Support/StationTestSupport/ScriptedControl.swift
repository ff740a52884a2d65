import CVideo4Linux
import Glibc

/// A control of a ``ScriptedCamera``.
public struct ScriptedControl: Sendable {
  /// The kernel's number of the control.
  public var id: UInt32
  /// The driver's name of the control.
  public var name: String
  /// `V4L2_CTRL_TYPE_…`.
  public var type: UInt32
  /// The minimum and the maximum value.
  public var range: ClosedRange<Int64>
  /// The difference between neighbouring values.
  public var step: UInt64 = 1
  /// The value after the camera was plugged in.
  public var usual: Int64
  /// The entries of a menu, by their numbers.
  public var items: [Int64: String] = [:]
  /// `V4L2_CTRL_FLAG_…`.
  public var flags: UInt32 = 0
  /// The control and its value that make setting this control fail with EACCES.
  public var lock: (id: UInt32, value: Int64)?
  /// The current value.
  public var value: Int64

  /// Creates a number (`V4L2_CTRL_TYPE_INTEGER`).
  public init(
    _ id: UInt32, _ name: String, _ range: ClosedRange<Int64>, step: UInt64 = 1, usual: Int64,
    type: UInt32 = V4L2_CTRL_TYPE_INTEGER.rawValue
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.range = range
    self.step = step
    self.usual = usual
    value = usual
  }

  /// Creates a menu.
  public init(_ id: UInt32, _ name: String, menu items: [Int64: String], usual: Int64) {
    let keys = items.keys
    self.init(
      id, name, (keys.min() ?? 0)...(keys.max() ?? 0), usual: usual,
      type: V4L2_CTRL_TYPE_MENU.rawValue)
    self.items = items
  }

  /// The controls of a typical webcam.
  public static var webcam: [ScriptedControl] {
    let boolean = V4L2_CTRL_TYPE_BOOLEAN.rawValue
    var temperature = ScriptedControl(
      0x0098_091A, "White Balance Temperature", 2800...6500, step: 10, usual: 4600)
    temperature.lock = (0x0098_090C, 1)
    var exposure = ScriptedControl(0x009A_0902, "Exposure Time, Absolute", 3...2047, usual: 250)
    exposure.lock = (0x009A_0901, 3)
    var focus = ScriptedControl(0x009A_090A, "Focus, Absolute", 0...250, step: 5, usual: 0)
    focus.lock = (0x009A_090C, 1)
    var version = ScriptedControl(0x009A_09F0, "Firmware Version", 0...9, usual: 3)
    version.flags = UInt32(V4L2_CTRL_FLAG_READ_ONLY)
    return [
      ScriptedControl(0x0098_0900, "Brightness", -64...64, usual: 0),
      ScriptedControl(0x0098_090C, "White Balance, Automatic", 0...1, usual: 1, type: boolean),
      ScriptedControl(
        0x0098_0918, "Power Line Frequency",
        menu: [0: "Disabled", 1: "50 Hz", 2: "60 Hz"], usual: 1),
      temperature,
      ScriptedControl(
        0x009A_0901, "Auto Exposure", menu: [1: "Manual Mode", 3: "Aperture Priority Mode"],
        usual: 3),
      exposure, focus,
      ScriptedControl(
        0x009A_090C, "Focus, Automatic Continuous", 0...1, usual: 1, type: boolean),
      version,
    ]
  }
}

extension ScriptedCamera {
  func queryControl(_ answer: inout v4l2_query_ext_ctrl) -> Int32 {
    guard let control = control(asked: answer.id) else { return -EINVAL }
    answer = v4l2_query_ext_ctrl()
    answer.id = control.id
    answer.type = control.type
    put(control.name, &answer.name)
    answer.minimum = control.range.lowerBound
    answer.maximum = control.range.upperBound
    answer.step = control.step
    answer.default_value = control.usual
    answer.flags = control.flags
    answer.elems = 1
    return 0
  }

  func queryOldControl(_ answer: inout v4l2_queryctrl) -> Int32 {
    guard let control = control(asked: answer.id) else { return -EINVAL }
    answer = v4l2_queryctrl()
    answer.id = control.id
    answer.type = control.type
    put(control.name, &answer.name)
    answer.minimum = Int32(truncatingIfNeeded: control.range.lowerBound)
    answer.maximum = Int32(truncatingIfNeeded: control.range.upperBound)
    answer.step = Int32(truncatingIfNeeded: control.step)
    answer.default_value = Int32(truncatingIfNeeded: control.usual)
    answer.flags = control.flags
    return 0
  }

  // Returns the next control after a number, or the one with exactly that number.
  private func control(asked id: UInt32) -> ScriptedControl? {
    let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    guard id & next != 0 else { return controls.first { $0.id == id } }
    return controls.filter { $0.id > id & ~next }.min { $0.id < $1.id }
  }

  func queryMenu(_ answer: inout v4l2_querymenu) -> Int32 {
    guard let control = controls.first(where: { $0.id == answer.id }),
      let name = control.items[Int64(answer.index)]
    else { return -EINVAL }
    put(name, &answer.name)
    return 0
  }

  func getControl(_ answer: inout v4l2_control) -> Int32 {
    guard let control = controls.first(where: { $0.id == answer.id }) else { return -EINVAL }
    answer.value = Int32(truncatingIfNeeded: control.value)
    return 0
  }

  func setControl(_ request: v4l2_control) -> Int32 {
    guard let index = controls.firstIndex(where: { $0.id == request.id }) else { return -EINVAL }
    if let lock = controls[index].lock,
      controls.contains(where: { $0.id == lock.id && $0.value == lock.value })
    {
      return -EACCES
    }
    guard controls[index].range.contains(Int64(request.value)) else { return -ERANGE }
    controls[index].value = Int64(request.value)
    return 0
  }

  /// Returns the current value of the control with that driver's name.
  public func controlValue(_ name: String) -> Int64? {
    controls.first { $0.name == name }?.value
  }
}
