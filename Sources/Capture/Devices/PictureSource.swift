import Platform

/// Pictures that are made or read in user space; a camera with a clock sends them.
package protocol PictureSource: AnyObject {
  /// What it calls itself.
  var identity: CameraIdentity { get }
  /// Makes it ready; gives the format of its frames and the most bytes of one.
  func open() throws(CaptureError) -> CameraMode
  /// Writes a picture into `buffer`; gives its bytes, and the number that it carries.
  func fill(
    _ number: Int, at time: Duration, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> (bytes: Int, picture: Int)
  /// Forgets what `open()` made.
  func close()
}

/// Makes the pictures of the cameras that are no devices: ``CameraName/demo`` and
/// ``CameraName/clip(_:)``.
public struct PictureSources: Sendable {
  let make: @Sendable (CameraName, any SystemCalls) -> (any PictureSource)?

  /// Takes a function that returns nil for the names it has no pictures for.
  package init(
    _ make: @escaping @Sendable (CameraName, any SystemCalls) -> (any PictureSource)?
  ) {
    self.make = make
  }

  /// Knows devices only.
  public static let none = PictureSources { _, _ in nil }
}

/// Stands for a name without pictures; a camera of that name tells its operator so.
final class AbsentSource: PictureSource {
  private let name: CameraName

  init(_ name: CameraName) { self.name = name }

  var identity: CameraIdentity { CameraIdentity(name: "\(name)", path: "\(name)") }

  func open() throws(CaptureError) -> CameraMode {
    throw CaptureError(
      .noCamera,
      "this program has no pictures for the camera '\(name)'; choose a camera device, or make the "
        + "camera with 'sources: .demo' of the module DemoCamera")
  }

  func fill(
    _ number: Int, at time: Duration, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> (bytes: Int, picture: Int) { (0, number) }

  func close() {}
}
