import CLinux
import Glibc

/// The state of the calendar's clock.
public enum WallClock {
  /// The beginning of 2025: a clock with an earlier time was never set while this program existed.
  ///
  /// Unit: seconds since 1970.
  public static let earliest: Int64 = 1_735_689_600

  /// Whether the clock was ever set since the machine started.
  ///
  /// A Raspberry Pi has no battery for its clock. The clock starts in 1970 or, if systemd-timesyncd
  /// or fake-hwclock keep a file for that, with the last time at which the clock was known to be
  /// right. So a clock that follows a time server is set, and a clock that the kernel took from a
  /// battery-backed one. A clock in the past is not set, nor is one that still runs from such a
  /// file. A person who sets the clock moves the computed start away from the file's time.
  public static var isSet: Bool {
    let now = ClockReading.now()
    guard now.time >= earliest else { return false }
    if now.trust != .none { return true }
    return !restored.contains { path in
      var file = stat()
      guard stat(path, &file) == 0 else { return false }
      return isRestored(start: Int(now.start), file: Int(file.st_mtim.tv_sec))
    }
  }

  /// Returns whether a clock was set to a file's time when the machine started.
  ///
  /// `start` is the time of the machine's start by that clock.
  static func isRestored(start: Int, file: Int) -> Bool { abs(start - file) < 180 }

  private static let restored = ["/var/lib/systemd/timesync/clock", "/etc/fake-hwclock.data"]

  /// Returns whether the kernel took the time from a battery-backed clock that agrees with it now.
  ///
  /// A Raspberry Pi 5 without a battery has such a clock, too. That clock begins in 1970, and the
  /// system's clock is then restored from a file, so that the two differ.
  static func hasBattery(at time: Int64) -> Bool {
    hasBattery(
      took: line("/sys/class/rtc/rtc0/hctosys"), says: line("/sys/class/rtc/rtc0/since_epoch"),
      at: time)
  }

  /// Evaluates the kernel's text: whether it took the time, and the battery-backed clock's time.
  static func hasBattery(took: String, says: String, at time: Int64) -> Bool {
    guard took == "1", let battery = Int64(says), battery >= earliest else { return false }
    return (time - 120...time + 120).contains(battery)
  }

  /// Returns the first line of a small file of the kernel's; empty if the file is missing.
  static func line(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    return String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
