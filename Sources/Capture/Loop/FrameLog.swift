import Glibc
import Platform

/// A log with a line for each frame that the driver delivered and its fate.
///
/// The log is for operators who examine what a camera sends, and for comparisons of Retake with
/// other programs. A line is `SEQUENCE TIMESTAMP DEQUEUED BYTES FATE`, times in nanoseconds of
/// CLOCK_MONOTONIC; the fate is `clean` or `repairable` for a frame that was published, `skipped`
/// after a start, `starved`, or the reason why the frame is damaged.
final class FrameLog {
  private let file: SharedDescriptor

  /// Opens the file at `path` for appending.
  init(path: String, system: any SystemCalls) throws(SystemError) {
    file = SharedDescriptor(
      try Descriptor(
        opening: path, flags: O_WRONLY | O_CREAT | O_APPEND, mode: 0o644, system: system))
  }

  func write(_ frame: Frame, _ fate: String) {
    var line =
      "\(frame.sequence) \(frame.timestamp.nanoseconds) \(frame.dequeued.nanoseconds) "
      + "\(frame.image.byteCount) \(fate)\n"
    // A failed write is ignored, so that the camera goes on.
    line.withUTF8 { bytes in
      _ = file.system.retrying { $0.write(file.number, UnsafeRawBufferPointer(bytes)) }
    }
  }
}
