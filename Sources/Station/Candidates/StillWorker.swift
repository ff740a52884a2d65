import Capture
import ImagePicker
import Imaging
import Media
import Synchronization

/// The one maker of stills, kept for the memory it reuses.
///
/// One call at a time.
package final class StillWorker: Sendable {
  private struct Tools: ~Copyable {
    var maker = StillMaker()
    // Made when first needed: few cameras have formats that ask for it.
    var converter: FrameConverter?
  }

  private let tools = Mutex(Tools())

  package init() {}

  /// The still of a frame that the caller holds, read where it lies.
  ///
  /// Frames of formats that only libv4lconvert knows are brought to YU12 first.
  func make(
    _ frame: Frame, orientation: Orientation, acceptsWarnings: Bool = false,
    metadata: () -> StillMetadata
  ) throws(StillError) -> Still {
    try make(
      frame.image, frame.inspection, orientation: orientation, acceptsWarnings: acceptsWarnings,
      metadata: metadata())
  }

  /// The still of a frame that was copied.
  func make(
    _ frame: FrameCopy, orientation: Orientation, acceptsWarnings: Bool, metadata: StillMetadata
  ) throws(StillError) -> Still {
    try make(
      frame.image, frame.inspection, orientation: orientation, acceptsWarnings: acceptsWarnings,
      metadata: metadata)
  }

  private func make(
    _ image: FrameImage, _ inspection: FrameInspection, orientation: Orientation,
    acceptsWarnings: Bool, metadata: StillMetadata
  ) throws(StillError) -> Still {
    try tools.withLock { (tools: inout Tools) throws(StillError) -> Still in
      let (image, inspection) = try StillWorker.readable(image, inspection, &tools.converter)
      tools.maker.acceptsWarnings = acceptsWarnings
      return try tools.maker.make(
        image, inspection: inspection, orientation: orientation, metadata: metadata)
    }
  }

  /// A frame in a format that pictures can be made of, with what the gate says of it.
  ///
  /// Where it had to be converted it stays until the converter is used again.
  static func readable(
    _ image: FrameImage, _ inspection: FrameInspection, _ converter: inout FrameConverter?
  ) throws(StillError) -> (FrameImage, FrameInspection) {
    guard ConvertibleFormats.contains(image.format), inspection.isUsable else {
      return (image, inspection)
    }
    let image = try convert(image, &converter)
    return (image, FrameGate.inspect(image))
  }

  private static func convert(
    _ image: FrameImage, _ converter: inout FrameConverter?
  ) throws(StillError) -> FrameImage {
    if converter == nil { converter = FrameConverter() }
    guard let converter else {
      throw StillError(.failed, "there is not enough memory for a picture; stop other programs")
    }
    do {
      return try converter.convert(image)
    } catch {
      throw StillError(
        error.code == .noFrame ? .damaged(.short) : .unsupported, error.message,
        cause: error.cause?.description)
    }
  }
}
