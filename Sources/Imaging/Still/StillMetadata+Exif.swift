import CExif
import Glibc
import Media
import Platform

extension StillMetadata {
  /// Returns the APP1 segment with its marker for a still of `size`, or nil if memory runs out.
  ///
  /// `thumbnail` is a small JPEG, which is left out if the segment would exceed 64 KB. Source: EXIF
  /// 2.32.
  func segment(size: PixelSize, thumbnail: [UInt8]? = nil) -> [UInt8]? {
    guard let exif = ExifWriter() else { return nil }
    exif.set(EXIF_IFD_0, EXIF_TAG_MAKE, text: make)
    exif.set(EXIF_IFD_0, EXIF_TAG_MODEL, text: model)
    exif.set(EXIF_IFD_0, EXIF_TAG_SOFTWARE, text: software)
    exif.set(EXIF_IFD_0, EXIF_TAG_ORIENTATION, short: 1)
    exif.set(EXIF_IFD_0, EXIF_TAG_X_RESOLUTION, rational: (72, 1))
    exif.set(EXIF_IFD_0, EXIF_TAG_Y_RESOLUTION, rational: (72, 1))
    exif.set(EXIF_IFD_0, EXIF_TAG_RESOLUTION_UNIT, short: 2)
    exif.set(EXIF_IFD_0, EXIF_TAG_YCBCR_POSITIONING, short: 1)
    exif.set(EXIF_IFD_EXIF, EXIF_TAG_EXIF_VERSION, undefined: Array("0231".utf8))
    exif.set(EXIF_IFD_EXIF, EXIF_TAG_COMPONENTS_CONFIGURATION, undefined: [1, 2, 3, 0])
    exif.set(EXIF_IFD_EXIF, EXIF_TAG_FLASH_PIX_VERSION, undefined: Array("0100".utf8))
    exif.set(EXIF_IFD_EXIF, EXIF_TAG_COLOR_SPACE, short: 1)
    exif.set(EXIF_IFD_EXIF, EXIF_TAG_PIXEL_X_DIMENSION, long: UInt32(clamping: size.width))
    exif.set(EXIF_IFD_EXIF, EXIF_TAG_PIXEL_Y_DIMENSION, long: UInt32(clamping: size.height))
    exif.set(EXIF_IFD_EXIF, EXIF_TAG_BODY_SERIAL_NUMBER, text: serial)
    if let exposureTime, exposureTime > .zero {
      let microseconds = UInt32(clamping: exposureTime.nanoseconds / 1000)
      exif.set(EXIF_IFD_EXIF, EXIF_TAG_EXPOSURE_TIME, rational: (microseconds, 1_000_000))
    }
    if let hasManualExposure {
      exif.set(EXIF_IFD_EXIF, EXIF_TAG_EXPOSURE_MODE, short: hasManualExposure ? 1 : 0)
    }
    if let date, let text = date.text {
      exif.set(EXIF_IFD_0, EXIF_TAG_DATE_TIME, text: text)
      exif.set(EXIF_IFD_EXIF, EXIF_TAG_DATE_TIME_ORIGINAL, text: text)
      exif.set(EXIF_IFD_EXIF, EXIF_TAG_DATE_TIME_DIGITIZED, text: text)
      let (offset, fraction) = (date.offsetText, date.fraction)
      exif.set(EXIF_IFD_EXIF, EXIF_TAG_OFFSET_TIME, text: offset)
      exif.set(EXIF_IFD_EXIF, EXIF_TAG_OFFSET_TIME_ORIGINAL, text: offset)
      exif.set(EXIF_IFD_EXIF, EXIF_TAG_OFFSET_TIME_DIGITIZED, text: offset)
      exif.set(EXIF_IFD_EXIF, EXIF_TAG_SUB_SEC_TIME, text: fraction)
      exif.set(EXIF_IFD_EXIF, EXIF_TAG_SUB_SEC_TIME_ORIGINAL, text: fraction)
      exif.set(EXIF_IFD_EXIF, EXIF_TAG_SUB_SEC_TIME_DIGITIZED, text: fraction)
    }
    let comment = comment
    if !comment.isEmpty {
      exif.set(
        EXIF_IFD_EXIF, EXIF_TAG_USER_COMMENT,
        undefined: Array("ASCII\0\0\0".utf8) + Self.plain(comment))
    }
    guard let thumbnail else { return exif.segment(thumbnail: nil) }
    return thumbnail.withUnsafeBytes { exif.segment(thumbnail: $0) }
  }

  /// Returns text as ASCII for EXIF, with at most 1024 characters; other characters become question
  /// marks.
  static func plain(_ text: String) -> [UInt8] {
    text.unicodeScalars.prefix(1024).map {
      (0x20..<0x7F).contains($0.value) ? UInt8($0.value) : UInt8(ascii: "?")
    }
  }
}

extension StillMetadata.Date {
  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// The local time in EXIF's format; nil for years outside 0...9999.
  var text: String? {
    var time = time_t(clamping: seconds.addingReportingOverflow(Int64(offset)).partialValue)
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil, (0...9999).contains(Int(parts.tm_year) + 1900) else {
      return nil
    }
    let day = [
      Self.padded(Int(parts.tm_year) + 1900, 4), Self.padded(Int(parts.tm_mon) + 1, 2),
      Self.padded(Int(parts.tm_mday), 2),
    ].joined(separator: ":")
    let hour = [
      Self.padded(Int(parts.tm_hour), 2), Self.padded(Int(parts.tm_min), 2),
      Self.padded(Int(parts.tm_sec), 2),
    ].joined(separator: ":")
    return "\(day) \(hour)"
  }

  /// The offset from UTC, as in `+02:00`.
  var offsetText: String {
    let minutes = abs(max(-86_340, min(86_340, offset))) / 60
    return (offset < 0 ? "-" : "+") + Self.padded(minutes / 60, 2) + ":"
      + Self.padded(minutes % 60, 2)
  }

  /// The milliseconds of the second, with three digits.
  var fraction: String { Self.padded(Int(max(0, min(999_999_999, nanoseconds))) / 1_000_000, 3) }
}
