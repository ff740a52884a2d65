import Glibc

extension DemoScene {
  private static let skin: UInt32 = 0xF2_B8_92
  private static let skinLight: UInt32 = 0xFB_CF_AD
  private static let skinDark: UInt32 = 0xD9_90_6C
  private static let hair: UInt32 = 0x4A_2A_2B
  private static let hairLight: UInt32 = 0x7A_46_3C
  private static let wool: UInt32 = 0x1E_7F_88
  private static let woolLight: UInt32 = 0x38_A9_A8
  private static let woolDark: UInt32 = 0x14_5B_68

  /// Draws the shoulders, the resting arm, neck and collar, and a heart on the left of the picture.
  static func body(_ pen: inout DemoPen) -> DemoSprite {
    DemoSprite(left: 380, top: 420, width: 520, height: 300, pen: &pen) { pen, surface in
      pen.blob([
        SIMD2(585, 505), SIMD2(640, 520), SIMD2(695, 505), SIMD2(770, 528), SIMD2(822, 572),
        SIMD2(836, 650), SIMD2(838, 760), SIMD2(640, 790), SIMD2(440, 760), SIMD2(436, 670),
        SIMD2(452, 585), SIMD2(505, 532),
      ])
      pen.fill(surface, .linear(woolLight, SIMD2(560, 500), wool, SIMD2(700, 740)))
      // The sleeve's fold on either side.
      for side: Float in [-1, 1] {
        let x = 640 + side * 130
        pen.move(x, 640)
        pen.curve(x + side * 8, 680, x - side * 4, 724)
        pen.line(x + side * 10, 724)
        pen.curve(x + side * 16, 680, x, 640)
        pen.fill(surface, .solid(woolDark, alpha: 0.55))
      }
      // The neck, the chin's shadow on it, and the collar.
      pen.limb(SIMD2(640, 440), 44, SIMD2(640, 494), 46)
      pen.fill(surface, .linear(skinDark, SIMD2(640, 440), skin, SIMD2(640, 530)))
      pen.move(594, 486)
      pen.curve(640, 560, 686, 486)
      pen.line(708, 502)
      pen.curve(640, 602, 572, 502)
      pen.fill(surface, .linear(woolDark, SIMD2(640, 570), wool, SIMD2(640, 490)))
      heart(&pen, surface, SIMD2(548, 632), 24)
    }
  }

  private static func heart(
    _ pen: inout DemoPen, _ surface: DemoSurface, _ at: SIMD2<Float>, _ r: Float
  ) {
    pen.move(at.x, at.y + r)
    pen.curve(at.x - r * 1.5, at.y - r * 0.1, at.x - r * 0.85, at.y - r * 0.75)
    pen.curve(at.x - r * 0.3, at.y - r * 1.05, at.x, at.y - r * 0.35)
    pen.curve(at.x + r * 0.3, at.y - r * 1.05, at.x + r * 0.85, at.y - r * 0.75)
    pen.curve(at.x + r * 1.5, at.y - r * 0.1, at.x, at.y + r)
    pen.fill(surface, .radial(0xFF_8F_86, 0xEE_55_5C, SIMD2(at.x - 6, at.y - 10), r * 1.4))
  }

  /// Draws the hair with its parting on the left of the picture, the face, and the hat, which leans
  /// right.
  static func head(_ pen: inout DemoPen) -> DemoSprite {
    DemoSprite(left: 490, top: 40, width: 300, height: 460, pen: &pen) { pen, surface in
      pen.blob([
        SIMD2(640, 182), SIMD2(716, 206), SIMD2(758, 280), SIMD2(764, 370), SIMD2(772, 440),
        SIMD2(738, 476), SIMD2(696, 448), SIMD2(584, 448), SIMD2(542, 476), SIMD2(508, 440),
        SIMD2(516, 370), SIMD2(522, 280), SIMD2(564, 206),
      ])
      pen.fill(surface, .linear(hair, SIMD2(640, 200), 0x38_1E_22, SIMD2(640, 470)))
      face(&pen, surface)
      eyes(&pen, surface)
      fringe(&pen, surface)
      hat(&pen, surface)
    }
  }

