import Glibc
import Media
import Platform

/// A format of a ``ScriptedCamera``, with its sizes and rates.
public struct ScriptedFormat: Sendable {
  /// The format.
  public var format: PixelFormat
  /// The sizes, each with its rates; without rates the driver does not list them.
  public var sizes: [(PixelSize, [UInt32])]
  /// Bytes of each plane for a size; one plane has one number.
  public var planes: @Sendable (PixelSize) -> [Int]
  /// Extra bytes at the end of each row.
  public var rowPadding = 0

  /// Makes a format.
  public init(
    _ format: PixelFormat, _ sizes: [(PixelSize, [UInt32])],
    planes: (@Sendable (PixelSize) -> [Int])? = nil
  ) {
    self.format = format
    self.sizes = sizes
    self.planes = planes ?? { [$0.width * $0.height * 2] }
  }
}

/// The action of a ``ScriptedCamera`` at the due time of a frame.
public enum ScriptedFrame: Sendable {
  /// Fills a buffer with those planes.
  case picture([[UInt8]], ScriptedDetails = ScriptedDetails())
  /// Sends nothing, and does not count the frame.
  case silence
  /// Loses the frame, but counts it.
  case lost
  /// Fails the stream: DQBUF returns EIO until the stream is stopped.
  case streamError
  /// Unplugs the camera.
  case unplug
  /// Reports a change of the source by an event, while frames continue.
  case sourceChange
}

/// The unusual properties of a frame.
public struct ScriptedDetails: Sendable {
  /// The driver's error flag.
  public var errorFlag = false
  /// The number of bytes that the driver claims, if it differs from the actual number.
  public var claimedBytes: UInt32?
  /// The time by which the frame's timestamp precedes its arrival.
  public var age = Duration.zero
  /// The clock flags; CLOCK_MONOTONIC by default.
  public var clock: UInt32 = 0x2000
  /// The sequence number that the driver reports, if it differs from the right one.
  public var sequence: UInt32?
  /// The buffer index that the driver names, if not the right one.
  public var index: UInt32?
  /// Creates details of an ordinary frame.
  public init() {}
}

/// A camera that follows a test's script.
///
/// The camera is accessed only under its kernel's lock.
public final class ScriptedCamera: @unchecked Sendable {
  // MARK: What it is

  /// `driver`, `card` and `bus_info` of VIDIOC_QUERYCAP.
  public var driver = "uvcvideo"
  /// The card's name.
  public var card = "Scripted Camera"
  /// The place at which the camera is connected.
  public var bus = "usb-0000:00:14.0-1"
  /// The capabilities of the whole device.
  public var capabilities: UInt32 = 0x8000_0000 | 0x0480_0001
  /// The capabilities of the node.
  public var deviceCapabilities: UInt32 = 0x0420_0001 & ~0x0020_0000
  /// Formats with sizes and rates.
  public var formats: [ScriptedFormat]
  /// USB numbers and serial number for sysfs; none for other buses.
  public var usb: (vendor: String, product: String, serial: String)? = ("1d6b", "0102", "S1")

  // MARK: How it behaves

  /// The most buffers that REQBUFS grants, and the fewest.
  public var grants: ClosedRange<UInt32> = 2...32
  /// The error that requests give instead of an answer, by the name of the request.
  public var failures: [String: Int32] = [:]
  /// Whether S_PARM and G_PARM exist.
  public var hasRates = true
  /// Whether buffers may be freed while they are mapped.
  public var allowsOrphans = true
  /// Whether `poll` always reports the node as urgent and writable, without a reason.
  public var isAlwaysUrgent = false
  /// Status flags of its input (`V4L2_IN_ST_…`).
  public var inputStatus: UInt32 = 0
  /// The size that S_FMT grants for every request.
  public var forcedSize: PixelSize?
  /// The size of the signal at the HDMI input, or the error without one; nil for other inputs.
  public var timings: Result<PixelSize, SystemError>?
  /// The controls of the camera.
  public var controls: [ScriptedControl] = []
  /// Whether each start of a stream resets the controls to their default values.
  public var forgetsControls = false
  /// The colour fields that S_FMT and G_FMT return (`enum v4l2_colorspace`, `v4l2_ycbcr_encoding`,
  /// `v4l2_quantization`).
  public var colorspace: UInt32 = 0
  /// The encoding field, see `colorspace`.
  public var encoding: UInt32 = 0
  /// The quantization field, see `colorspace`.
  public var quantization: UInt32 = 0
  /// Whether the driver supports `encoding` and `quantization`.
  public var hasColours = true
  /// Returns the action at the due time of frame `n` since the stream was started.
  public var script: @Sendable (Int) -> ScriptedFrame
  /// A closure that is called when a stream starts, with the number of earlier starts.
  public var onStart: (@Sendable (Int) -> Void)?

