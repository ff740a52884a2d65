import Media

/// How many bytes a raw picture needs, by its format, its size and its bytes per line.
enum RawLayout {
  /// Whether a raw frame has all its bytes; formats that are not known, and JPEG, pass.
  static func isComplete(_ image: FrameImage) -> Bool {
    guard let need = needed(image) else { return true }
    guard let planes = image.planes else { return image.bytes.count >= need.total }
    return image.bytes.count >= need.first
      && planes.0.count >= need.rest(planes.1, planes.2.isEmpty)
      && (planes.2.isEmpty || planes.2.count >= need.rest(planes.3, false))
  }

  private struct Need {
    /// Rows of chroma, and bytes of one of them without padding, in each further plane.
    var rows = 0
    var row = 0
    /// Bytes of the first plane without the last row's padding.
    var first = 0
    /// Bytes of all planes when they follow each other.
    var total = 0

    func rest(_ bytesPerLine: Int, _ isInterleaved: Bool) -> Int {
      let row = isInterleaved ? self.row : (self.row + 1) / 2
      return max(rows - 1, 0) * max(bytesPerLine, row) + row
    }
  }

  private static func needed(_ image: FrameImage) -> Need? {
    let (width, height) = (image.size.width, image.size.height)
    guard width > 0, height > 0 else { return nil }
    let half = (height + 1) / 2
    let evenWidth = (width + 1) / 2 * 2
    switch image.format.description {
    case "YUYV", "UYVY", "YVYU", "VYUY":
      return need(image, bytes: evenWidth * 2, rows: 0, chroma: 0)
    case "GREY": return need(image, bytes: width, rows: 0, chroma: 0)
    case "NV12", "NV21", "NM12", "NM21":
      return need(image, bytes: width, rows: half, chroma: evenWidth)
    case "NV16", "NV61", "NM16", "NM61":
      return need(image, bytes: width, rows: height, chroma: evenWidth)
    case "YU12", "YV12", "YM12", "YM21":
      return need(image, bytes: width, rows: half, chroma: evenWidth, isSplit: true)
    case "422P": return need(image, bytes: width, rows: height, chroma: evenWidth, isSplit: true)
    default:
      return ConvertibleFormats.rowBytes(image.format, width).map {
        need(image, bytes: $0, rows: 0, chroma: 0)
      }
    }
  }

  private static func need(
    _ image: FrameImage, bytes: Int, rows: Int, chroma: Int, isSplit: Bool = false
  ) -> Need {
    let line = max(image.bytesPerLine, bytes)
    let first = line * (image.size.height - 1) + bytes
    guard rows > 0 else { return Need(first: first, total: first) }
    // The chroma lines of two separate planes are half as long as the luma's.
    let last = isSplit ? (chroma + 1) / 2 : chroma
    let lines = isSplit ? rows * 2 : rows
    let chromaLine = isSplit ? (line + 1) / 2 : line
    return Need(
      rows: rows, row: chroma, first: first,
      total: line * image.size.height + chromaLine * (lines - 1) + last)
  }
}