  private static func face(_ pen: inout DemoPen, _ surface: DemoSurface) {
    pen.blob([
      SIMD2(640, 222), SIMD2(704, 240), SIMD2(732, 300), SIMD2(728, 364), SIMD2(700, 424),
      SIMD2(640, 458), SIMD2(580, 424), SIMD2(552, 364), SIMD2(548, 300), SIMD2(576, 240),
    ])
    pen.fill(surface, .radial(skinLight, skin, SIMD2(618, 320), 150))
    for x: Float in [584, 696] {
      pen.ellipse(x, 380, 27, 20)
      pen.fill(surface, .radial(0xF5_7F_72, 0xF5_8F_7C, SIMD2(x, 380), 27, alpha: 0.55, edge: 0))
    }
    pen.move(632, 356)
    pen.curve(628, 370, 640, 372)
    pen.curve(650, 372, 652, 364)
    pen.curve(648, 368, 641, 367)
    pen.curve(634, 366, 632, 356)
    pen.fill(surface, .solid(skinDark, alpha: 0.85))
    pen.move(598, 392)
    pen.curve(640, 404, 684, 390)
    pen.curve(680, 432, 642, 434)
    pen.curve(604, 432, 598, 392)
    pen.fill(surface, .solid(0x8A_25_38))
    pen.move(604, 394)
    pen.curve(640, 404, 678, 392)
    pen.curve(676, 408, 641, 410)
    pen.curve(608, 409, 604, 394)
    pen.fill(surface, .solid(0xFF_FA_F2))
    pen.ellipse(643, 428, 20, 8)
    pen.fill(surface, .solid(0xE8_6A_70, alpha: 0.9))
  }

  private static func eyes(_ pen: inout DemoPen, _ surface: DemoSurface) {
    for (x, side) in [(Float(596), Float(-1)), (684, 1)] {
      pen.ellipse(x, 330, 17, 19)
      pen.fill(surface, .solid(0xFF_FC_F7))
      pen.ellipse(x + 2, 332, 12, 14.5)
      pen.fill(surface, .radial(0x6B_3F_2A, 0x33_1C_1A, SIMD2(x + 2, 337), 13))
      pen.ellipse(x - 2, 326, 4.2, 4.8)
      pen.fill(surface, .solid(0xFF_FF_FF))
      pen.ellipse(x + 6, 338, 2, 2.2)
      pen.fill(surface, .solid(0xFF_FF_FF, alpha: 0.8))
      // The upper lid, extended to the temple.
      pen.move(x - side * 19, 328)
      pen.curve(x - side * 3, 302, x + side * 23, 320)
      pen.curve(x - side * 1, 311, x - side * 19, 328)
      pen.fill(surface, .solid(0x3A_1F_22))
      brow(&pen, surface, x, side)
    }
  }

  private static func brow(
    _ pen: inout DemoPen, _ surface: DemoSurface, _ x: Float, _ side: Float
  ) {
    pen.move(x - side * 18, 294)
    pen.curve(x + side * 4, 276, x + side * 27, 292)
    pen.curve(x + side * 4, 284, x - side * 17, 300)
    pen.fill(surface, .solid(hair, alpha: 0.92))
  }

  /// Draws the lids that cover the eyes during a blink, at the head's place and lean.
  static func closedEyes(_ pen: inout DemoPen) -> DemoSprite {
    DemoSprite(left: 490, top: 40, width: 300, height: 460, pen: &pen) { pen, surface in
      for x: Float in [596, 684] {
        pen.ellipse(x, 328, 24, 24)
        pen.fill(surface, .radial(skinLight, skin, SIMD2(618, 320), 150))
        pen.move(x - 20, 330)
        pen.curve(x, 348, x + 20, 330)
        pen.curve(x, 341, x - 20, 330)
        pen.fill(surface, .solid(0x3A_1F_22))
      }
    }
  }

  private static func fringe(_ pen: inout DemoPen, _ surface: DemoSurface) {
    // Right of the parting: one broad sweep over the forehead.
    pen.move(600, 190)
    pen.curve(740, 170, 750, 318)
    pen.curve(742, 372, 744, 400)
    pen.curve(716, 340, 722, 300)
    pen.curve(704, 262, 676, 256)
    pen.curve(626, 250, 594, 214)
    pen.fill(surface, .linear(hairLight, SIMD2(640, 190), hair, SIMD2(730, 330)))
    pen.move(604, 194)
    pen.curve(560, 190, 532, 258)
    pen.curve(520, 330, 534, 402)
    pen.curve(562, 350, 557, 300)
    pen.curve(566, 258, 602, 222)
    pen.fill(surface, .linear(hairLight, SIMD2(590, 190), hair, SIMD2(540, 330)))
    pen.move(640, 214)
    pen.curve(700, 226, 716, 272)
    pen.curve(686, 236, 640, 214)
    pen.fill(surface, .solid(0xB0_72_5A, alpha: 0.55))
  }

