import CLinux
import Glibc

/// What is known of the calendar's clock.
public enum WallClock {
  /// Whether the clock was ever set since the machine started.
  ///
  /// A Raspberry Pi has no battery for its clock. It starts in 1970, or, where systemd-timesyncd or
  /// fake-hwclock keep a file for that, with the time at which the clock was last known to be
  /// right. So a clock that follows a time server is set, and one that the kernel took from a
  /// battery-backed clock; a clock in the past is not, nor is one that still runs from such a
  /// file. Somebody who sets it by hand moves the start away from the file's time.
  public static var isSet: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    // Before the first version of this program.
    guard now.tv_sec > 1_735_689_600 else { return false }  // 2025-01-01
    if clinux_clock_is_synchronized() || hasBattery { return true }
    var running = timespec()
    clock_gettime(CLOCK_BOOTTIME, &running)
    let start = Int(now.tv_sec) - Int(running.tv_sec)
    return !restored.contains { path in
      var file = stat()
      guard stat(path, &file) == 0 else { return false }
      return isRestored(start: start, file: Int(file.st_mtim.tv_sec))
    }
  }

  /// Whether a clock that says that the machine started at `start` was put to a file's time then.
  static func isRestored(start: Int, file: Int) -> Bool { abs(start - file) < 180 }

  private static let restored = ["/var/lib/systemd/timesync/clock", "/etc/fake-hwclock.data"]

  /// Whether the kernel took the time from a battery-backed clock.
  private static var hasBattery: Bool {
    let file = open("/sys/class/rtc/rtc0/hctosys", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var byte: UInt8 = 0
    return read(file, &byte, 1) == 1 && byte == UInt8(ascii: "1")
  }
}
