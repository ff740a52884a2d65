import CExif
import Glibc

/// The sole owner of a libexif `ExifData`.
struct ExifWriter: ~Copyable {
  private let data: UnsafeMutablePointer<ExifData>
  private let order = EXIF_BYTE_ORDER_INTEL

  init?() {
    guard let made = exif_data_new() else { return nil }
    data = made
    exif_data_set_option(made, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    exif_data_set_data_type(made, EXIF_DATA_TYPE_COMPRESSED)
    exif_data_set_byte_order(made, order)
  }

  deinit { exif_data_unref(data) }

  /// Adds an entry of `count` values of `format` and lets `write` fill its bytes.
  private func add(
    _ directory: ExifIfd, _ tag: ExifTag, _ format: ExifFormat, count: Int, bytes: Int,
    _ write: (UnsafeMutablePointer<UInt8>) -> Void
  ) {
    let memory = exif_mem_new_default()
    defer { exif_mem_unref(memory) }
    guard let memory, let entry = exif_entry_new_mem(memory) else { return }
    defer { exif_entry_unref(entry) }
    guard let space = exif_mem_alloc(memory, ExifLong(bytes)) else { return }
    write(space.assumingMemoryBound(to: UInt8.self))
    entry.pointee.tag = tag
    entry.pointee.format = format
    entry.pointee.components = UInt(count)
    entry.pointee.data = space.assumingMemoryBound(to: UInt8.self)
    entry.pointee.size = UInt32(bytes)
    withUnsafePointer(to: &data.pointee.ifd) { directories in
      directories.withMemoryRebound(to: UnsafeMutablePointer<ExifContent>?.self, capacity: 5) {
        guard let content = $0[Int(directory.rawValue)] else { return }
        exif_content_add_entry(content, entry)
      }
    }
  }

  func set(_ directory: ExifIfd, _ tag: ExifTag, text: String?) {
    guard let text, !text.isEmpty else { return }
    let bytes = StillMetadata.plain(text) + [0]
    add(directory, tag, EXIF_FORMAT_ASCII, count: bytes.count, bytes: bytes.count) { target in
      target.update(from: bytes, count: bytes.count)
    }
  }

  func set(_ directory: ExifIfd, _ tag: ExifTag, undefined bytes: [UInt8]) {
    add(directory, tag, EXIF_FORMAT_UNDEFINED, count: bytes.count, bytes: bytes.count) { target in
      target.update(from: bytes, count: bytes.count)
    }
  }

  func set(_ directory: ExifIfd, _ tag: ExifTag, short value: UInt16) {
    add(directory, tag, EXIF_FORMAT_SHORT, count: 1, bytes: 2) { [order] in
      exif_set_short($0, order, value)
    }
  }

  func set(_ directory: ExifIfd, _ tag: ExifTag, long value: UInt32) {
    add(directory, tag, EXIF_FORMAT_LONG, count: 1, bytes: 4) { [order] in
      exif_set_long($0, order, value)
    }
  }

  func set(_ directory: ExifIfd, _ tag: ExifTag, rational value: (UInt32, UInt32)) {
    add(directory, tag, EXIF_FORMAT_RATIONAL, count: 1, bytes: 8) { [order] in
      exif_set_rational($0, order, ExifRational(numerator: value.0, denominator: value.1))
    }
  }

  /// Returns the finished APP1 segment with its marker and length, or nil if memory runs out.
  func segment(thumbnail: UnsafeRawBufferPointer?) -> [UInt8]? {
    if let thumbnail, let segment = save(thumbnail) { return segment }
    return save(nil)
  }

  private func save(_ thumbnail: UnsafeRawBufferPointer?) -> [UInt8]? {
    // The thumbnail is lent to libexif only for this call, because libexif frees what it holds at
    // the end.
    if let thumbnail {
      data.pointee.data = UnsafeMutablePointer(
        mutating: thumbnail.baseAddress?.assumingMemoryBound(to: UInt8.self))
      data.pointee.size = UInt32(clamping: thumbnail.count)
      set(EXIF_IFD_1, EXIF_TAG_COMPRESSION, short: 6)
      set(EXIF_IFD_1, EXIF_TAG_X_RESOLUTION, rational: (72, 1))
      set(EXIF_IFD_1, EXIF_TAG_Y_RESOLUTION, rational: (72, 1))
      set(EXIF_IFD_1, EXIF_TAG_RESOLUTION_UNIT, short: 2)
    }
    defer {
      data.pointee.data = nil
      data.pointee.size = 0
    }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt32 = 0
    exif_data_save_data(data, &bytes, &count)
    guard let bytes else { return nil }
    defer { free(bytes) }
    let length = Int(count) + 2
    guard count > 0, length <= 0xFFFF else { return nil }
    return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
      + UnsafeBufferPointer(start: bytes, count: Int(count))
  }
}
