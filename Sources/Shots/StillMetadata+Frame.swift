import Capture
import Glibc
import Imaging
import Platform

extension StillMetadata {
  /// Creates the metadata of a frame's still.
  ///
  /// The caller holds a use of `frame`. The date is the frame's time by the machine's clock. If
  /// that clock was never set, the date is nil and ``lacksClock`` is true. `software` is the
  /// program's name and version.
  public init(of frame: Frame, camera: CameraIdentity? = nil, software: String? = nil) {
    self.init(of: frame, camera: camera, software: software, now: .now)
  }

  /// Creates the metadata of a frame's still; `now` is the present time by the camera's clock.
  package init(
    of frame: Frame, camera: CameraIdentity?, software: String?, now: MonotonicTime
  ) {
    self.init()
    make = camera.flatMap { $0.manufacturer.isEmpty ? nil : $0.manufacturer }
    model = camera?.name
    serial = camera.flatMap { $0.serial.isEmpty ? nil : $0.serial }
    self.software = software
    frameTime = frame.timestamp
    date = StillMetadata.wallClock(ago: now - frame.timestamp)
    lacksClock = date == nil
  }

  /// Returns the metadata of another frame of the same exposure, taken at `time`.
  package func of(frameAt time: MonotonicTime) -> StillMetadata {
    var other = self
    other.frameTime = time
    guard let known = frameTime else { return other }
    let later = time - known
    other.pressToFrame = pressToFrame.map { $0 + later }
    other.date = date.map { date in
      var date = date
      let nanoseconds = Int64(date.nanoseconds) + later.nanoseconds
      let part = (nanoseconds % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
      date.seconds += (nanoseconds - part) / 1_000_000_000
      date.nanoseconds = Int32(part)
      return date
    }
    return other
  }

  /// Returns the calendar date `ago` before now, or `nil` while the clock was never set.
  private static func wallClock(ago: Duration) -> Date? {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    guard WallClock.isSet else { return nil }
    let nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) - ago.nanoseconds
    var seconds = time_t(nanoseconds / 1_000_000_000)
    var local = tm()
    localtime_r(&seconds, &local)
    return Date(
      seconds: Int64(seconds), nanoseconds: Int32(nanoseconds % 1_000_000_000),
      offset: local.tm_gmtoff)
  }
}
