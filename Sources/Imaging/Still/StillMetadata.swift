import Platform

/// What a still's EXIF says, as far as it is known before the guest has decided.
public struct StillMetadata: Sendable, Equatable {
  /// An instant of the calendar, as the camera station's clock had it.
  public struct Date: Sendable, Equatable {
    /// Seconds since 1970, UTC.
    public var seconds: Int64
    /// Nanoseconds of the second.
    public var nanoseconds: Int32
    /// Seconds that local time is ahead of UTC.
    public var offset: Int

    /// Makes a date.
    public init(seconds: Int64, nanoseconds: Int32 = 0, offset: Int = 0) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
      self.offset = offset
    }
  }

  /// Who made the camera.
  public var make: String?
  /// The camera's name.
  public var model: String?
  /// The camera's serial number.
  public var serial: String?
  /// When the frame was taken; nil when the clock was never set.
  public var date: Date?
  /// Whether a missing date is said to be one of a clock that was never set.
  public var lacksClock = true
  /// The program's name and version: `Retake 1.0`.
  public var software: String?
  /// The session, as the program's logs name it.
  public var session: String?
  /// The frame's own time by the kernel.
  public var frameTime: MonotonicTime?
  /// How much later than the press (or the end of the countdown) the frame is.
  public var pressToFrame: Duration?
  /// Exposure time, where the device has the control.
  public var exposureTime: Duration?
  /// Whether somebody set the exposure, rather than the camera; nil where nobody knows.
  public var hasManualExposure: Bool?

  /// Makes metadata that says nothing yet.
  public init() {}

  /// The user comment: what EXIF has no field for.
  var comment: String {
    var parts: [String] = []
    if let session { parts.append("session=\(session)") }
    if let frameTime { parts.append("frame-time=\(frameTime.nanoseconds)ns") }
    if let pressToFrame { parts.append("press-to-frame=\(pressToFrame.nanoseconds / 1000)us") }
    if date == nil, lacksClock { parts.append("date=unknown (the clock was never set)") }
    return parts.joined(separator: " ")
  }
}
