import Media

/// A part of the scene that is drawn once and then moved: premultiplied planes with alpha.
struct DemoSprite: Sendable {
  // A plane's size and, for each row, the range of columns that are not empty.
  private struct Plane: Sendable {
    var width: Int
    var height: Int
    var spans: [Range<Int>]

    init(_ alpha: [UInt8], width: Int, height: Int) {
      self.width = width
      self.height = height
      spans = (0..<height).map { row in
        let line = alpha[row * width..<(row + 1) * width]
        guard let first = line.firstIndex(where: { $0 != 0 }),
          let last = line.lastIndex(where: { $0 != 0 })
        else { return 0..<0 }
        return first - row * width..<last - row * width + 1
      }
    }
  }

  private let left: Int
  private let top: Int
  private let luma: Plane
  private let chroma: Plane
  private let y: [UInt8]
  private let alpha: [UInt8]
  private let u: [UInt8]
  private let v: [UInt8]
  private let chromaAlpha: [UInt8]

  /// Draws the sprite.
  ///
  /// The position is in pixels of the scene; all numbers are even.
  init(
    left: Int, top: Int, width: Int, height: Int, pen: inout DemoPen,
    draw: (inout DemoPen, DemoSurface) -> Void
  ) {
    let count = width * height
    var y = [UInt8](repeating: 0, count: count)
    var alpha = y
    var u = [UInt8](repeating: 0, count: count / 4)
    var v = u
    var chromaAlpha = u
    y.withUnsafeMutableBufferPointer { y in
      alpha.withUnsafeMutableBufferPointer { alpha in
        u.withUnsafeMutableBufferPointer { u in
          v.withUnsafeMutableBufferPointer { v in
            chromaAlpha.withUnsafeMutableBufferPointer { chromaAlpha in
              guard let yStart = y.baseAddress, let uStart = u.baseAddress,
                let vStart = v.baseAddress
              else { return }
              draw(
                &pen,
                DemoSurface(
                  y: yStart, u: uStart, v: vStart, alpha: alpha.baseAddress,
                  chromaAlpha: chromaAlpha.baseAddress, left: left, top: top, width: width,
                  height: height))
            }
          }
        }
      }
    }
    self.left = left
    self.top = top
    self.y = y
    self.alpha = alpha
    self.u = u
    self.v = v
    self.chromaAlpha = chromaAlpha
    luma = Plane(alpha, width: width, height: height)
    chroma = Plane(chromaAlpha, width: width / 2, height: height / 2)
  }

  /// Draws the sprite on a frame, moved right by `shift` pixels at the bottom row and `lean` more
  /// at the top.
  ///
  /// Fractions of a pixel count, so that slow movements are smooth. The caller must keep the sprite
  /// inside the frame at the left and right.
  func put(on surface: DemoSurface, shift: Float, lean: Float) {
    DemoSprite.mix(
      surface.y, surface.width, luma, y, alpha, left: left, top: top, shift: shift, lean: lean)
    DemoSprite.mix(
      surface.u, surface.width / 2, chroma, u, chromaAlpha, left: left / 2, top: top / 2,
      shift: shift / 2, lean: lean / 2)
    DemoSprite.mix(
      surface.v, surface.width / 2, chroma, v, chromaAlpha, left: left / 2, top: top / 2,
      shift: shift / 2, lean: lean / 2)
  }

  private static func mix(
    _ target: UnsafeMutablePointer<UInt8>, _ stride: Int, _ plane: Plane, _ values: [UInt8],
    _ alpha: [UInt8], left: Int, top: Int, shift: Float, lean: Float
  ) {
    values.withUnsafeBufferPointer { values in
      alpha.withUnsafeBufferPointer { alpha in
        guard let values = values.baseAddress, let alpha = alpha.baseAddress else { return }
        for row in 0..<plane.height {
          let span = plane.spans[row]
          if span.isEmpty { continue }
          let height = 1 - Float(row) / Float(plane.height)
          let place = Int(((shift + lean * height) * 256).rounded())
          let part = UInt16(place & 0xFF)
          let line = target + ((top + row) * stride + left + place >> 8)
          mixRow(
            line, values + row * plane.width, alpha + row * plane.width, part, span.lowerBound,
            min(plane.width, span.upperBound + 1))
        }
      }
    }
  }

  // Each target sample lies between two of the sprite's: `part` 256ths from the right one.
  @inline(__always)
  private static func mixRow(
    _ target: UnsafeMutablePointer<UInt8>, _ values: UnsafePointer<UInt8>,
    _ alpha: UnsafePointer<UInt8>, _ part: UInt16, _ start: Int, _ end: Int
  ) {
    let rest = 256 &- part
    // A sprite's outermost columns are empty, so that every other column has a left neighbour.
    for x in max(1, start)..<max(1, end) {
      let value = (UInt16(values[x]) &* rest &+ UInt16(values[x &- 1]) &* part) >> 8
      let cover = (UInt16(alpha[x]) &* rest &+ UInt16(alpha[x &- 1]) &* part) >> 8
      let under = UInt16(target[x]) &* (255 &- cover) &+ 128
      target[x] = UInt8(truncatingIfNeeded: value &+ (under &+ under >> 8) >> 8)
    }
  }
}
