import Media
import Platform

extension CaptureLoop {
  /// Inspects a dequeued buffer, publishes it if it is usable, and gives back released buffers.
  func take(_ frame: Frame, _ damage: FrameDamage?) {
    frame.isQueued = false
    frame.begin()
    noteArrival(frame)
    shared.counter.add(\.frames)
    checkSequence(frame)
    checkTimestamp(frame)

    if let damage {
      refuse(frame, damage)
    } else if isWarmingUp(frame) {
      shared.counter.add(\.skipped)
      frameLog?.write(frame, "skipped")
    } else if !frame.image.isComplete {
      refuse(frame, .short)
    } else {
      judge(frame)
    }
    frame.release()
    giveBack()
  }

  private func noteArrival(_ frame: Frame) {
    if hasArrived {
      let step = lastSequence.map { Int32(bitPattern: frame.sequence &- $0) } ?? 1
      rhythm.note(frame.dequeued - lastArrival, frames: (1..<1000).contains(step) ? Int(step) : 1)
      let mean = rhythm.isKnown ? rhythm.mean.nanoseconds : 0
      shared.interval.store(mean, ordering: .relaxed)
    }
    lastArrival = frame.dequeued
    hasArrived = true
  }

  private func isWarmingUp(_ frame: Frame) -> Bool {
    if toSkip > 0 {
      toSkip -= 1
      return true
    }
    return device.warmsUp && frame.dequeued - startedAt < options.skippedTime
  }

  private func refuse(_ frame: Frame, _ damage: FrameDamage) {
    shared.counter.add { $0.count(damage) }
    refusal = !hasRefused || refusal == damage ? damage : nil
    hasRefused = true
    frameLog?.write(frame, damage.rawValue)
  }

  private func judge(_ frame: Frame) {
    frame.inspection = gate(frame.image)
    switch frame.inspection.verdict {
    case .clean:
      shared.counter.add(\.clean)
      publish(frame, "clean")
    case .repairable:
      shared.counter.add(\.repairable)
      publish(frame, "repairable")
    case .damaged(let reason): refuse(frame, reason)
    }
  }

  private func checkSequence(_ frame: Frame) {
    defer { lastSequence = frame.sequence }
    guard let last = lastSequence else { return }
    // The sequence number may wrap, so the difference decides which is higher.
    let step = Int32(bitPattern: frame.sequence &- last)
    if step <= 0 {
      shared.counter.add(\.repeated)
    } else if step > 1, step < 1000 {
      shared.counter.add { $0.dropped += Int(step) - 1 }
    }
  }

  private func checkTimestamp(_ frame: Frame) {
    guard frame.timestampSource == .driver else { return }
    let age = frame.dequeued - frame.timestamp
    // A frame may be as old as the time in which all buffers of the queue fill.
    let oldest = min(
      max(mode.period * (device.frames.count + 1), .milliseconds(250)), .milliseconds(800))
    let isOrdered = lastTimestamp.map { frame.timestamp > $0 } ?? true
    lastTimestamp = frame.timestamp
    if age < .milliseconds(-5) || age > oldest || !isOrdered {
      shared.counter.add(\.badTimestamps)
      distrust = 30
    }
    if distrust > 0 {
      distrust -= 1
      frame.timestamp = frame.dequeued
      frame.timestampSource = .dequeue
    }
  }

  // The ring gets a use of the frame itself, or a copy if the driver would have too few buffers
  // left.
  private func publish(_ frame: Frame, _ fate: String) {
    shared.ring.makeRoom()
    giveBack()
    guard case .open = phase else { return }
    var published = frame
    let queued = device.frames.queuedCount
    if device.isStrict || (device.descriptor != nil && queued < 2) || queued < 1 {
      guard let copy = spareCopy() else {
        shared.counter.add(\.starved)
        frameLog?.write(frame, "starved")
        return
      }
      copy.begin()
      copy.copy(frame)
      shared.counter.add {
        $0.framesCopied += 1
        $0.bytesCopied += copy.image.byteCount
      }
      published = copy
    } else {
      frame.retain()
    }
    published.id = shared.nextID()
    frameLog?.write(frame, fate)
    // The values are read before the ring owns the frame, because the ring may release it at any
    // moment.
    let event = CameraEvent.frame(published.id, published.timestamp)
    let tap = shared.status.tap
    if tap != nil { published.retain() }
    shared.ring.push(published)
    shared.counter.add(\.published)
    recovered(at: frame.dequeued)
    shared.status.observer?(event)
    // The tap is called last, so that viewers and triggers do not wait for it.
    if let tap {
      tap(published)
      published.release()
    }
  }

  private func spareCopy() -> Frame? {
    if let index = copies.firstReturned(from: 0) { return copies[index] }
    // Spare copies are created when first needed, because most drivers grant enough buffers without
    // them.
    guard copies.count < ringSize + 2 else { return nil }
    let bytes = device.frames.reduce(0) { max($0, $1.memory.byteCount) }
    let copy = Frame(
      slot: 1000 + copies.count, memory: FrameMemory(heap: bytes), returns: shared.signal)
    copies.append(copy)
    return copy
  }

  /// The number of frames that the ring keeps, which is all but three of the driver's buffers and
  /// at least three.
  var ringSize: Int { max(device.frames.count - 3, 3) }
}

// The functions use plain loops, because in unoptimized builds an iterator allocates for each
// element, and the test that the capture thread does not allocate also runs in such builds.
extension [Frame] {
  /// Returns the index of the first frame from `start` on that is neither queued nor in use.
  func firstReturned(from start: Int) -> Int? {
    var index = start
    while index < count {
      let frame = self[index]
      if !frame.isQueued && !frame.isInUse { return index }
      index += 1
    }
    return nil
  }

  /// The number of frames that are queued in the driver.
  var queuedCount: Int {
    var (index, queued) = (0, 0)
    while index < count {
      if self[index].isQueued { queued += 1 }
      index += 1
    }
    return queued
  }
}

extension FrameMemory {
  /// The number of bytes of all planes.
  var byteCount: Int { bytes.count + second.count + third.count }
}

extension Frame {
  /// Copies everything except the number and the use from `other`; bytes that do not fit are cut
  /// off.
  func copy(_ other: Frame) {
    sequence = other.sequence
    timestamp = other.timestamp
    timestampSource = other.timestampSource
    dequeued = other.dequeued
    inspection = other.inspection
    image = other.image.copied(into: memory.bytes)
  }
}
