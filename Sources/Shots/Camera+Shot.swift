import Capture
import DemoCamera
import Imaging
import Media
import Platform
import Synchronization

extension Camera {
  /// Opens a camera and returns it when usable frames arrive.
  ///
  /// The names `demo` and `clip:FILE` work without a device. Frames are inspected by
  /// ``FrameGate/inspect(_:)``, and the preview encodes raw frames. Throws the reason if no usable
  /// frame arrives within `timeout`. The caller stops the camera with `await stop()`.
  public static func open(
    _ name: CameraName = .best, options: CameraOptions = CameraOptions(),
    timeout: Duration = .seconds(10), system: any SystemCalls = LinuxSystemCalls()
  ) async throws(CaptureError) -> Camera {
    var options = options
    if options.huffmanTables.isEmpty { options.huffmanTables = StandardTables.segment }
    let camera = try Camera(
      name, options: options, gate: FrameGate.inspect, sources: .demo, system: system)
    camera.preview.setEncoder(rawPreview())
    do throws(CaptureError) {
      try camera.start()
      try await camera.waitUntilStreaming(timeout: timeout)
      return camera
    } catch {
      await camera.stop(within: .seconds(2))
      throw error
    }
  }

  /// Makes the still of the clean frame nearest to `moment`.
  ///
  /// A frame that only decoding shows to be damaged is skipped for the next nearest one, and
  /// ``Shot/rejected`` holds its fault. Frames older than a quarter of a second before the moment
  /// are never taken. The still is upright and, by default, portrait; a JPEG camera's still is
  /// lossless where JPEG allows. The camera must have been started.
  ///
  /// Throws a ``StillError``: `noFrame` if no clean frame arrives within `patience` after the
  /// moment, or the fault of the still. Throws `CancellationError` when the task is cancelled,
  /// which takes effect within `patience`. The work is done on a thread of its own.
  public func still(
    nearest moment: MonotonicTime = .now, orientation: Orientation = Orientation(),
    software: String? = nil, patience: Duration = .seconds(3)
  ) async throws -> Shot {
    let cancellation = Cancellation()
    do {
      return try await withTaskCancellationHandler {
        try await OffPool.run("still") { () throws(StillError) in
          try self.shot(nearest: moment, orientation, software, patience) {
            !cancellation.isRequested
          }
        }
      } onCancel: {
        cancellation.request()
      }
    } catch let error as StillError where error.code == .noFrame && cancellation.isRequested {
      throw CancellationError()
    }
  }

  private func shot(
    nearest moment: MonotonicTime, _ orientation: Orientation, _ software: String?,
    _ patience: Duration, isWanted: () -> Bool
  ) throws(StillError) -> Shot {
    let chooser = FrameChooser(self, system: system, patience: patience)
    let (choice, metadata) = try chooser.still(
      nearest: moment, from: self, by: StillWorker(), orientation, software: software,
      isWanted: isWanted)
    guard let mode = granted else { throw .noFrame }
    return Shot(
      still: choice.still, frame: choice.frame, time: choice.frameTime,
      offset: choice.frameTime - moment, rejected: choice.rejections.map(\.error), mode: mode,
      metadata: metadata)
  }
}

/// A request to cancel, which a thread without a task can read.
private final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  var isRequested: Bool { flag.load(ordering: .relaxed) }

  func request() { flag.store(true, ordering: .relaxed) }
}
