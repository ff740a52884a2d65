import Glibc
import Platform

/// A line for each frame that came out of a driver, and what became of it.
///
/// For operators who must know what a camera really sends, and for whoever holds Retake against
/// other programs. A line is `SEQUENCE TIMESTAMP DEQUEUED BYTES FATE`, times in nanoseconds of
/// CLOCK_MONOTONIC; the fate is `clean` or `repairable` for a frame that was published, `skipped`
/// after a start, `starved`, or the reason why it is never shown.
final class FrameLog {
  private let file: SharedDescriptor

  /// Appends to the file at `path`.
  init(path: String, system: any SystemCalls) throws(SystemError) {
    file = SharedDescriptor(
      try Descriptor(
        opening: path, flags: O_WRONLY | O_CREAT | O_APPEND, mode: 0o644, system: system))
  }

  func write(_ frame: Frame, _ fate: String) {
    var line =
      "\(frame.sequence) \(frame.timestamp.nanoseconds) \(frame.dequeued.nanoseconds) "
      + "\(frame.image.byteCount) \(fate)\n"
    // A log that cannot be written is no reason to stop the camera.
    line.withUTF8 { bytes in
      _ = file.system.retrying { $0.write(file.number, UnsafeRawBufferPointer(bytes)) }
    }
  }
}
