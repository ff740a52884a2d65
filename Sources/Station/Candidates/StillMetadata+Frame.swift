import Capture
import Glibc
import ImagePicker
import Imaging
import Platform
import StationConfiguration

extension StillMetadata {
  /// Creates the metadata of a frame's still, before the guest has decided.
  init(
    of frame: Frame, identity: CameraIdentity?, session: SessionID?, moment: MonotonicTime,
    exposure: ExposureReading?, now: MonotonicTime
  ) {
    self.init()
    make = identity.flatMap { $0.manufacturer.isEmpty ? nil : $0.manufacturer }
    model = identity?.name
    exposureTime = exposure?.time
    hasManualExposure = exposure?.isManual
    serial = identity.flatMap { $0.serial.isEmpty ? nil : $0.serial }
    software = "Retake \(Retake.version)"
    self.session = session.map { "\($0.rawValue)" }
    frameTime = frame.timestamp
    pressToFrame = frame.timestamp - moment
    date = StillMetadata.wallClock(ago: now - frame.timestamp)
  }

  /// Returns the metadata of another frame of the same exposure, taken at `time`.
  func of(frameAt time: MonotonicTime) -> StillMetadata {
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
  static func wallClock(ago: Duration) -> Date? {
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
