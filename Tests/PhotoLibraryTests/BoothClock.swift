import Platform
import Synchronization

@testable import PhotoLibrary

/// The clocks of a machine whose owner, battery and network a test plays.
final class BoothClock: Sendable {
  static let day: Int64 = 86_400

  struct State: Sendable {
    /// The true date.
    ///
    /// Unit of all: seconds.
    var truth: Int64 = 1_800_000_000
    /// How far the system's clock is ahead of the truth.
    var error: Int64 = 0
    /// How far the battery-backed clock is; nil: the machine has none.
    var batteryError: Int64?
    var isSynchronized = false
    var boot = 1
    var uptime: Int64 = 20
  }
  private let state: Mutex<State>

  init(error: Int64 = 0, batteryError: Int64? = nil, isSynchronized: Bool = false) {
    var start = State()
    (start.error, start.batteryError) = (batteryError ?? error, batteryError)
    start.isSynchronized = isSynchronized
    state = Mutex(start)
  }

  var reading: ClockReading {
    state.withLock { state in
      let time = state.truth + state.error
      let hasBattery = state.batteryError.map { abs($0 - state.error) <= 120 } ?? false
      let trust: ClockReading.Trust =
        time < WallClock.earliest
        ? .none : state.isSynchronized ? .synchronized : hasBattery ? .battery : .none
      let digits = String(state.boot, radix: 16)
      return ClockReading(
        boot: String(repeating: "0", count: 32 - digits.count) + digits, uptime: state.uptime,
        time: time, trust: trust)
    }
  }

  var truth: Int64 { state.withLock { $0.truth } }

  func pass(seconds: Int64) {
    state.withLock { state in
      state.truth += seconds
      state.uptime += seconds
    }
  }

  func pass(days: Int64) { pass(seconds: days * BoothClock.day) }

  /// A time source sets the clock, and the kernel the battery-backed one.
  func synchronize() {
    state.withLock { state in
      state.error = 0
      state.isSynchronized = true
      if state.batteryError != nil { state.batteryError = 0 }
    }
  }

  /// Marks the clock's current time, right or wrong, as that of a time source.
  func believe() { state.withLock { $0.isSynchronized = true } }

  /// Removes the time source.
  func disconnect() { state.withLock { $0.isSynchronized = false } }

  /// Sets the clock by hand, and the battery-backed clock if asked to.
  func set(error: Int64, alsoBattery: Bool = false) {
    state.withLock { state in
      state.error = error
      state.isSynchronized = false
      if alsoBattery, state.batteryError != nil { state.batteryError = error }
    }
  }

  /// The machine is off for some days; without a battery-backed clock it starts with that error.
  func restart(afterDays days: Int64, error: Int64 = 0, batteryStops: Bool = false) {
    state.withLock { state in
      state.truth += days * BoothClock.day
      if batteryStops, let before = state.batteryError {
        state.batteryError = before - days * BoothClock.day
      }
      state.error = state.batteryError ?? error
      state.isSynchronized = false
      state.boot += 1
      state.uptime = 20
    }
  }
}
