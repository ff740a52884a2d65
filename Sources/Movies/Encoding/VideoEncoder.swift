import CLibAV
import Glibc
import Imaging
import Platform

/// The single owner of an H.264 encoder of libavcodec.
///
/// For one thread at a time. The type is a class because a session may have none.
final class VideoEncoder {
  /// The ticks of timestamps in a second.
  static let timeBase = 90_000

  /// The number of the encoder's threads, at most four because each holds frames of its own.
  static let threads = min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), 4)

  private let handle: OpaquePointer

  init(_ plan: MoviePlan) throws(MovieError) {
    guard case .h264(let encoder, let preset) = plan.coding else {
      throw MovieError(.unsupported, "no encoder is needed for the codec copy")
    }
    let result = VideoEncoder.with(plan, encoder, preset) { settings in
      VideoEncoder.words { text, room in clibav_encoder_open(settings, text, room) }
    }
    guard let handle = result.0 else {
      throw MovieError(
        .noEncoder,
        "the encoder \(encoder) cannot be used: \(result.1)",
        fix: "set 'movie.codec' to \"copy\", or install libavcodec with libx264")
    }
    self.handle = handle
  }

  deinit { clibav_encoder_free(handle) }

  /// Returns the planes of the next picture, for the caller to fill.
  func picture() throws(MovieError) -> MoviePlanes {
    var planes:
      (
        UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?,
        UnsafeMutablePointer<UInt8>?
      ) = (nil, nil, nil)
    var strides: (Int32, Int32, Int32) = (0, 0, 0)
    let isThere = withUnsafeMutableBytes(of: &planes) { planes in
      withUnsafeMutableBytes(of: &strides) { strides in
        clibav_encoder_picture(
          handle,
          planes.baseAddress?.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self),
          strides.baseAddress?.assumingMemoryBound(to: Int32.self))
      }
    }
    guard isThere, let luma = planes.0, let blue = planes.1, let red = planes.2 else {
      throw MovieError(.encoder, "there is no memory for a movie's picture; stop other programs")
    }
    return MoviePlanes(
      luma: luma, blue: blue, red: red,
      strides: (Int(strides.0), Int(strides.1), Int(strides.2)))
  }

  /// Encodes the picture, whose time is in ticks.
  func send(at time: Int64) throws(MovieError) {
    try check(clibav_encoder_send(handle, time))
  }

  /// Tells the encoder that there are no more pictures.
  func finish() throws(MovieError) { try check(clibav_encoder_finish(handle)) }

  /// A coded picture in units with start codes; the bytes are valid until the next packet.
  struct Packet {
    var bytes: UnsafeRawBufferPointer
    var ticks: Int64
    var isKey: Bool
  }

  /// Returns the next coded picture; nil if none is ready now.
  func next() throws(MovieError) -> Packet? {
    var packet = clibav_packet()
    guard try check(clibav_encoder_receive(handle, &packet)) == 1 else { return nil }
    return Packet(
      bytes: UnsafeRawBufferPointer(start: packet.bytes, count: packet.count), ticks: packet.time,
      isKey: packet.is_key)
  }

  /// The parameter sets, if the encoder has them before its first picture.
  var header: [UInt8] {
    var count = 0
    let start = clibav_encoder_header(handle, &count)
    return Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  @discardableResult
  private func check(_ result: Int32) throws(MovieError) -> Int32 {
    guard result < 0 else { return result }
    let reason = VideoEncoder.words { text, room in clibav_error(result, text, room) }.1
    throw MovieError(.encoder, "the encoder failed: \(reason)")
  }

  /// Runs `body` with a buffer for an error's text, and returns that text, too.
  static func words<Value>(_ body: (UnsafeMutablePointer<CChar>?, Int) -> Value) -> (Value, String)
  {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      text.initialize(repeating: 0)
      let value = body(text.baseAddress, text.count)
      return (value, text.baseAddress.map { String(cString: $0) } ?? "")
    }
  }

  /// Runs `body` with the encoder settings for a plan.
  static func with<Value>(
    _ plan: MoviePlan, _ encoder: String, _ preset: String?,
    _ body: (UnsafePointer<clibav_settings>) -> Value
  ) -> Value {
    encoder.withCString { name in
      func run(_ preset: UnsafePointer<CChar>?) -> Value {
        var settings = clibav_settings()
        settings.encoder = name
        settings.preset = preset
        settings.width = Int32(clamping: plan.size.width)
        settings.height = Int32(clamping: plan.size.height)
        settings.rate = Int32((plan.rate * 1000).rounded())
        settings.rate_seconds = 1000
        settings.time_base = Int32(timeBase)
        settings.constant_rate_factor = Int32(plan.settings.constantRateFactor)
        settings.bit_rate = Int64(plan.bitRate)
        settings.key_interval = Int32(max(1, plan.rate.rounded()))
        settings.threads = Int32(clamping: threads)
        settings.is_bt709 = plan.isBT709
        return withUnsafePointer(to: &settings, body)
      }
      guard let preset else { return run(nil) }
      return preset.withCString(run)
    }
  }
}
