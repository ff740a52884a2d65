/// The planes of one picture of a movie, 4:2:0, in memory that an encoder lends.
public struct MoviePlanes: @unchecked Sendable {
  /// Luma.
  public var luma: UnsafeMutablePointer<UInt8>
  /// Cb.
  public var blue: UnsafeMutablePointer<UInt8>
  /// Cr.
  public var red: UnsafeMutablePointer<UInt8>
  /// Bytes from a row to the next, of each plane.
  public var strides: (Int, Int, Int)

  /// Makes a description of planes.
  public init(
    luma: UnsafeMutablePointer<UInt8>, blue: UnsafeMutablePointer<UInt8>,
    red: UnsafeMutablePointer<UInt8>, strides: (Int, Int, Int)
  ) {
    self.luma = luma
    self.blue = blue
    self.red = red
    self.strides = strides
  }
}
