import Platform

/// A source of pictures that are generated or read in user space, which a ``TimedCamera`` sends.
package protocol PictureSource: AnyObject {
  /// The identity of the camera that sends these pictures.
  var identity: CameraIdentity { get }
  /// Prepares the source and returns the mode of its frames, with the maximum number of bytes of
  /// one.
  func open() throws(CaptureError) -> CameraMode
  /// Writes a picture into `buffer` and returns the number of its bytes and the picture's own
  /// number.
  func fill(
    _ number: Int, at time: Duration, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> (bytes: Int, picture: Int)
  /// Releases the resources of `open()`.
  func close()
}

/// A factory for the pictures of cameras without a device: ``CameraName/demo`` and
/// ``CameraName/clip(_:)``.
public struct PictureSources: Sendable {
  let make: @Sendable (CameraName, any SystemCalls) -> (any PictureSource)?

  /// Creates the factory from a function that returns nil for names without pictures.
  package init(
    _ make: @escaping @Sendable (CameraName, any SystemCalls) -> (any PictureSource)?
  ) {
    self.make = make
  }

  /// A factory without pictures, for programs that use devices only.
  public static let none = PictureSources { _, _ in nil }
}

/// A source for a name without pictures, whose `open()` throws an error for the operator.
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
