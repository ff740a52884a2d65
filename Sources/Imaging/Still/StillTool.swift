import Media

/// What `retake still` does: a file or a raw dump in, a still out.
public struct StillTool: ~Copyable, @unchecked Sendable {
  /// What a raw dump holds, as in `YUYV:1920x1080`.
  public struct RawDescription: Equatable, Sendable, CustomStringConvertible {
    /// What the bytes are.
    public var format: PixelFormat
    /// The picture's size.
    public var size: PixelSize

    /// Makes a description.
    public init(format: PixelFormat, size: PixelSize) {
      self.format = format
      self.size = size
    }

    /// Reads `YUYV:1920x1080`; nil for anything else.
    public init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let format = PixelFormat(String(parts[0])),
        let size = PixelSize(String(parts[1]))
      else { return nil }
      self.init(format: format, size: size)
    }

    /// As it is read.
    public var description: String { "\(format):\(size)" }
  }

  private var maker: StillMaker

  /// Makes a tool.
  public init(quality: Int = 95) {
    maker = StillMaker(quality: quality)
  }

  /// The still of a file's bytes.
  ///
  /// `name` is the file's name: a picture of another kind than it says is refused. With `raw` the
  /// bytes are a dump of one frame without padding. A JPEG's own EXIF orientation is honoured
  /// first. What is no camera's frame (progressive, PNG) is opened as a picture from outside and
  /// encoded anew.
  public mutating func still(
    of bytes: UnsafeRawBufferPointer, name: String = "", raw: RawDescription? = nil,
    orientation: Orientation, box: PixelRect? = nil, metadata: StillMetadata? = nil
  ) throws(StillError) -> Still {
    if let raw { return try still(of: bytes, raw, orientation, box, metadata) }
    let header = try PictureHeader(bytes)
    try Self.check(name, header)
    let inspection = header.kind == .baseline ? JPEGGate.inspect(bytes) : nil
    guard let inspection, inspection.isUsable else {
      return try still(of: bytes, header, orientation, box, metadata)
    }
    guard header.orientation != .upright else {
      return try still(ofJPEG: bytes, inspection, orientation, box, metadata)
    }
    var first = header.orientation.orientation
    first.isExact = orientation.isExact
    let upright = try still(ofJPEG: bytes, inspection, first, nil, nil)
    return try upright.withPicture { (bytes) throws(StillError) in
      try still(ofJPEG: bytes, JPEGGate.inspect(bytes), orientation, box, metadata)
    }
  }

  // What no camera sends; its box is in its own pixels, too, however large it is.
  private func still(
    of bytes: UnsafeRawBufferPointer, _ header: PictureHeader, _ orientation: Orientation,
    _ box: PixelRect?, _ metadata: StillMetadata?
  ) throws(StillError) -> Still {
    let size = header.uprightSize
    if let box { try StillMaker.check(box, size, orientation) }
    let geometry = StillGeometry(orientation, frame: size, box: box)
    var editor = PictureEditor(quality: maker.quality)
    return try editor.changed(
      bytes, header,
      PictureEditor.Change(
        crop: geometry.crop, turns: geometry.turns, isMirrored: geometry.isMirrored), metadata)
  }

  private mutating func still(
    ofJPEG bytes: UnsafeRawBufferPointer, _ inspection: FrameInspection, _ orientation: Orientation,
    _ box: PixelRect?, _ metadata: StillMetadata?
  ) throws(StillError) -> Still {
    let image = FrameImage(bytes: bytes, format: .jpeg, size: inspection.size, bytesPerLine: 0)
    return try maker.make(
      image, inspection: inspection, orientation: orientation, box: box, metadata: metadata)
  }

  private mutating func still(
    of bytes: UnsafeRawBufferPointer, _ raw: RawDescription, _ orientation: Orientation,
    _ box: PixelRect?, _ metadata: StillMetadata?
  ) throws(StillError) -> Still {
    guard RawLayout(raw.format) != nil else {
      throw StillError(
        .unsupported, "\(raw.format) is no raw format that a still can be made of; try YUYV")
    }
    let image = FrameImage(bytes: bytes, format: raw.format, size: raw.size, bytesPerLine: 0)
    let inspection = RawGate.inspect(image)
    guard inspection.isUsable else {
      throw StillError(
        .unsupported,
        "the file has \(bytes.count) bytes, too few for \(raw); give the format and size it has")
    }
    // Dumps may hold frames one after the other, and drivers round up to a page.
    let frame = image.expectedBytes
    guard frame > 0, bytes.count % frame < 4096 else {
      throw StillError(
        .unsupported,
        "the file has \(bytes.count) bytes, and a frame of \(raw) has \(frame); "
          + "give the format and size it has")
    }
    return try maker.make(
      image, inspection: inspection, orientation: orientation, box: box, metadata: metadata)
  }

  private static func check(_ name: String, _ header: PictureHeader) throws(StillError) {
    let kind = name.split(separator: ".").last.map { $0.lowercased() }
    let isPNG = header.kind == .png
    guard let kind, name.contains(".") else { return }
    let own = isPNG ? ["png"] : ["jpg", "jpeg", "jpe", "jfif", "mjpg", "mjpeg"]
    guard pictureKinds.contains(kind), !own.contains(kind) else { return }
    throw StillError(
      .unsupported,
      "\(name) is a \(isPNG ? "PNG" : "JPEG") picture, not what its name says; rename it")
  }

  private static let pictureKinds: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "mjpg", "mjpeg", "png", "gif", "webp", "bmp", "tif", "tiff",
    "heic", "heif", "avif", "jxl", "jp2",
  ]
}
