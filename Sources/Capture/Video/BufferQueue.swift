import CLinux
import CVideo4Linux
import Media
import Platform

/// The driver's buffers, which are requested and mapped at the start and released with the owner.
///
/// Each `Frame` owns the mapping of its buffer, so a frame that is still in use outlives the queue.
struct BufferQueue: ~Copyable {
  let frames: [Frame]
  private let device: SharedDescriptor
  private let type: UInt32
  private let mode: CameraMode
  private let lines: [Int]
  private let planes: UnsafeMutablePointer<v4l2_plane>
  private(set) var isStreaming = false

  static let memory = V4L2_MEMORY_MMAP.rawValue
  static let mostPlanes = 8

  /// Requests `count` buffers and maps the granted ones, of which at least two are needed.
  init(
    _ device: borrowing VideoDevice, mode: CameraMode, count: Int, signal: ReturnSignal
  ) throws(CaptureError) {
    frames = try BufferQueue.allocate(device, count, signal)
    type = device.capability.bufferType
    self.device = device.shared
    self.mode = mode
    lines = device.planeLines()
    planes = .allocate(capacity: BufferQueue.mostPlanes)
    planes.initialize(repeating: v4l2_plane(), count: BufferQueue.mostPlanes)
  }

  private static func allocate(
    _ device: borrowing VideoDevice, _ count: Int, _ signal: ReturnSignal
  ) throws(CaptureError) -> [Frame] {
    let shared = device.shared
    let type = device.capability.bufferType
    var frames: [Frame] = []
    do throws(SystemError) {
      var request = v4l2_requestbuffers()
      request.count = UInt32(min(max(count, 2), 32))
      request.type = type
      request.memory = memory
      try device.call(cv4l2_reqbufs, "VIDIOC_REQBUFS", &request)
      for index in 0..<min(Int(request.count), 32) {
        do throws(SystemError) {
          let memory = try map(index, shared, type, device.capability.isMultiplanar)
          frames.append(Frame(slot: index, memory: memory, returns: signal))
        } catch {
          // Two mapped buffers are enough to work with.
          if frames.count < 2 || error.isGone { throw error }
          break
        }
      }
    } catch {
      frames = []
      giveUp(shared, type)
      throw device.explain(error)
    }
    guard frames.count >= 2 else {
      let granted = frames.count
      frames = []
      giveUp(shared, type)
      throw CaptureError(
        .failed,
        "the camera's driver grants \(granted) of the two buffers that are needed; close other "
          + "programs that use it, or use a smaller size")
    }
    return frames
  }

  private static func map(
    _ index: Int, _ device: SharedDescriptor, _ type: UInt32, _ isMultiplanar: Bool
  ) throws(SystemError) -> FrameMemory {
    var buffer = v4l2_buffer()
    buffer.index = UInt32(index)
    buffer.type = type
    buffer.memory = memory
    guard isMultiplanar else {
      try VideoDevice.call(device, cv4l2_querybuf, "VIDIOC_QUERYBUF", &buffer)
      return FrameMemory(try map(device, buffer.m.offset, buffer.length))
    }
    let planes = UnsafeMutablePointer<v4l2_plane>.allocate(capacity: mostPlanes)
    planes.initialize(repeating: v4l2_plane(), count: mostPlanes)
    defer { planes.deallocate() }
    buffer.m.planes = planes
    buffer.length = UInt32(mostPlanes)
    try VideoDevice.call(device, cv4l2_querybuf, "VIDIOC_QUERYBUF", &buffer)
    func plane(_ index: Int) throws(SystemError) -> Mapping {
      try map(device, planes[index].m.mem_offset, planes[index].length)
    }
    switch buffer.length {
    case 1: return FrameMemory(try plane(0))
    case 2: return FrameMemory(try plane(0), try plane(1))
    case 3: return FrameMemory(try plane(0), try plane(1), try plane(2))
    default: throw SystemError(errno: Errno.invalid, call: "VIDIOC_QUERYBUF")
    }
  }

  private static func map(
    _ device: SharedDescriptor, _ offset: UInt32, _ length: UInt32
  ) throws(SystemError) -> Mapping {
    guard length > 0 else { throw SystemError(errno: Errno.invalid, call: "VIDIOC_QUERYBUF") }
    return try Mapping(device.descriptor, offset: Int64(offset), length: Int(length))
  }

  private static func giveUp(_ device: SharedDescriptor, _ type: UInt32) {
    var request = v4l2_requestbuffers()
    request.type = type
    request.memory = memory
    try? VideoDevice.call(device, cv4l2_reqbufs, "VIDIOC_REQBUFS", &request)
  }

  deinit {
    if isStreaming {
      var type = type
      try? VideoDevice.call(device, cv4l2_streamoff, "VIDIOC_STREAMOFF", &type)
    }
    // While frames are in use, this fails on old kernels, and closing the node releases the
    // buffers.
    BufferQueue.giveUp(device, type)
    planes.deallocate()
  }

