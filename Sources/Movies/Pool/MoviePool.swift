import CLinux
import Imaging
import Media
import Platform
import Synchronization

/// The last frames of a camera for movies: a bounded queue whose memory is allocated once.
///
/// While the pool is armed, it keeps the newest frames, as many as `preroll` asks for and the
/// memory holds, so that a movie can begin before its press. While a movie is recorded, no frame is
/// dropped from the queue. Frames wait for the recorder, and a frame without room is lost and
/// counted.
///
/// The capture thread adds frames; the pool never blocks it for long and never allocates for it.
/// One other thread reads. All other calls may come from any thread.
public final class MoviePool: @unchecked Sendable {
  // Unchecked: `state` and the entries are used under the monitor's lock only. The capture thread
  // writes the bytes until they are published, and the reading thread uses them until it advances.

  /// The pool's counters since it was created.
  public struct Counts: Equatable, Sendable {
    /// The number of frames that were copied into the pool.
    public var framesCopied = 0
    /// The number of bytes in those frames.
    public var bytesCopied = 0
    /// The number of movie frames for which there was no room.
    public var framesLost = 0

    /// Creates counters of zero.
    public init() {}
  }

  private enum Mode {
    case off
    case armed
    case recording
  }

  private struct State {
    var mode = Mode.off
    var preroll = Duration.zero
    /// The movie takes no frames from before this time.
    var start = MonotonicTime(nanoseconds: 0)
    /// A number that changes when the queue is emptied, so that a copy in progress is dropped.
    var generation = 0
    /// The number of the present movie; calls with an older one have no effect.
    var ticket = 0
    var first = 0
    var count = 0
    var counts = Counts()
  }

  private let monitor = Monitor()
  // The lock is held while pages are released, so that no frame is kept in them meanwhile.
  private let releasing = Mutex(())
  private let system: any SystemCalls
  private var state = State()
  let memory: UnsafeMutableRawBufferPointer
  private let entries: UnsafeMutableBufferPointer<PooledFrame>

  /// The number of bytes for frames.
  public var capacity: Int { memory.count }

  /// Creates a pool that is off.
  ///
  /// Pages of its memory cost nothing before they are written.
  public init(
    bytes: Int, frames: Int = 1024, system: any SystemCalls = LinuxSystemCalls()
  ) {
    self.system = system
    memory = .allocate(byteCount: max(bytes, 4096), alignment: 64)
    entries = .allocate(capacity: max(frames, 2))
    entries.initialize(repeating: PooledFrame())
  }

  deinit {
    memory.deallocate()
    entries.deallocate()
  }

  /// The pool's counters.
  public var counts: Counts { locked { state.counts } }

  /// The number of frames in the queue.
  public var count: Int { locked { state.count } }

  // MARK: The capture thread

  /// Copies a frame into the pool, repaired, unless the pool is off.
  public func add(
    _ image: FrameImage, _ inspection: FrameInspection, sequence: UInt32,
    timestamp: MonotonicTime
  ) {
    let bytes = PooledFrame.bytes(image, inspection)
    guard inspection.isUsable, let place = reserve(bytes, timestamp) else { return }
    var frame = PooledFrame()
    frame.offset = place.offset
    frame.sequence = sequence
    frame.timestamp = timestamp
    let room = UnsafeMutableRawBufferPointer(
      rebasing: memory[place.offset..<place.offset + bytes])
    guard frame.take(image, inspection, into: room) else { return }
    publish(frame, place.generation)
  }

  /// Returns the offset for a frame; nil if there is no room, or if the frame is not wanted.
  private func reserve(
    _ bytes: Int, _ timestamp: MonotonicTime
  ) -> (offset: Int, generation: Int)? {
    monitor.lock()
    defer { monitor.unlock() }
    switch state.mode {
    case .off: return nil
    case .armed:
      while state.count > 0, entries[state.first].timestamp < timestamp - state.preroll {
        dropFirst()
      }
      while true {
        if let offset = place(bytes) { return (offset, state.generation) }
        guard state.count > 0 else { return nil }
        dropFirst()
      }
    case .recording:
      guard timestamp >= state.start else { return nil }
      if let offset = place(bytes) { return (offset, state.generation) }
      state.counts.framesLost += 1
      return nil
    }
  }

