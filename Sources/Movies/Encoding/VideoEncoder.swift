import CLibAV
import Glibc
import Imaging
import Platform

/// The one owner of an H.264 encoder of libavcodec.
///
/// One thread at a time. A class, since a session has one or none.
final class VideoEncoder {
  /// Ticks of timestamps in a second.
  static let timeBase = 90_000

  /// Each thread of the encoder holds frames of its own, so there are four at most.
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
        "the encoder \(encoder) cannot be used: \(result.1); set 'movie.codec' "
          + "to \"copy\", or install libavcodec with libx264")
    }
    self.handle = handle
  }

  deinit { clibav_encoder_free(handle) }

  /// Where the next picture goes.
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

  /// Encodes the picture, which is of that time in ticks.
  func send(at time: Int64) throws(MovieError) {
    try check(clibav_encoder_send(handle, time))
  }

  /// Says that there are no more pictures.
  func finish() throws(MovieError) { try check(clibav_encoder_finish(handle)) }

  /// A coded picture: units with start codes, valid until the next is asked for.
  struct Packet {
    var bytes: UnsafeRawBufferPointer
    var ticks: Int64
    var isKey: Bool
  }

  /// What is coded by now, one after the other; nil when there is no more for the moment.
  func next() throws(MovieError) -> Packet? {
    var packet = clibav_packet()
    guard try check(clibav_encoder_receive(handle, &packet)) == 1 else { return nil }
    return Packet(
      bytes: UnsafeRawBufferPointer(start: packet.bytes, count: packet.count), ticks: packet.time,
      isKey: packet.is_key)
  }

  /// The parameter sets that do not come with the pictures.
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

  /// Runs `body` with room for an error's words, and gives those, too.
  static func words<Value>(_ body: (UnsafeMutablePointer<CChar>?, Int) -> Value) -> (Value, String)
  {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      text.initialize(repeating: 0)
      let value = body(text.baseAddress, text.count)
      return (value, text.baseAddress.map { String(cString: $0) } ?? "")
    }
  }

  /// Runs `body` with the settings for a plan.
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