  // MARK: Its state

  enum BufferState { case dequeued, queued, done }

  final class Buffer {
    var planes: [UnsafeMutableRawBufferPointer] = []
    var mapped: [Bool] = []
    var state = BufferState.dequeued
    var used: [Int] = []
    var details = ScriptedDetails()
    var sequence: UInt32 = 0
    var time = MonotonicTime(nanoseconds: 0)
  }

  var isPlugged = false
  /// The number of connections; a descriptor belongs to one of them.
  var instance = 0
  var format: PixelFormat
  var size: PixelSize
  var rate: UInt32 = 30
  var buffers: [Buffer] = []
  var queue: [Int] = []
  var done: [Int] = []
  var owner: Int32?
  var isStreaming = false
  var hasFailed = false
  var started = MonotonicTime(nanoseconds: 0)
  var next = 0
  var lastPeriod = Duration.zero
  var sequence: UInt32 = 0
  var events = 0
  /// The number of streams that were started.
  public internal(set) var starts = 0

  /// The number of buffers that the driver has to fill.
  public var queuedBuffers: Int { queue.count }

  /// Creates a camera with those formats that follows `script`.
  public init(_ formats: [ScriptedFormat], script: @escaping @Sendable (Int) -> ScriptedFrame) {
    self.formats = formats
    self.script = script
    format = formats.first?.format ?? .mjpeg
    size = formats.first?.sizes.first?.0 ?? PixelSize(width: 640, height: 480)
  }

  var isMultiplanar: Bool { deviceCapabilities & 0x1000 != 0 && deviceCapabilities & 1 == 0 }

  /// The time between frames; nil stands for the period of the granted rate.
  public var interval: Duration?

  var period: Duration { interval ?? ratedPeriod }

  private var ratedPeriod: Duration { .nanoseconds(1_000_000_000 / Int64(max(rate, 1))) }

  var current: ScriptedFormat? { formats.first { $0.format == format } }

  /// The time at which the next frame is due; nil if the camera sends none.
  var due: MonotonicTime? {
    isStreaming && isPlugged && !hasFailed ? started + period * (next + 1) : nil
  }

  /// Runs the actions that are due.
  func run(until now: MonotonicTime, unplug: (ScriptedCamera) -> Void) {
    while let due, due <= now {
      let number = next
      next += 1
      switch script(number) {
      case .silence: break
      case .lost: sequence &+= 1
      case .streamError: hasFailed = true
      case .unplug: unplug(self)
      case .sourceChange: events += 1
      case .picture(let planes, let details):
        let count = sequence
        sequence &+= 1
        guard !queue.isEmpty else { continue }
        fill(buffers[queue.removeFirst()], planes, details, count, due)
      }
    }
  }

  private func fill(
    _ buffer: Buffer, _ planes: [[UInt8]], _ details: ScriptedDetails, _ count: UInt32,
    _ due: MonotonicTime
  ) {
    buffer.used = []
    for (index, plane) in buffer.planes.enumerated() {
      let bytes = index < planes.count ? planes[index] : []
      let length = min(bytes.count, plane.count)
      if buffer.mapped[index] {
        bytes.withUnsafeBytes { plane.copyMemory(from: .init(rebasing: $0.prefix(length))) }
      }
      buffer.used.append(length)
    }
    buffer.details = details
    buffer.sequence = details.sequence ?? count
    buffer.time = due - details.age
    buffer.state = .done
    if let index = buffers.firstIndex(where: { $0 === buffer }) { done.append(index) }
  }

  /// Schedules the next frame one interval from now, as after a change of the interval.
  public func restartClock() {
    guard isStreaming else { return }
    let last = started + lastPeriod * next
    started = last - period * next
    lastPeriod = period
  }

  func stopStreaming() {
    isStreaming = false
    hasFailed = false
    queue = []
    done = []
    for buffer in buffers { buffer.state = .dequeued }
  }

  /// Returns whether the byte at `address` lies in a mapped buffer.
  public func holds(_ address: UnsafeRawPointer) -> Bool {
    buffers.contains { buffer in
      buffer.planes.contains { plane in
        guard let start = plane.baseAddress else { return false }
        return address >= UnsafeRawPointer(start) && address < UnsafeRawPointer(start) + plane.count
      }
    }
  }
}
