import Capture
import Imaging
import Media
import Synchronization

/// A maker of stills that reuses its memory.
///
/// Calls wait for each other, since the maker works on one still at a time.
package final class StillWorker: Sendable {
  private struct Tools: ~Copyable {
    var maker = StillMaker()
    // The converter is created on first use, since few cameras send formats that need it.
    var converter: FrameConverter?
  }

  private let tools = Mutex(Tools())

  package init() {}

  /// Returns the still of a frame whose buffer the caller holds, without copying the frame.
  ///
  /// Formats that only libv4lconvert knows are converted to YU12 first.
  package func make(
    _ frame: Frame, orientation: Orientation, acceptsWarnings: Bool = false,
    metadata: () -> StillMetadata
  ) throws(StillError) -> Still {
    try make(
      frame.image, frame.inspection, orientation: orientation, acceptsWarnings: acceptsWarnings,
      metadata: metadata())
  }

  /// Returns the still of a copied frame.
  package func make(
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

  /// Returns a frame in a format that pictures can be made of, with its inspection.
  ///
  /// A converted frame is valid until the next use of the converter.
  package static func readable(
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
      throw StillError(
        .failed, "there is not enough memory for a picture",
        fix: "stop other programs")
    }
    do {
      return try converter.convert(image)
    } catch {
      throw StillError(
        error.code == .noFrame ? .damaged(.short) : .unsupported, error.message, fix: error.fix,
        cause: error.cause?.description)
    }
  }
}
