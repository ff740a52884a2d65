import CLinux
import CVideo4Linux
import Glibc
import Platform

/// An open V4L2 node, with typed calls that throw their errors.
struct VideoDevice: ~Copyable {
  let shared: SharedDescriptor
  let path: String
  let capability: VideoCapability
  /// The search for other processes that use the device.
  let holders: DeviceHolders

  var system: any SystemCalls { shared.system }
  var number: Int32 { shared.number }

  /// Opens the node and reads its capabilities.
  init(
    opening path: String, system: any SystemCalls, holders: DeviceHolders? = nil
  ) throws(SystemError) {
    let descriptor = try Descriptor(opening: path, flags: O_RDWR | O_NONBLOCK, system: system)
    let shared = SharedDescriptor(descriptor)
    var answer = v4l2_capability()
    try VideoDevice.call(shared, cv4l2_querycap, "VIDIOC_QUERYCAP", &answer)
    self.shared = shared
    self.path = path
    self.holders = holders ?? DeviceHolders(system: system)
    capability = VideoCapability(answer)
  }

  /// Makes one request, and repeats it if a signal interrupts it.
  static func call<Value>(
    _ shared: SharedDescriptor, _ request: UInt, _ name: StaticString, _ value: inout Value
  ) throws(SystemError) {
    let result = withUnsafeMutableBytes(of: &value) { bytes in
      shared.system.retrying { $0.ioctl(shared.number, request, bytes.baseAddress) }
    }
    guard result < 0 else { return }
    throw SystemError(errno: 0 - result, call: name.description)
  }

  func call<Value>(
    _ request: UInt, _ name: StaticString, _ value: inout Value
  ) throws(SystemError) {
    try VideoDevice.call(shared, request, name, &value)
  }

  /// Makes a request that a driver may lack, and returns whether it succeeded.
  func tries<Value>(_ request: UInt, _ value: inout Value) -> Bool {
    do {
      try call(request, "ioctl", &value)
      return true
    } catch { return false }
  }

  // MARK: Input

  /// Returns the description of the current input, or nil if the device has none.
  func input() -> v4l2_input? {
    var index: Int32 = 0
    guard tries(cv4l2_g_input, &index), index >= 0 else { return nil }
    var input = v4l2_input()
    input.index = UInt32(index)
    return tries(cv4l2_enuminput, &input) ? input : nil
  }

  /// Returns whether the input reports that it has no signal or no power.
  func lacksSignal() -> Bool {
    guard let input = input() else { return false }
    return input.status & UInt32(V4L2_IN_ST_NO_SIGNAL | V4L2_IN_ST_NO_POWER) != 0
  }

  /// Returns whether the pictures have the size of a signal, as on an HDMI input.
  func followsSignal() -> Bool {
    (input()?.capabilities ?? 0) & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0
  }

  /// Sets the timings of the signal at an HDMI input; does nothing for other inputs.
  func adoptTimings() throws(SystemError) {
    guard followsSignal() else { return }
    var timings = v4l2_dv_timings()
    try call(cv4l2_query_dv_timings, "VIDIOC_QUERY_DV_TIMINGS", &timings)
    try call(cv4l2_s_dv_timings, "VIDIOC_S_DV_TIMINGS", &timings)
  }

  /// Subscribes to events for changes of the source; has no effect with a driver without events.
  func subscribeToChanges() {
    var subscription = v4l2_event_subscription()
    subscription.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
    _ = tries(cv4l2_subscribe_event, &subscription)
  }

  /// Dequeues all waiting events; returns true if one reports that the source has changed.
  func takeEvents() -> Bool {
    var hasChanged = false
    for _ in 0..<64 {
      var event = v4l2_event()
      guard tries(cv4l2_dqevent, &event) else { break }
      if event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE) { hasChanged = true }
    }
    return hasChanged
  }
}

/// The answer to VIDIOC_QUERYCAP.
struct VideoCapability: Equatable, Sendable {
  var driver: String
  var card: String
  var bus: String
  /// The capabilities of this node, or of the whole device if the driver does not distinguish them.
  var flags: UInt32
  /// Whether the node is libcamera's layer, which returns buffers in index order regardless of the
  /// order of queuing.
  ///
  /// The value is stored because it is read for each frame.
  var isCompatibilityLayer: Bool

  init(_ answer: v4l2_capability) {
    driver = text(answer.driver)
    card = text(answer.card)
    bus = text(answer.bus_info)
    let all = UInt32(answer.capabilities)
    flags = all & UInt32(V4L2_CAP_DEVICE_CAPS) != 0 ? answer.device_caps : all
    isCompatibilityLayer = driver == "libcamera" || bus.contains("libcamera")
  }

  private func has(_ flag: Int32) -> Bool { flags & UInt32(bitPattern: flag) != 0 }

  /// Whether the node captures pictures only through the multi-planar interface.
  var isMultiplanar: Bool {
    has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) && !has(V4L2_CAP_VIDEO_CAPTURE)
  }

  /// Whether the node captures and streams pictures; codecs, outputs and metadata nodes do not.
  var isCamera: Bool {
    (has(V4L2_CAP_VIDEO_CAPTURE) || has(V4L2_CAP_VIDEO_CAPTURE_MPLANE)) && has(V4L2_CAP_STREAMING)
      && !has(V4L2_CAP_VIDEO_M2M) && !has(V4L2_CAP_VIDEO_M2M_MPLANE)
  }

  /// The buffer type for all further requests.
  var bufferType: UInt32 {
    isMultiplanar
      ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
  }
}

/// Returns the text in a fixed field of C characters; invalid UTF-8 is replaced.
func text<Field>(_ field: Field) -> String {
  withUnsafeBytes(of: field) { bytes in
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