  private func publish(_ frame: PooledFrame, _ generation: Int) {
    monitor.lock()
    defer { monitor.unlock() }
    state.counts.framesCopied += 1
    state.counts.bytesCopied += frame.count
    guard state.generation == generation, state.mode != .off else { return }
    entries[(state.first + state.count) % entries.count] = frame
    state.count += 1
    monitor.broadcast()
  }

  /// Returns the offset of free contiguous memory, behind the newest frame or at the start.
  private func place(_ bytes: Int) -> Int? {
    guard bytes <= memory.count, state.count < entries.count else { return nil }
    guard state.count > 0 else { return 0 }
    let oldest = entries[state.first].offset
    let newest = entries[(state.first + state.count - 1) % entries.count]
    let end = newest.offset + newest.count
    // The oldest frame is above the newest one once the queue has wrapped around.
    if newest.offset >= oldest {
      if memory.count - end >= bytes { return end }
      return oldest > bytes ? 0 : nil
    }
    return oldest - end > bytes ? end : nil
  }

  private func dropFirst() {
    state.first = (state.first + 1) % entries.count
    state.count -= 1
  }

  private func empty() {
    (state.first, state.count) = (0, 0)
    state.generation += 1
  }

  // MARK: Who records

  /// Starts to keep the frames of the last `preroll`, and ends a movie that is recorded.
  public func arm(preroll: Duration) {
    releasing.withLock { _ in
      locked {
        if state.mode == .recording { empty() }
        state.mode = .armed
        state.preroll = max(.zero, preroll)
      }
    }
  }

  /// Drops all frames, stops copying, and returns the memory to the system.
  public func disarm() {
    releasing.withLock { _ in
      locked {
        state.mode = .off
        empty()
        monitor.broadcast()
      }
      // The release runs outside the capture thread's lock, because many pages take a while. A copy
      // in progress belongs to the emptied queue and is dropped.
      clinux_release_pages(memory.baseAddress, memory.count)
    }
  }

  /// Begins a movie with the frames from `start` on, and drops earlier ones.
  ///
  /// Returns a ticket for the reader; the next movie's ticket makes it invalid.
  public func begin(from start: MonotonicTime) -> Int {
    releasing.withLock { _ in
      locked {
        while state.count > 0, entries[state.first].timestamp < start { dropFirst() }
        state.mode = .recording
        state.start = start
        state.ticket += 1
        return state.ticket
      }
    }
  }

  /// Waits for the oldest frame until `deadline`; returns nil if none came, or if the movie is
  /// over.
  ///
  /// The frame's bytes stay until ``advance(_:)`` or the end of the movie. For one thread.
  public func next(_ ticket: Int, until deadline: MonotonicTime) -> PooledFrame? {
    monitor.lock()
    defer { monitor.unlock() }
    while state.count == 0, isRecording(ticket), system.monotonicTime() < deadline {
      if !monitor.wait(until: deadline) { break }
    }
    guard state.count > 0, isRecording(ticket) else { return nil }
    return entries[state.first]
  }

  private func isRecording(_ ticket: Int) -> Bool {
    state.mode == .recording && state.ticket == ticket
  }

  /// Ends a wait in ``next(_:until:)`` now, because a state has changed.
  public func wake() { monitor.broadcast() }

  /// Drops the oldest frame, which ``next(_:until:)`` returned.
  public func advance(_ ticket: Int) {
    locked { if state.count > 0, isRecording(ticket) { dropFirst() } }
  }

  /// Returns a frame's bytes as a picture, valid until ``advance(_:)``.
  public func image(of frame: PooledFrame) -> FrameImage {
    let bytes = UnsafeRawBufferPointer(
      rebasing: memory[frame.offset..<frame.offset + frame.count])
    return frame.image(bytes)
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    monitor.lock()
    defer { monitor.unlock() }
    return body()
  }
}
