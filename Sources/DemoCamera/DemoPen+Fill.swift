extension DemoPen {
  /// The outline's bounding box on a surface: even numbers, in the surface's own pixels.
  private struct Box {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// Fills the outline's part that is inside the surface.
  mutating func fill(_ surface: DemoSurface, _ paint: DemoPaint) {
    guard let box = cover(surface) else { return }
    mask.withUnsafeBufferPointer { mask in
      guard let mask = mask.baseAddress else { return }
      if case .solid = paint.kind {
        DemoPen.mixSolid(surface, box, mask, paint)
      } else {
        DemoPen.mix(surface, box, mask, paint)
      }
    }
  }

  // Computes the exact area that the outline covers in each pixel. Every edge adds its signed area
  // to the pixels it crosses, and the running sum along a row is the coverage.
  private mutating func cover(_ surface: DemoSurface) -> Box? {
    guard var low = points.first else { return nil }
    var high = low
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let left = max(0, Int(low.x.rounded(.down)) - surface.left) & ~1
    let top = max(0, Int(low.y.rounded(.down)) - surface.top) & ~1
    let right = min(surface.width, (Int(high.x.rounded(.up)) - surface.left + 2) & ~1)
    let bottom = min(surface.height, (Int(high.y.rounded(.up)) - surface.top + 2) & ~1)
    guard left < right, top < bottom else { return nil }
    let box = Box(x: left, y: top, width: right - left, height: bottom - top)
    // Two more columns take the area that an edge at the right end leaves behind.
    let stride = box.width + 2
    let count = stride * box.height
    if areas.count < count {
      areas = [Float](repeating: 0, count: count)
      mask = [UInt8](repeating: 0, count: count)
    }
    let origin = SIMD2(Float(left + surface.left), Float(top + surface.top))
    areas.withUnsafeMutableBufferPointer { areas in
      guard let areas = areas.baseAddress else { return }
      areas.update(repeating: 0, count: count)
      var last = (points.last ?? low) - origin
      for point in points {
        let next = point - origin
        DemoPen.edge(areas, stride, box, last, next)
        last = next
      }
      mask.withUnsafeMutableBufferPointer { mask in
        guard let mask = mask.baseAddress else { return }
        for row in 0..<box.height {
          let source = areas + row * stride
          let target = mask + row * box.width
          var sum: Float = 0
          for column in 0..<box.width {
            sum += source[column]
            let part = DemoPen.whole(DemoPen.least(1, abs(sum)) * 255)
            target[column] = UInt8(truncatingIfNeeded: part)
          }
        }
      }
    }
    return box
  }

  private static func edge(
    _ areas: UnsafeMutablePointer<Float>, _ stride: Int, _ box: Box, _ a: SIMD2<Float>,
    _ b: SIMD2<Float>
  ) {
    if a.y == b.y { return }
    let sign: Float = a.y < b.y ? 1 : -1
    let (start, end) = a.y < b.y ? (a, b) : (b, a)
    let slope = (end.x - start.x) / (end.y - start.y)
    let first = max(0, start.y)
    let stop = min(Float(box.height), end.y)
    if first >= stop { return }
    let limit = Float(box.width)
    var row = Int(first)
    var y = first
    while y < stop {
      let next = min(Float(row + 1), stop)
      let part = (next - y) * sign
      var x0 = start.x + (y - start.y) * slope
      var x1 = start.x + (next - start.y) * slope
      if x0 > x1 { swap(&x0, &x1) }
      x0 = max(0, min(limit, x0))
      x1 = max(0, min(limit, x1))
      let line = areas + row * stride
      let left = Int(x0)
      if x1 <= Float(left + 1) {
        let inside = part * (Float(left + 1) - 0.5 * (x0 + x1))
        line[left] += inside
        line[left + 1] += part - inside
      } else {
        // The edge crosses several pixels of the row: a triangle, trapezoids, a triangle.
        let rise = part / (x1 - x0)
        var done: Float = 0
        var column = left
        var x = x0
        while x < x1 {
          let to = min(Float(column + 1), x1)
          let height = rise * (to - x)
          let area = height * (Float(column + 1) - 0.5 * (x + to))
          line[column] += done + area
          done = height - area
          x = to
          column += 1
        }
        line[column] += done
      }
      y = next
      row += 1
    }
  }

  // Rounds a number from 0 to 4095, without the checks of a conversion. Adding 2^23 moves the
  // integer part into the lowest bits of the float.
  @inline(__always)
  private static func whole(_ value: Float) -> UInt32 { (value + 8_388_608).bitPattern & 0xFFF }

  @inline(__always)
  private static func least(_ a: Float, _ b: Float) -> Float { a < b ? a : b }

  @inline(__always)
  private static func over(_ target: UnsafeMutablePointer<UInt8>, _ value: UInt32, _ part: UInt32) {
    let sum = UInt32(target.pointee) &* (255 &- part) &+ value &* part &+ 128
    target.pointee = UInt8(truncatingIfNeeded: (sum &+ sum >> 8) >> 8)
  }

  private static func mixSolid(
    _ surface: DemoSurface, _ box: Box, _ mask: UnsafePointer<UInt8>, _ paint: DemoPaint
  ) {
    let alpha = UInt32(paint.fromAlpha * 256)
    let (y, u, v) = (UInt32(paint.from.y), UInt32(paint.from.u), UInt32(paint.from.v))
    for row in 0..<box.height {
      let line = mask + row * box.width
      let start = (box.y + row) * surface.width + box.x
      for column in 0..<box.width where line[column] != 0 {
        let part = (UInt32(line[column]) &* alpha) >> 8
        over(surface.y + (start + column), y, part)
        if let plane = surface.alpha { over(plane + (start + column), 255, part) }
      }
    }
    chroma(surface, box, mask) { index, _, _, part in
      let part = (part &* alpha) >> 8
      over(surface.u + index, u, part)
      over(surface.v + index, v, part)
      if let plane = surface.chromaAlpha { over(plane + index, 255, part) }
    }
  }

  private static func mix(
    _ surface: DemoSurface, _ box: Box, _ mask: UnsafePointer<UInt8>, _ paint: DemoPaint
  ) {
    switch paint.kind {
    case .solid: mixSolid(surface, box, mask, paint)
    case .linear(let start, let end):
      let way = end - start
      let step = way / (way.x * way.x + way.y * way.y)
      mix(surface, box, mask, paint) { x, y in
        let t = (x - start.x) * step.x + (y - start.y) * step.y
        return t > 0 ? t : 0
      }
    case .radial(let centre, let radius):
      let scale = 1 / radius
      mix(surface, box, mask, paint) { x, y in
        let dx = (x - centre.x) * scale
        let dy = (y - centre.y) * scale
        return (dx * dx + dy * dy).squareRoot()
      }
    }
  }

  // `progress` returns the position between the paint's two colours at a point. Inlining gives each
  // kind of paint its own loop.
  @inline(__always)
  private static func mix(
    _ surface: DemoSurface, _ box: Box, _ mask: UnsafePointer<UInt8>, _ paint: DemoPaint,
    _ progress: (Float, Float) -> Float
  ) {
    let (from, to) = (paint.from, paint.to)
    let (yWay, uWay, vWay) = (to.y - from.y, to.u - from.u, to.v - from.v)
    let alpha0 = paint.fromAlpha * 256
    let alphaWay = (paint.toAlpha - paint.fromAlpha) * 256
    for row in 0..<box.height {
      let line = mask + row * box.width
      let start = (box.y + row) * surface.width + box.x
      let y = Float(box.y + row + surface.top) + 0.5
      let x = Float(box.x + surface.left) + 0.5
      let target = surface.y + start
      // The loop ignores the mask and writes no alpha, so that the compiler can vectorize it.
      for column in 0..<box.width {
        let t = least(1, progress(x + Float(Int32(truncatingIfNeeded: column)), y))
        let part = (UInt32(line[column]) &* whole(alpha0 + t * alphaWay)) >> 8
        over(target + column, whole(from.y + t * yWay), part)
      }
      guard let alpha = surface.alpha else { continue }
      for column in 0..<box.width where line[column] != 0 {
        let t = least(1, progress(x + Float(Int32(truncatingIfNeeded: column)), y))
        over(
          alpha + (start + column), 255,
          (UInt32(line[column]) &* whole(alpha0 + t * alphaWay)) >> 8)
      }
    }
    chroma(surface, box, mask) { index, x, y, part in
      let t = least(1, progress(x, y))
      let part = (part &* whole(alpha0 + t * alphaWay)) >> 8
      over(surface.u + index, whole(from.u + t * uWay), part)
      over(surface.v + index, whole(from.v + t * vWay), part)
      if let plane = surface.chromaAlpha { over(plane + index, 255, part) }
    }
  }

  // Calls `body` for every chroma sample that the mask touches: its index, its centre in the scene,
  // its coverage.
  @inline(__always)
  private static func chroma(
    _ surface: DemoSurface, _ box: Box, _ mask: UnsafePointer<UInt8>,
    _ body: (Int, Float, Float, UInt32) -> Void
  ) {
    for row in 0..<(box.height / 2) {
      let upper = mask + 2 * row * box.width
      let lower = upper + box.width
      let start = (box.y / 2 + row) * (surface.width / 2) + box.x / 2
      let y = Float(box.y + 2 * row + 1 + surface.top)
      for column in 0..<(box.width / 2) {
        let x = 2 * column
        let sum = UInt32(upper[x]) + UInt32(upper[x + 1]) + UInt32(lower[x]) + UInt32(lower[x + 1])
        if sum == 0 { continue }
        body(start + column, Float(box.x + x + 1 + surface.left), y, (sum + 2) / 4)
      }
    }
  }
}
