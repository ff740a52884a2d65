import CVideo4Linux
import Platform

extension VideoDevice {
  // A faulty driver may enumerate for ever, so the loops are bounded.
  private static let mostControls = 512
  private static let mostItems: Int64 = 256

  /// Returns all enabled controls with their current values.
  func controls() -> [CameraControl] {
    var found: [CameraControl] = []
    var last: UInt32 = 0
    for _ in 0..<VideoDevice.mostControls {
      guard let (query, next) = nextControl(after: last), next > last else { break }
      last = next
      if let control = control(query) { found.append(control) }
    }
    return found
  }

  // The kernel's newer request is tried first, because libcamera's layer and old drivers support
  // only the older one.
  private func nextControl(after last: UInt32) -> (v4l2_query_ext_ctrl, UInt32)? {
    var query = v4l2_query_ext_ctrl()
    query.id = last | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    if tries(cv4l2_query_ext_ctrl, &query) { return (query, query.id) }
    var old = v4l2_queryctrl()
    old.id = last | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    guard tries(cv4l2_queryctrl, &old) else { return nil }
    query.id = old.id
    query.type = old.type
    withUnsafeMutableBytes(of: &query.name) { target in
      withUnsafeBytes(of: old.name) { target.copyBytes(from: $0.prefix(target.count)) }
    }
    query.minimum = Int64(old.minimum)
    query.maximum = Int64(old.maximum)
    query.step = UInt64(max(old.step, 0))
    query.default_value = Int64(old.default_value)
    query.flags = old.flags
    query.elems = 1
    return (query, query.id)
  }

  private func control(_ query: v4l2_query_ext_ctrl) -> CameraControl? {
    let flags = query.flags
    func has(_ flag: Int32) -> Bool { flags & UInt32(bitPattern: flag) != 0 }
    guard !has(V4L2_CTRL_FLAG_DISABLED), query.type != V4L2_CTRL_TYPE_CTRL_CLASS.rawValue else {
      return nil
    }
    let kind = CameraControl.Kind(query)
    var control = CameraControl(
      id: query.id, text: text(query.name), kind: kind, minimum: query.minimum,
      maximum: query.maximum, step: query.step, usual: query.default_value,
      isReadOnly: has(V4L2_CTRL_FLAG_READ_ONLY), isInactive: has(V4L2_CTRL_FLAG_INACTIVE))
    guard !control.name.isEmpty else { return nil }
    if kind == .menu || kind == .integerMenu { control.items = items(of: control) }
    if kind != .button, kind != .other, !has(V4L2_CTRL_FLAG_WRITE_ONLY) {
      control.value = value(of: control)
    }
    return control
  }

  private func items(of control: CameraControl) -> [CameraControl.Item] {
    let first = max(control.minimum, 0)
    guard control.maximum >= first, control.maximum - first < VideoDevice.mostItems else {
      return []
    }
    var items: [CameraControl.Item] = []
    for index in first...control.maximum {
      var answer = v4l2_querymenu()
      answer.id = control.id
      answer.index = UInt32(truncatingIfNeeded: index)
      // A menu may have gaps.
      guard tries(cv4l2_querymenu, &answer) else { continue }
      let name = control.kind == .menu ? text(answer.name) : "\(answer.value)"
      items.append(CameraControl.Item(value: index, name: name))
    }
    return items
  }

  private func value(of control: CameraControl) -> Int64? {
    var answer = v4l2_control()
    answer.id = control.id
    guard tries(cv4l2_g_ctrl, &answer) else { return nil }
    return control.kind == .bitmask
      ? Int64(UInt32(bitPattern: answer.value)) : Int64(answer.value)
  }

  /// Sets a control.
  func setControl(_ id: UInt32, to value: Int64) throws(SystemError) {
    var request = v4l2_control()
    request.id = id
    request.value = Int32(truncatingIfNeeded: value)
    try call(cv4l2_s_ctrl, "VIDIOC_S_CTRL", &request)
  }
}

extension CameraControl.Kind {
  fileprivate init(_ query: v4l2_query_ext_ctrl) {
    // Arrays have the type of their elements.
    guard query.elems <= 1, query.nr_of_dims == 0 else {
      self = .other
      return
    }
    switch query.type {
    case V4L2_CTRL_TYPE_INTEGER.rawValue: self = .integer
    case V4L2_CTRL_TYPE_BOOLEAN.rawValue: self = .boolean
    case V4L2_CTRL_TYPE_MENU.rawValue: self = .menu
    case V4L2_CTRL_TYPE_INTEGER_MENU.rawValue: self = .integerMenu
    case V4L2_CTRL_TYPE_BITMASK.rawValue: self = .bitmask
    case V4L2_CTRL_TYPE_BUTTON.rawValue: self = .button
    default: self = .other
    }
  }
}
