import Capture
import Glibc
import Imaging
import Movies
import Platform

/// The plan of a camera's movies, and the pool that holds copies of the camera's frames.
package struct MovieKit: Sendable {
  package var plan: MoviePlan
  package var pool: MoviePool

  /// Finds an encoder for movies of the camera's mode.
  ///
  /// Blocks for up to a second, since it tests encoders.
  package init(
    _ mode: CameraMode, _ settings: MovieSettings, _ orientation: Orientation,
    system: any SystemCalls
  ) throws(MovieError) {
    let rate = mode.rate?.perSecond ?? 30
    let coding = try EncoderChoice.coding(
      settings, orientation: orientation, frame: mode.size, rate: rate,
      isJPEG: mode.format.isJPEG)
    plan = MoviePlan(
      settings, coding: coding, orientation: orientation, frame: mode.size, rate: rate,
      isJPEG: mode.format.isJPEG,
      isBT709: !mode.format.isJPEG && mode.encoding == .bt709)
    pool = MoviePool(
      bytes: MoviePlan.poolBytes(
        settings, frame: mode.size, rate: rate, largestFrame: mode.imageBytes,
        isJPEG: mode.format.isJPEG), system: system)
  }

  /// Copies every usable frame of the camera to the pool from now on.
  package func tap(_ camera: Camera) {
    let pool = pool
    camera.tap { frame in
      pool.add(
        frame.image, frame.inspection, sequence: frame.sequence, timestamp: frame.timestamp)
    }
  }

  /// The present time in seconds since 1970, or `nil` when the clock was never set.
  package static var date: Int64? {
    guard WallClock.isSet else { return nil }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }
}
