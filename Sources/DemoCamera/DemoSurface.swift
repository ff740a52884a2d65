/// A colour as the planes hold it, in full-range BT.601 as in JFIF.
struct DemoColor: Sendable {
  var y: Float
  var u: Float
  var v: Float

  /// Converts a colour in the form 0xRRGGBB.
  init(_ rgb: UInt32) {
    let r = Float(rgb >> 16 & 0xFF)
    let g = Float(rgb >> 8 & 0xFF)
    let b = Float(rgb & 0xFF)
    y = 0.299 * r + 0.587 * g + 0.114 * b
    u = 128 - 0.168736 * r - 0.331264 * g + 0.5 * b
    v = 128 + 0.5 * r - 0.418688 * g - 0.081312 * b
  }
}

/// The fill of a shape.
///
/// The alpha changes together with the colour; it is from 0 to 1.
struct DemoPaint: Sendable {
  enum Kind: Sendable {
    case solid
    /// From the first colour at the first point to the second at the second point.
    case linear(SIMD2<Float>, SIMD2<Float>)
    /// From the first colour in the centre to the second at the radius.
    case radial(SIMD2<Float>, Float)
  }
  var kind = Kind.solid
  var from: DemoColor
  var to: DemoColor
  var fromAlpha: Float = 1
  var toAlpha: Float = 1

  static func solid(_ rgb: UInt32, alpha: Float = 1) -> DemoPaint {
    DemoPaint(from: DemoColor(rgb), to: DemoColor(rgb), fromAlpha: alpha, toAlpha: alpha)
  }

  static func linear(
    _ from: UInt32, _ start: SIMD2<Float>, _ to: UInt32, _ end: SIMD2<Float>
  ) -> DemoPaint {
    DemoPaint(kind: .linear(start, end), from: DemoColor(from), to: DemoColor(to))
  }

  static func radial(
    _ from: UInt32, _ to: UInt32, _ centre: SIMD2<Float>, _ radius: Float, alpha: Float = 1,
    edge: Float = 1
  ) -> DemoPaint {
    DemoPaint(
      kind: .radial(centre, radius), from: DemoColor(from), to: DemoColor(to), fromAlpha: alpha,
      toAlpha: edge)
  }
}

/// The planes to paint on, which another object owns.
///
/// A sprite has alpha planes and premultiplied colours, a frame has neither. The same mixing works
/// for both, because alpha is like a colour that is 255 in every paint.
struct DemoSurface {
  var y: UnsafeMutablePointer<UInt8>
  var u: UnsafeMutablePointer<UInt8>
  var v: UnsafeMutablePointer<UInt8>
  var alpha: UnsafeMutablePointer<UInt8>?
  var chromaAlpha: UnsafeMutablePointer<UInt8>?
  /// The surface's position in the scene, even so that luma and chroma stay together.
  var left = 0
  var top = 0
  /// The size in pixels, even.
  var width: Int
  var height: Int
}
