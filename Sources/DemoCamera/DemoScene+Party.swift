import Glibc

extension DemoScene {
  private struct Balloon {
    var x: Float
    var y: Float
    var radius: Float
    var light: UInt32
    var dark: UInt32
    var period: Double
  }

  private static let balloons = [
    Balloon(x: 150, y: 330, radius: 58, light: 0xFF_D9_7D, dark: 0xE8_93_2F, period: 6.1),
    Balloon(x: 262, y: 250, radius: 66, light: 0x7F_DF_D4, dark: 0x1F_8F_8C, period: 7.3),
    Balloon(x: 418, y: 232, radius: 52, light: 0xFF_9C_94, dark: 0xD2_3C_4E, period: 5.3),
    Balloon(x: 1010, y: 230, radius: 62, light: 0xB9_A8_FF, dark: 0x62_4C_C4, period: 6.7),
    Balloon(x: 1136, y: 320, radius: 56, light: 0xFF_B3_C7, dark: 0xD9_55_82, period: 5.9),
  ]

  private static let paper: [UInt32] = [
    0xFF_C8_57, 0x4F_D1_C5, 0xFF_7B_7B, 0xFD_F4_E3, 0x9A_8B_FF, 0x8F_E3_88,
  ]

  /// Draws small lights on the bunting's rope, each with its own rhythm.
  mutating func drawLights(_ surface: DemoSurface, _ time: Double) {
    for index in 0..<14 {
      let x = Float(index) * 97 + 12
      let y = 118 + 26 * DemoScene.wave(Double(index), 3.4, 0.2)
      let strength = 0.5 + 0.35 * DemoScene.wave(time, 1.9 + Double(index % 5) * 0.37)
      pen.ellipse(x, y, 15, 15)
      pen.fill(
        surface,
        .radial(0xFF_F1_C4, 0xFF_C9_70, SIMD2(x, y), 15, alpha: strength * 0.9, edge: 0))
      pen.ellipse(x, y, 3.5, 3.5)
      pen.fill(surface, .solid(0xFF_FB_EC, alpha: 0.5 + strength * 0.5))
    }
  }

  mutating func drawBalloons(_ surface: DemoSurface, _ time: Double) {
    for balloon in DemoScene.balloons {
      let r = balloon.radius
      let x = balloon.x + 10 * DemoScene.wave(time, balloon.period * 1.4)
      let y = balloon.y + 14 * DemoScene.wave(time, balloon.period)
      let tail = y + r * 1.24
      drawString(
        surface, from: SIMD2(x, tail), to: balloon.x + (640 - balloon.x) * 0.12,
        bow: 18 * DemoScene.wave(time, balloon.period * 0.8))
      pen.move(x, tail - 7)
      pen.line(x + 8, tail + 5)
      pen.line(x - 8, tail + 5)
      pen.fill(surface, .solid(balloon.dark))
      drawSkin(surface, balloon, x, y)
    }
  }

  // Draws the string in pieces that meet at whole rows, because one outline would need a large and
  // almost empty box.
  private mutating func drawString(
    _ surface: DemoSurface, from top: SIMD2<Float>, to x: Float, bow: Float
  ) {
    let pieces = 9
    let bottom = Float(surface.height)
    var last = top
    for piece in 1...pieces {
      let t = Float(piece) / Float(pieces)
      let across = top.x + (x - top.x) * t * t + 2 * bow * t * (1 - t)
      let next = SIMD2(across, (top.y + (bottom - top.y) * t).rounded())
      pen.move(last.x - 0.9, last.y)
      pen.line(last.x + 0.9, last.y)
      pen.line(next.x + 0.9, next.y)
      pen.line(next.x - 0.9, next.y)
      pen.fill(surface, .solid(0xFD_F0_E0, alpha: 0.6))
      last = next
    }
  }

  private mutating func drawSkin(
    _ surface: DemoSurface, _ balloon: Balloon, _ x: Float, _ y: Float
  ) {
    let r = balloon.radius
    pen.move(x, y + r * 1.22)
    pen.curve(x - r * 0.62, y + r * 0.86, x - r * 0.93, y + r * 0.26)
    pen.curve(x - r * 1.16, y - r * 0.4, x - r * 0.62, y - r * 0.86)
    pen.curve(x - r * 0.32, y - r * 1.1, x, y - r * 1.1)
    pen.curve(x + r * 0.32, y - r * 1.1, x + r * 0.62, y - r * 0.86)
    pen.curve(x + r * 1.16, y - r * 0.4, x + r * 0.93, y + r * 0.26)
    pen.curve(x + r * 0.62, y + r * 0.86, x, y + r * 1.22)
    pen.fill(
      surface,
      .radial(balloon.light, balloon.dark, SIMD2(x - r * 0.3, y - r * 0.4), r * 1.6))
    pen.ellipse(x - r * 0.4, y - r * 0.55, r * 0.14, r * 0.26, angle: 0.6)
    pen.fill(surface, .solid(0xFF_FF_FF, alpha: 0.55))
  }

  /// Draws paper that falls and turns.
  ///
  /// The caller chooses the pieces, so that some fall behind the guest and some in front.
  mutating func drawConfetti(_ surface: DemoSurface, _ time: Double, _ pieces: Range<Int>) {
    for piece in pieces {
      let near = piece >= 22
      let phase = DemoScene.fraction(Double(piece) * 0.618_034)
      let seconds = (near ? 7.5 : 11) + Double(piece % 7) * 0.6
      let way = DemoScene.fraction(time / seconds + phase)
      let drift = DemoScene.wave(time, 3.3 + Double(piece % 4) * 0.5, phase)
      let x = Float(DemoScene.fraction(Double(piece) * 0.754_877 + 0.1) * 1280) + 26 * drift
      let y = Float(way) * 780 - 30
      let half: Float = near ? 9 : 6
      let turn = Float(DemoScene.fraction(time / (2.1 + Double(piece % 5) * 0.4) + phase)) * 6.2832
      // The tumbling paper is sometimes seen from its edge.
      let flat = 0.25 + 0.75 * abs(DemoScene.wave(time, 1.7 + Double(piece % 3) * 0.6, phase))
      let (c, s) = (cosf(turn), sinf(turn))
      let (a, b) = (half, half * 0.62 * flat)
      pen.move(x - a * c + b * s, y - a * s - b * c)
      pen.line(x + a * c + b * s, y + a * s - b * c)
      pen.line(x + a * c - b * s, y + a * s + b * c)
      pen.line(x - a * c - b * s, y - a * s + b * c)
      pen.fill(
        surface, .solid(DemoScene.paper[piece % DemoScene.paper.count], alpha: near ? 0.92 : 0.8))
    }
  }
}
