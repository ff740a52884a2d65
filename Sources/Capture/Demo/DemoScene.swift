import Platform

/// A stand-in for the moving scene of the demo camera.
public struct DemoScene: Sendable {
  /// The size of a frame.
  public static let size = PixelSize(width: 1280, height: 720)

  /// Makes the scene.
  public init() {}

  /// Draws one frame: planar 4:2:0, tightly packed.
  public mutating func draw(
    frame number: Int, at time: Duration,
    into planes: (
      y: UnsafeMutablePointer<UInt8>, u: UnsafeMutablePointer<UInt8>,
      v: UnsafeMutablePointer<UInt8>
    )
  ) {
    let size = DemoScene.size
    planes.y.update(repeating: UInt8(truncatingIfNeeded: number), count: size.width * size.height)
    planes.u.update(repeating: 128, count: size.width * size.height / 4)
    planes.v.update(repeating: 128, count: size.width * size.height / 4)
  }
}