  private static func hat(_ pen: inout DemoPen, _ surface: DemoSurface) {
    let tip = SIMD2<Float>(716, 76)
    let left = SIMD2<Float>(612, 190)
    let right = SIMD2<Float>(724, 226)
    pen.move(left.x, left.y)
    pen.line(tip.x, tip.y)
    pen.line(right.x, right.y)
    pen.curve(668, 226, left.x, left.y)
    pen.fill(surface, .linear(0xFF_D8_6B, left, 0xF2_9A_3C, right))
    for (from, to) in [(Float(0.16), Float(0.34)), (0.52, 0.70)] {
      let (a, b) = (left + (tip - left) * from, right + (tip - right) * from)
      let (c, d) = (right + (tip - right) * to, left + (tip - left) * to)
      let sag = SIMD2<Float>(0, 16)
      let (low, high) = ((a + b) * 0.5 + sag * (1 - from), (c + d) * 0.5 + sag * (1 - to))
      pen.move(a.x, a.y)
      pen.curve(low.x, low.y, b.x, b.y)
      pen.line(c.x, c.y)
      pen.curve(high.x, high.y, d.x, d.y)
      pen.fill(surface, .linear(0xF8_6B_7C, left, 0xD6_44_62, right))
    }
    for index in 0..<9 {
      let turn = Float(index) * 0.698
      pen.ellipse(tip.x + 11 * cosf(turn), tip.y + 11 * sinf(turn), 8, 8)
      pen.fill(surface, .solid(index & 1 == 0 ? 0xFD_F4_E3 : 0xF1_DD_C8))
    }
    pen.ellipse(tip.x, tip.y, 11, 11)
    pen.fill(surface, .radial(0xFF_FF_FA, 0xF6_E6_D2, tip, 12))
  }

  /// Draws the waving arm on the right of the picture.
  mutating func drawArm(_ surface: DemoSurface, _ time: Double, shift: Float) {
    // The arm waves for some seconds, then rests for a moment with the hand up.
    let pause = max(0, min(1, 1.6 * DemoScene.wave(time, 6.5) + 1.2))
    let angle = 0.13 + 0.2 * pause * DemoScene.wave(time, 0.95)
    let shoulder = SIMD2<Float>(782 + shift * 0.6, 592)
    let elbow = SIMD2<Float>(838 + shift * 0.3, 668)
    let along = SIMD2(sinf(angle), 0 - cosf(angle))
    let across = SIMD2(0 - along.y, along.x)
    let cuff = elbow + along * 118
    let palm = elbow + along * 204
    pen.limb(shoulder, 48, elbow, 44)
    pen.fill(surface, .linear(DemoScene.wool, shoulder, DemoScene.woolDark, elbow))
    pen.limb(elbow + along * 110, 25, palm, 24)
    pen.fill(surface, .linear(DemoScene.skinDark, cuff, DemoScene.skin, palm))
    // The thumb towards the head, then the spread fingers.
    let fingers: [(Float, Float, Float)] = [
      (-1.05, 40, 10.5), (-0.36, 64, 10), (-0.1, 71, 10.5), (0.16, 67, 10), (0.42, 55, 9),
    ]
    for (spread, length, width) in fingers {
      let way = along * cosf(spread) + across * sinf(spread)
      pen.limb(palm + way * 14, width + 1, palm + way * length, width - 1)
      pen.fill(
        surface, .linear(DemoScene.skin, palm, DemoScene.skinLight, palm + way * length))
    }
    pen.ellipse(palm.x, palm.y, 30, 32, angle: angle)
    pen.fill(surface, .radial(DemoScene.skinLight, DemoScene.skin, palm, 34))
    pen.limb(elbow, 44, cuff, 36)
    pen.fill(
      surface,
      .linear(DemoScene.woolLight, elbow - across * 40, DemoScene.wool, elbow + across * 40))
    let hem = cuff + along * 24
    pen.limb(hem - across * 27, 12, hem + across * 27, 12)
    pen.fill(surface, .solid(DemoScene.woolDark))
  }
}
