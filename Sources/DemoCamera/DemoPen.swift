import Glibc

/// Draws filled shapes with smooth edges onto planar pictures.
///
/// The pen has one path at a time: build it with `move`, `ellipse`, `limb`, `blob` and the like,
/// then `fill`. The pen keeps its memory from shape to shape, so that drawing a frame allocates
/// nothing after the first ones.
struct DemoPen: Sendable {
  /// The closed outline, in pixels of the scene.
  var points: [SIMD2<Float>] = []
  /// The signed areas of the outline by pixel, from which the coverage in `mask` is computed.
  var areas: [Float] = []
  var mask: [UInt8] = []

  /// Starts an outline at a point.
  mutating func move(_ x: Float, _ y: Float) {
    points.removeAll(keepingCapacity: true)
    points.append(SIMD2(x, y))
  }

  /// Continues with a straight line.
  mutating func line(_ x: Float, _ y: Float) { points.append(SIMD2(x, y)) }

  /// Continues with a quadratic curve.
  mutating func curve(_ cx: Float, _ cy: Float, _ x: Float, _ y: Float) {
    guard let start = points.last else { return }
    let steps = 10
    for step in 1...steps {
      let t = Float(step) / Float(steps)
      let a = start * ((1 - t) * (1 - t))
      let b = SIMD2(cx, cy) * (2 * t * (1 - t))
      points.append(a + b + SIMD2(x, y) * (t * t))
    }
  }

  /// Starts an ellipse, turned clockwise by `angle` radians.
  mutating func ellipse(_ x: Float, _ y: Float, _ rx: Float, _ ry: Float, angle: Float = 0) {
    points.removeAll(keepingCapacity: true)
    let steps = max(12, min(48, Int(max(rx, ry))))
    let c = cosf(angle)
    let s = sinf(angle)
    for step in 0..<steps {
      let turn = 2 * Float.pi * Float(step) / Float(steps)
      let px = rx * cosf(turn)
      let py = ry * sinf(turn)
      points.append(SIMD2(x + px * c - py * s, y + px * s + py * c))
    }
  }

  /// Starts a limb with round ends: the hull of two circles.
  mutating func limb(_ a: SIMD2<Float>, _ ra: Float, _ b: SIMD2<Float>, _ rb: Float) {
    points.removeAll(keepingCapacity: true)
    let way = b - a
    let length = max(0.001, (way.x * way.x + way.y * way.y).squareRoot())
    let direction = atan2f(way.y, way.x)
    let lean = acosf(max(-1, min(1, (ra - rb) / length)))
    let steps = 14
    for step in 0...steps {
      let turn = direction - lean + 2 * lean * Float(step) / Float(steps)
      points.append(b + SIMD2(cosf(turn), sinf(turn)) * rb)
    }
    for step in 0...steps {
      let turn = direction + lean + (2 * Float.pi - 2 * lean) * Float(step) / Float(steps)
      points.append(a + SIMD2(cosf(turn), sinf(turn)) * ra)
    }
  }

  /// Starts a smooth closed outline through the given points (Catmull-Rom).
  mutating func blob(_ knots: [SIMD2<Float>]) {
    points.removeAll(keepingCapacity: true)
    let count = knots.count
    for index in 0..<count {
      let p0 = knots[(index + count - 1) % count]
      let p1 = knots[index]
      let p2 = knots[(index + 1) % count]
      let p3 = knots[(index + 2) % count]
      for step in 0..<8 {
        let t = Float(step) / 8
        let a = p1 * 2
        let b = (p2 - p0) * t
        let c = (p0 * 2 - p1 * 5 + p2 * 4 - p3) * (t * t)
        let d = (p1 * 3 - p0 - p2 * 3 + p3) * (t * t * t)
        points.append((a + b + c + d) * 0.5)
      }
    }
  }
}
