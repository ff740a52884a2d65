import CLinux
import Imaging
import Media
import Platform
import Synchronization

/// The last frames of a camera as it sent them, compressed, for movies: a bounded queue whose memory
/// is taken once.
///
/// While it is armed the newest frames are kept, as many as ``preroll`` asks for and the memory
/// holds, so that a movie can begin before its press. While a movie is recorded nothing is thrown
/// away: frames wait for the one who reads them, and what finds no room is lost and counted.
///
/// Frames come from one thread, the capture thread, which it never keeps waiting and for which it
/// never allocates; one other thread reads. Everything else may come from any thread.
public final class MoviePool: @unchecked Sendable {
  // Unchecked: `state` and the entries are touched under the monitor's lock only, and the bytes by
  // the one thread that writes until they are published, by the one that reads until it advances.

  /// What it has counted since it was made.
  public struct Counts: Equatable, Sendable {
    /// Frames that were copied into it.
    public var framesCopied = 0
    /// Bytes of those.
    public var bytesCopied = 0
    /// Frames of movies that found no room.
    public var framesLost = 0

    /// Makes zeros.
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
    /// Frames from earlier are not wanted by the movie.
    var start = MonotonicTime(nanoseconds: 0)
    /// Tells a copy under way that the queue was emptied meanwhile.
    var generation = 0
    /// Which movie is recorded; who recorded an earlier one has nothing to say any more.
    var ticket = 0
    var first = 0
    var count = 0
    var counts = Counts()
  }

  private let monitor = Monitor()
  // Held while pages are given back, so that no frame is kept in them meanwhile.
  private let releasing = Mutex(())
  private let system: any SystemCalls
  private var state = State()
  let memory: UnsafeMutableRawBufferPointer
  private let entries: UnsafeMutableBufferPointer<PooledFrame>

  /// How many bytes of frames it can hold.
  public var capacity: Int { memory.count }

  /// Makes one that keeps nothing yet.
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

  /// What it has counted.
  public var counts: Counts { locked { state.counts } }

  /// How many frames wait in it.
  public var count: Int { locked { state.count } }

  // MARK: The capture thread

  /// Copies a frame into it, repaired, unless it is off.
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

  /// Where that many bytes can go; nil where they cannot, or nobody wants them.
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

  /// The offset of free memory in one piece, behind the newest frame or at the start again.
  private func place(_ bytes: Int) -> Int? {
    guard bytes <= memory.count, state.count < entries.count else { return nil }
    guard state.count > 0 else { return 0 }
    let oldest = entries[state.first].offset
    let newest = entries[(state.first + state.count - 1) % entries.count]
    let end = newest.offset + newest.count
    // The oldest frame is above the newest one once the queue has gone round.
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

  /// Keeps the frames of the last `preroll` from now on; ends a movie that is recorded.
  public func arm(preroll: Duration) {
    releasing.withLock { _ in
      locked {
        if state.mode == .recording { empty() }
        state.mode = .armed
        state.preroll = max(.zero, preroll)
      }
    }
  }

  /// Lets all frames go, copies no more, and gives the memory back to the system.
  public func disarm() {
    releasing.withLock { _ in
      locked {
        state.mode = .off
        empty()
        monitor.broadcast()
      }
      // Outside of the lock that the capture thread takes: many pages take a while. A copy that is
      // under way meanwhile belongs to the queue that was emptied.
      clinux_release_pages(memory.baseAddress, memory.count)
    }
  }

  /// Begins a movie with the frames from `start` on; those from before are let go.
  ///
  /// Gives a ticket for who reads them; the next movie's makes it worthless.
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

  /// Waits for the oldest frame, until `deadline`; nil when none came, or the movie is over.
  ///
  /// Its bytes stay until ``advance(_:)`` or the end of the movie. One thread calls this.
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

  /// Ends a wait in ``next(_:until:)`` now: something has changed.
  public func wake() { monitor.broadcast() }

  /// Lets the oldest frame go, which ``next(_:until:)`` gave.
  public func advance(_ ticket: Int) {
    locked { if state.count > 0, isRecording(ticket) { dropFirst() } }
  }

  /// Lends a frame's bytes as the picture that they are; valid until ``advance(_:)``.
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
