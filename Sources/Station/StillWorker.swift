import Capture
import ImagePicker
import Imaging
import Platform
import Synchronization

/// The one maker of stills, kept for the memory it reuses.
///
/// One call at a time.
final class StillWorker: Sendable {
  private let maker = Mutex(StillMaker())

  /// The still of a frame that the caller holds, read where it lies.
  func make(
    _ frame: Frame, orientation: Orientation, acceptsWarnings: Bool = false,
    metadata: () -> StillMetadata
  ) throws(StillError) -> Still {
    let metadata = metadata()
    return try maker.withLock { (maker: inout StillMaker) throws(StillError) -> Still in
      maker.acceptsWarnings = acceptsWarnings
      return try maker.make(
        frame.image, inspection: frame.inspection, orientation: orientation, metadata: metadata)
    }
  }
}
