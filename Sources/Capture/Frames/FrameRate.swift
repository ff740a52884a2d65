/// A rate in frames per second, as the exact fraction that drivers use.
public struct FrameRate: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number of frames in ``seconds``.
  public var frames: UInt32
  /// The number of whole seconds for ``frames``.
  public var seconds: UInt32

  /// Creates the rate of `frames` in `seconds`; returns nil if either is zero.
  public init?(frames: UInt32, seconds: UInt32 = 1) {
    guard frames > 0, seconds > 0 else { return nil }
    self.frames = frames
    self.seconds = seconds
  }

  private init(whole: UInt32) {
    frames = whole
    seconds = 1
  }

  /// 30 frames a second.
  public static let thirty = FrameRate(whole: 30)
  /// 15 frames a second.
  public static let fifteen = FrameRate(whole: 15)

  /// Parses text like `30`, `7.5` or `30000/1001`; returns nil for other text and for rates above
  /// 1000.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let frames = UInt32(parts[0]), let seconds = UInt32(parts[1]) {
      self.init(frames: frames, seconds: seconds)
    } else if let whole = UInt32(text) {
      self.init(frames: whole)
    } else if let number = Double(text), number.isFinite, (0.001...1000).contains(number) {
      self.init(frames: UInt32((number * 1000).rounded()), seconds: 1000)
    } else {
      return nil
    }
    if perSecond > 1000 { return nil }
  }

  /// The rate in frames per second.
  public var perSecond: Double { Double(frames) / Double(seconds) }

  /// The time from a frame to the next.
  public var period: Duration {
    .nanoseconds(Int64((Double(seconds) * 1e9 / Double(frames)).rounded()))
  }

  /// Returns whether `lhs` is slower than `rhs`.
  public static func < (lhs: FrameRate, rhs: FrameRate) -> Bool {
    UInt64(lhs.frames) * UInt64(rhs.seconds) < UInt64(rhs.frames) * UInt64(lhs.seconds)
  }

  /// The text form, as in `30`, `7.5` or `29.97`.
  public var description: String {
    if frames % seconds == 0 { return "\(frames / seconds)" }
    let hundredths = Int((perSecond * 100).rounded())
    let rest = hundredths % 100
    if rest % 10 == 0 { return "\(hundredths / 100).\(rest / 10)" }
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