  /// Queues every unused buffer and starts the stream.
  mutating func start() throws(SystemError) {
    for frame in frames where !frame.isQueued && !frame.isInUse { try queue(frame) }
    var type = type
    try VideoDevice.call(device, cv4l2_streamon, "VIDIOC_STREAMON", &type)
    isStreaming = true
  }

  /// Stops the stream, after which the driver has no buffer.
  mutating func stop() throws(SystemError) {
    isStreaming = false
    for frame in frames { frame.isQueued = false }
    var type = type
    try VideoDevice.call(device, cv4l2_streamoff, "VIDIOC_STREAMOFF", &type)
  }

  private func header() -> v4l2_buffer {
    var buffer = v4l2_buffer()
    buffer.type = type
    buffer.memory = BufferQueue.memory
    if type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue {
      buffer.m.planes = planes
      buffer.length = UInt32(BufferQueue.mostPlanes)
    }
    return buffer
  }

  /// Gives a buffer to the driver.
  func queue(_ frame: Frame) throws(SystemError) {
    var buffer = header()
    buffer.index = UInt32(frame.slot)
    if buffer.length > 0 {
      buffer.length = UInt32(max(lines.count, 1))
      // Zeros keep the planes' lengths as QUERYBUF gave them.
      planes.update(repeating: v4l2_plane(), count: BufferQueue.mostPlanes)
    }
    try VideoDevice.call(device, cv4l2_qbuf, "VIDIOC_QBUF", &buffer)
    frame.isQueued = true
  }

  /// Dequeues one filled buffer.
  func dequeue() -> Dequeued {
    var buffer = header()
    do {
      try VideoDevice.call(device, cv4l2_dqbuf, "VIDIOC_DQBUF", &buffer)
    } catch {
      return error.errno == Errno.again ? .nothing : .failed(error)
    }
    guard let index = Int(exactly: buffer.index), index < frames.count, frames[index].isQueued
    else { return .invalid }
    return fill(frames[index], buffer)
  }

  private func fill(_ frame: Frame, _ buffer: v4l2_buffer) -> Dequeued {
    frame.dequeued = device.system.monotonicTime()
    frame.sequence = buffer.sequence
    let clock = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
    if clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC),
      let time = MonotonicTime(buffer.timestamp)
    {
      frame.timestamp = time
      frame.timestampSource = .driver
    } else {
      frame.timestamp = frame.dequeued
      frame.timestampSource = .dequeue
    }
    frame.image = image(frame, buffer)
    if buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 { return .damaged(frame, .errorFlag) }
    return frame.image.bytes.isEmpty ? .damaged(frame, .empty) : .frame(frame)
  }

  private func image(_ frame: Frame, _ buffer: v4l2_buffer) -> FrameImage {
    let memory = frame.memory.bytes
    let isMultiplanar = type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
    var image = FrameImage(
      bytes: isMultiplanar ? used(memory, 0) : used(memory, 0, buffer.bytesused),
      format: mode.format, size: mode.size, bytesPerLine: mode.bytesPerLine)
    image.range = mode.range
    image.encoding = mode.encoding
    if !frame.memory.second.isEmpty {
      image.second = Plane(
        used(frame.memory.second, 1), bytesPerLine: lines.count > 1 ? lines[1] : mode.bytesPerLine)
    }
    if !frame.memory.third.isEmpty {
      image.third = Plane(
        used(frame.memory.third, 2), bytesPerLine: lines.count > 2 ? lines[2] : 0)
    }
    return image
  }

  private func used(_ memory: UnsafeMutableRawBufferPointer, _ plane: Int) -> UnsafeRawBufferPointer
  {
    guard !memory.isEmpty else { return UnsafeRawBufferPointer(memory) }
    return used(memory, planes[plane].data_offset, planes[plane].bytesused)
  }

  // The range is clamped to the mapping, because a driver may claim more.
  private func used(
    _ memory: UnsafeMutableRawBufferPointer, _ start: UInt32, _ end: UInt32
  ) -> UnsafeRawBufferPointer {
    let end = min(Int(end), memory.count)
    return UnsafeRawBufferPointer(rebasing: memory[min(Int(start), end)..<end])
  }
}

extension MonotonicTime {
  /// Creates the time of a driver's timestamp, or returns nil for zero and for invalid values.
  fileprivate init?(_ time: timeval) {
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow, (0..<1_000_000).contains(time.tv_usec) else { return nil }
    let (sum, overflows) = seconds.addingReportingOverflow(Int64(time.tv_usec) * 1000)
    guard !overflows, sum > 0 else { return nil }
    self.init(nanoseconds: sum)
  }
}
