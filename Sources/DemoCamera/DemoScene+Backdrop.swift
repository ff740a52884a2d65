import Glibc

extension DemoScene {
  /// Draws the curtain, the light on it, blurred lights far behind, and the bunting.
  static func backdrop(_ pen: inout DemoPen) -> (y: [UInt8], u: [UInt8], v: [UInt8]) {
    let width = size.width
    let height = size.height
    var y = [UInt8](repeating: 0, count: width * height)
    var u = [UInt8](repeating: 0, count: width * height / 4)
    var v = u
    y.withUnsafeMutableBufferPointer { y in
      u.withUnsafeMutableBufferPointer { u in
        v.withUnsafeMutableBufferPointer { v in
          guard let y = y.baseAddress, let u = u.baseAddress, let v = v.baseAddress else { return }
          let surface = DemoSurface(y: y, u: u, v: v, width: width, height: height)
          drawCurtain(surface)
          drawBokeh(&pen, surface)
          drawBunting(&pen, surface)
        }
      }
    }
    return (y, u, v)
  }

  // Every term is a product of a number by column and a number by row. That keeps the loops short,
  // because the camera's start waits for them.
  private static func drawCurtain(_ surface: DemoSurface) {
    let width = surface.width
    let height = surface.height
    let top = DemoColor(0x40_23_5C)
    let middle = DemoColor(0xA6_3F_74)
    let bottom = DemoColor(0xE8_8B_62)
    let glow = DemoColor(0xFF_D9_A8)
    let folds = (0..<width).map { column -> Float in
      let x = Float(column)
      let broad = sinf(x * 0.0785 + 1.2 * sinf(x * 0.011))
      return 0.9 + 0.075 * broad + 0.03 * sinf(x * 0.157 + 2 + sinf(x * 0.023))
    }
    let shine = (0..<width).map { column in gauss((Float(column) - 640) / 330) }
    for row in 0..<height {
      let t = Float(row) / Float(height)
      let upper = t < 0.55
      let part = upper ? t / 0.55 : (t - 0.55) / 0.45
      let (from, to) = upper ? (top, middle) : (middle, bottom)
      let base = from.y + (to.y - from.y) * part
      let light = gauss((Float(row) - 330) / 260) * 0.62
      let line = surface.y + row * width
      for column in 0..<width {
        let lit = shine[column] * light
        let value = base * folds[column]
        // A fixed pattern of less than one level hides the steps of the slow gradient.
        let grain = Float((column &* 7 &+ row &* 13 &+ (column &* row) >> 3) & 7) * 0.125
        line[column] = UInt8(max(0, min(255, value + (glow.y * 0.9 - value) * lit + grain)))
      }
      guard row & 1 == 0 else { continue }
      let baseU = from.u + (to.u - from.u) * part
      let baseV = from.v + (to.v - from.v) * part
      let start = row / 2 * (width / 2)
      for column in 0..<(width / 2) {
        let lit = shine[2 * column] * light
        surface.u[start + column] = UInt8(baseU + (glow.u - baseU) * lit + 0.5)
        surface.v[start + column] = UInt8(baseV + (glow.v - baseV) * lit + 0.5)
      }
    }
  }

  private static func gauss(_ x: Float) -> Float { expf(0 - x * x) }

  private static func drawBokeh(_ pen: inout DemoPen, _ surface: DemoSurface) {
    let colors: [UInt32] = [0xFF_D2_8A, 0xFF_A8_B8, 0xFF_E9_C9, 0xF7_8F_6B, 0xC9_A2_FF, 0x9B_E3_E0]
    var dice = DemoDice(seed: 11)
    for index in 0..<46 {
      let x = 1280 * dice.next()
      let y = 90 + 560 * dice.next()
      let radius = 12 + 42 * dice.next() * dice.next()
      let alpha = 0.10 + 0.16 * dice.next()
      let color = colors[index % colors.count]
      pen.ellipse(x, y, radius, radius)
      // The rim is brighter, as with real lenses.
      pen.fill(
        surface,
        .radial(color, color, SIMD2(x, y), radius, alpha: alpha * 0.7, edge: alpha * 1.35))
    }
  }

  private static func drawBunting(_ pen: inout DemoPen, _ surface: DemoSurface) {
    let colors: [UInt32] = [0xFF_C8_57, 0x3F_B8_AF, 0xFF_6B_6B, 0xFD_F0_D5, 0x7B_6C_F6]
    func rope(_ x: Float) -> Float {
      let part = (x + 40) / 340
      let inside = part - part.rounded(.down)
      return 40 + 60 * inside * (1 - inside) * 1.6
    }
    var x: Float = 0 - 40
    while x < 1280 {
      pen.move(x, rope(x) - 1)
      pen.line(x + 20, rope(x + 20) - 1)
      pen.line(x + 20, rope(x + 20) + 1.5)
      pen.line(x, rope(x) + 1.5)
      pen.fill(surface, .solid(0xF8_E8_D8, alpha: 0.85))
      x += 20
    }
    var index = 0
    x = 0 - 34
    while x < 1280 {
      let (y0, y1) = (rope(x), rope(x + 40))
      let color = colors[index % colors.count]
      for (offset, paint) in [
        (Float(4), DemoPaint.solid(0x2A_10_30, alpha: 0.22)), (0, .solid(color)),
      ] {
        pen.move(x + offset, y0 + offset)
        pen.curve(
          x + 20 + offset, (y0 + y1) / 2 + 1 + offset, x + 40 + offset, y1 + offset)
        pen.line(x + 20 + offset, (y0 + y1) / 2 + 48 + offset)
        pen.fill(surface, paint)
      }
      pen.move(x + 20, (y0 + y1) / 2)
      pen.line(x + 40, y1)
      pen.line(x + 20, (y0 + y1) / 2 + 48)
      pen.fill(surface, .solid(0x30_10_28, alpha: 0.10))
      index += 1
      x += 48.57
    }
  }
}

/// A repeatable sequence of pseudo-random numbers (a 32-bit xorshift).
struct DemoDice {
  private var state: UInt32

  init(seed: UInt32) { state = seed &* 2_654_435_761 | 1 }

  /// Returns the next number, from 0 up to 1.
  mutating func next() -> Float {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return Float(state >> 8) / 16_777_216
  }
}
