import CVideo4Linux
import Media

/// A size that a format offers, with its rates.
public struct SizeOffer: Equatable, Sendable {
  /// The size in pixels.
  public var size: PixelSize
  /// The rates that the driver lists, highest first; empty if the driver lists none.
  public var rates: [FrameRate]

  /// Creates an offer.
  public init(size: PixelSize, rates: [FrameRate]) {
    self.size = size
    self.rates = rates
  }
}

/// A format that a camera offers.
public struct FormatOffer: Equatable, Sendable {
  /// The format.
  public var format: PixelFormat
  /// The driver's description of the format.
  public var text: String
  /// Whether frames in the format are compressed.
  public var isCompressed: Bool
  /// Whether the driver or a library converts the format from another.
  public var isEmulated: Bool
  /// The sizes of the format.
  ///
  /// For a driver that accepts any size, these are common sizes and the driver's current one.
  public var sizes: [SizeOffer]
  /// Whether sizes between those in ``sizes`` are possible as well.
  public var hasAnySize: Bool

  /// Creates an offer.
  public init(
    format: PixelFormat, text: String = "", isCompressed: Bool = false, isEmulated: Bool = false,
    sizes: [SizeOffer], hasAnySize: Bool = false
  ) {
    self.format = format
    self.text = text
    self.isCompressed = isCompressed
    self.isEmulated = isEmulated
    self.sizes = sizes
    self.hasAnySize = hasAnySize
  }
}

extension VideoDevice {
  // A faulty driver may enumerate for ever, so the loops are bounded.
  private static let most: UInt32 = 256
  private static let mostAnswers = 16_384

  /// Returns all formats, sizes and rates that the driver lists.
  func offers(wish: FrameRate = .thirty) -> [FormatOffer] {
    let followsSignal = followsSignal()
    var offers: [FormatOffer] = []
    var left = VideoDevice.mostAnswers
    for index in 0..<VideoDevice.most {
      var answer = v4l2_fmtdesc()
      answer.index = index
      answer.type = capability.bufferType
      guard tries(cv4l2_enum_fmt, &answer) else { break }
      let format = PixelFormat(rawValue: answer.pixelformat)
      guard !offers.contains(where: { $0.format == format }) else { continue }
      let (sizes, any) = sizes(format, wish, &left, followsSignal: followsSignal)
      offers.append(
        FormatOffer(
          format: format, text: text(answer.description),
          isCompressed: answer.flags & UInt32(V4L2_FMT_FLAG_COMPRESSED) != 0,
          isEmulated: answer.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0, sizes: sizes,
          hasAnySize: any))
    }
    return offers
  }

  private static let usual = [
    (3840, 2160), (2592, 1944), (2560, 1440), (1920, 1440), (1920, 1080), (1600, 1200),
    (1280, 960), (1280, 720), (1024, 768), (800, 600), (640, 480), (640, 360), (320, 240),
  ].map { PixelSize(width: $0.0, height: $0.1) }

  private func sizes(
    _ format: PixelFormat, _ wish: FrameRate, _ left: inout Int, followsSignal: Bool
  ) -> ([SizeOffer], Bool) {
    var found: [PixelSize] = []
    var hasAnySize = false
    for index in 0..<VideoDevice.most {
      var answer = v4l2_frmsizeenum()
      answer.index = index
      answer.pixel_format = format.rawValue
      left -= 1
      guard left > 0, tries(cv4l2_enum_framesizes, &answer) else { break }
      if answer.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
        add(answer.discrete.width, answer.discrete.height, to: &found)
      } else {
        hasAnySize = true
        let range = answer.stepwise
        // A receiver's scaling adds nothing, so only the signal's own size is used.
        if followsSignal { break }
        for size in VideoDevice.usual where range.contains(size) { found.append(size) }
        break
      }
    }
    if found.isEmpty || hasAnySize, let current = currentMode() {
      add(UInt32(current.size.width), UInt32(current.size.height), to: &found)
      if found.count == 1 { hasAnySize = true }
    }
    var offers: [SizeOffer] = []
    for size in found {
      offers.append(SizeOffer(size: size, rates: rates(format, size, wish, &left)))
    }
    return (offers, hasAnySize)
  }

  private func add(_ width: UInt32, _ height: UInt32, to sizes: inout [PixelSize]) {
    guard (1...65535).contains(width), (1...65535).contains(height) else { return }
    let size = PixelSize(width: Int(width), height: Int(height))
    if !sizes.contains(size) { sizes.append(size) }
  }

  private func rates(
    _ format: PixelFormat, _ size: PixelSize, _ wish: FrameRate, _ left: inout Int
  ) -> [FrameRate] {
    var rates: Set<FrameRate> = []
    for index in 0..<VideoDevice.most {
      var answer = v4l2_frmivalenum()
      answer.index = index
      answer.pixel_format = format.rawValue
      answer.width = UInt32(size.width)
      answer.height = UInt32(size.height)
      left -= 1
      guard left > 0, tries(cv4l2_enum_frameintervals, &answer) else { break }
      if answer.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
        if let rate = FrameRate(interval: answer.discrete) { rates.insert(rate) }
      } else {
        // The range gives intervals, of which the shortest is the highest rate.
        let range = answer.stepwise
        guard let fast = FrameRate(interval: range.min), let slow = FrameRate(interval: range.max)
        else { break }
        rates.formUnion([fast, slow])
        if slow < wish, wish < fast { rates.insert(wish) }
        break
      }
    }
    return rates.sorted(by: >)
  }

  /// Returns the mode that the driver has set now, or nil if it does not answer.
  func currentMode() -> CameraMode? {
    var answer = v4l2_format()
    answer.type = capability.bufferType
    guard tries(cv4l2_g_fmt, &answer) else { return nil }
    return mode(answer)
  }
}

extension FrameRate {
  /// Creates the rate of that time between frames, or returns nil if a number is zero.
  init?(interval: v4l2_fract) {
    self.init(frames: interval.denominator, seconds: interval.numerator)
  }
}

extension v4l2_frmsize_stepwise {
  fileprivate func contains(_ size: PixelSize) -> Bool {
    func fits(_ value: Int, _ least: UInt32, _ most: UInt32, _ step: UInt32) -> Bool {
      guard value >= Int(least), value <= Int(most) else { return false }
      return step <= 1 || (value - Int(least)) % Int(step) == 0
    }
    return fits(size.width, min_width, max_width, step_width)
      && fits(size.height, min_height, max_height, step_height)
  }
}
