import Glibc
import Media
import Platform

/// A camera with a clock instead of a driver, which sends the pictures of a source at their due
/// times and skips those that are late.
final class TimedCamera: CaptureDevice {
  private let source: any PictureSource
  private let system: any SystemCalls
  private let signal: ReturnSignal
  private let rate: FrameRate
  private let buffers: Int
  private let logPath: String?
  private(set) var frames: [Frame] = []
  private var mode: CameraMode?
  private var log: SharedDescriptor?
  private var start = MonotonicTime(nanoseconds: 0)
  private var next = 0

  init(
    _ source: any PictureSource, rate: FrameRate, buffers: Int, log: String?, signal: ReturnSignal,
    system: any SystemCalls
  ) {
    self.source = source
    self.rate = rate
    self.buffers = min(max(buffers, 2), 32)
    self.signal = signal
    self.system = system
    logPath = log
  }

  var identity: CameraIdentity { source.identity }

  func open() throws(CaptureError) -> CameraMode {
    if let logPath, log == nil {
      do {
        log = SharedDescriptor(
          try Descriptor(
            opening: logPath, flags: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, mode: 0o644,
            system: system))
      } catch {
        throw CaptureError(.failed, "the log of sent frames cannot be written", cause: error)
      }
    }
    var mode = try source.open()
    mode.rate = rate
    frames = (0..<buffers).map {
      Frame(slot: $0, memory: FrameMemory(heap: mode.imageBytes), returns: signal)
    }
    for frame in frames { frame.isQueued = true }
    self.mode = mode
    start = system.monotonicTime()
    next = 0
    return mode
  }

  func close() {
    frames = []
    mode = nil
    source.close()
  }

  func due() -> MonotonicTime? { time(of: next) }

  private func time(of number: Int) -> MonotonicTime {
    start + offset(number)
  }

  // Whole periods of the fraction are computed first, so that the offset neither overflows nor
  // drifts.
  private func offset(_ number: Int) -> Duration {
    let frames = Int(rate.frames)
    let seconds = Int(rate.seconds)
    return .seconds(number / frames * seconds)
      + .nanoseconds(Int64(Double(number % frames * seconds) * 1e9 / Double(frames)))
  }

  func dequeue() -> Dequeued {
    guard let mode else { return .nothing }
    let now = system.monotonicTime()
    guard now >= time(of: next) else { return .nothing }
    while now >= time(of: next + 1) { next += 1 }
    guard let frame = frames.first(where: { $0.isQueued && !$0.isInUse }) else { return .nothing }
    let number = next
    next += 1
    let due = time(of: number)
    do {
      let (bytes, picture) = try source.fill(number, at: offset(number), into: frame.memory.bytes)
      frame.sequence = UInt32(truncatingIfNeeded: number)
      frame.timestamp = due
      frame.timestampSource = .driver
      frame.image = FrameImage(
        bytes: UnsafeRawBufferPointer(rebasing: frame.memory.bytes.prefix(bytes)),
        format: mode.format, size: mode.size, bytesPerLine: mode.bytesPerLine)
      frame.dequeued = system.monotonicTime()
      write(picture, due)
      return bytes == 0 ? .damaged(frame, .empty) : .frame(frame)
    } catch {
      return .failed(error)
    }
  }

  private func write(_ picture: Int, _ time: MonotonicTime) {
    guard let log else { return }
    var line = "\(picture) \(time.nanoseconds)\n"
    line.withUTF8 { bytes in
      _ = system.retrying { $0.write(log.number, UnsafeRawBufferPointer(bytes)) }
    }
  }

  func requeue(_ frame: Frame) throws(SystemError) { frame.isQueued = true }
}
