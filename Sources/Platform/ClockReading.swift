import CLinux
import Glibc

/// The machine's clocks at one moment, and the trust in the calendar's clock.
public struct ClockReading: Sendable, Hashable {
  /// The source of trust in the calendar's clock.
  public enum Trust: Int, Sendable, Hashable, CaseIterable {
    /// No source: the clock may show any date.
    case none
    /// A battery-backed clock that the kernel read at the start and that still agrees.
    case battery
    /// A time source that the clock follows now: the kernel's `STA_UNSYNC` is off.
    case synchronized
  }

  /// The kernel's random name for this start of the machine: 32 hexadecimal digits.
  public var boot: String
  /// CLOCK_BOOTTIME, which setting the calendar's clock does not change.
  ///
  /// Unit: seconds.
  public var uptime: Int64
  /// CLOCK_REALTIME.
  ///
  /// Unit: seconds since 1970.
  public var time: Int64
  /// The source of trust in `time`.
  public var trust: Trust

  /// Creates a reading.
  public init(boot: String, uptime: Int64, time: Int64, trust: Trust) {
    self.boot = boot
    self.uptime = uptime
    self.time = time
    self.trust = trust
  }

  /// The time at which the machine was started, if `time` is right.
  ///
  /// A step of the calendar's clock changes the value. Unit: seconds since 1970.
  public var start: Int64 { time - uptime }

  /// Reads the clocks; callable from any thread, and never blocks on a disk.
  public static func now() -> ClockReading {
    var (running, time) = (timespec(), timespec())
    clock_gettime(CLOCK_BOOTTIME, &running)
    clock_gettime(CLOCK_REALTIME, &time)
    let trust: Trust =
      switch Int64(time.tv_sec) {
      case ..<WallClock.earliest: .none
      case _ where clinux_clock_is_synchronized(): .synchronized
      case let now: WallClock.hasBattery(at: now) ? .battery : .none
      }
    return ClockReading(
      boot: bootName, uptime: Int64(running.tv_sec), time: Int64(time.tv_sec), trust: trust)
  }

  /// The name of this start of the machine; random if the kernel does not tell it.
  private static let bootName: String = {
    let digits = WallClock.line("/proc/sys/kernel/random/boot_id").filter { $0 != "-" }
    if digits.utf8.count == 32, digits.allSatisfy({ $0.isHexDigit }) { return digits }
    let value = UInt64.random(in: .min ... .max)
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 32 - text.count) + text
  }()
}
