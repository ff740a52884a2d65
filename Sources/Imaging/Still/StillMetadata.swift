import Platform

/// The metadata of a still for EXIF, as known before the guest has decided.
public struct StillMetadata: Sendable, Equatable {
  /// A calendar time by the station's clock.
  public struct Date: Sendable, Equatable {
    /// The seconds since 1970, in UTC.
    public var seconds: Int64
    /// The nanoseconds of the second.
    public var nanoseconds: Int32
    /// The offset of local time from UTC in seconds, positive to the east.
    public var offset: Int

    /// Creates a date.
    public init(seconds: Int64, nanoseconds: Int32 = 0, offset: Int = 0) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
      self.offset = offset
    }
  }

  /// The camera's manufacturer.
  public var make: String?
  /// The camera's name.
  public var model: String?
  /// The camera's serial number.
  public var serial: String?
  /// The time at which the frame was taken; nil if the clock was never set.
  public var date: Date?
  /// Whether the machine's clock was never set, which the comment then says of a missing date.
  public var lacksClock = false
  /// The program's name and version, such as `Retake 1.0`.
  public var software: String?
  /// The session's name in the program's logs.
  public var session: String?
  /// The kernel's timestamp of the frame.
  public var frameTime: MonotonicTime?
  /// The time from the press (or the end of the countdown) to the frame.
  public var pressToFrame: Duration?
  /// The exposure time; nil if the device does not report it.
  public var exposureTime: Duration?
  /// Whether the exposure was set by hand instead of by the camera; nil if unknown.
  public var hasManualExposure: Bool?

  /// Creates empty metadata.
  public init() {}

  /// The text of the user comment, for values that have no EXIF field.
  var comment: String {
    var parts: [String] = []
    if let session { parts.append("session=\(session)") }
    if let frameTime { parts.append("frame-time=\(frameTime.nanoseconds)ns") }
    if let pressToFrame { parts.append("press-to-frame=\(pressToFrame.nanoseconds / 1000)us") }
    if date == nil, lacksClock { parts.append("date=unknown (the clock was never set)") }
    return parts.joined(separator: " ")
  }
}
