import Media

/// The work of `retake still`, which makes a still from a file or a raw dump.
public struct StillTool: ~Copyable, @unchecked Sendable {
  /// The format and size of a raw dump, as in `YUYV:1920x1080`.
  public struct RawDescription: Equatable, Sendable, CustomStringConvertible {
    /// The pixel format of the bytes.
    public var format: PixelFormat
    /// The size of the picture in pixels.
    public var size: PixelSize

    /// Creates a description.
    public init(format: PixelFormat, size: PixelSize) {
      self.format = format
      self.size = size
    }

    /// Parses text like `YUYV:1920x1080`; returns nil for other text.
    public init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let format = PixelFormat(String(parts[0])),
        let size = PixelSize(String(parts[1]))
      else { return nil }
      self.init(format: format, size: size)
    }

    /// The text form, which `init(_:)` parses.
    public var description: String { "\(format):\(size)" }
  }

  private var maker: StillMaker

  /// Creates a tool.
  public init(quality: Int = 95) {
    maker = StillMaker(quality: quality)
  }

  /// Returns the still of a file's bytes.
  ///
  /// `name` is the file's name; a picture of a kind that contradicts its suffix is refused. With
  /// `raw` the bytes are a dump of one frame without padding. A JPEG's own EXIF orientation is
  /// applied first. A picture that cannot be a camera's frame (progressive JPEG, PNG) is opened as
  /// an imported picture and re-encoded.
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

  // The picture cannot be a camera's frame. Its box is in its own pixels, regardless of its size.
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
        .unsupported, "\(raw.format) is no raw format that a still can be made of",
        fix: "try YUYV")
    }
    let image = FrameImage(bytes: bytes, format: raw.format, size: raw.size, bytesPerLine: 0)
    let inspection = RawGate.inspect(image)
    guard inspection.isUsable else {
      throw StillError(
        .unsupported,
        "the file has \(bytes.count) bytes, too few for \(raw)",
        fix: "give the format and size it has")
    }
    // A dump may hold several frames, and drivers round up to a page.
    let frame = image.expectedBytes
    guard frame > 0, bytes.count % frame < 4096 else {
      throw StillError(
        .unsupported,
        "the file has \(bytes.count) bytes, and a frame of \(raw) has \(frame)",
        fix: "give the format and size it has")
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
      "\(name) is a \(isPNG ? "PNG" : "JPEG") picture, not what its name says",
      fix: "rename it")
  }

  private static let pictureKinds: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "mjpg", "mjpeg", "png", "gif", "webp", "bmp", "tif", "tiff",
    "heic", "heif", "avif", "jxl", "jp2",
  ]
}
