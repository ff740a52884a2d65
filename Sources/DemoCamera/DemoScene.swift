import Media

/// The picture of the built-in demo camera: a waving guest in front of a curtain, with lights,
/// balloons and confetti.
///
/// Every frame carries its number modulo 4096 in twelve cells of 32x32 pixels along the top edge,
/// most significant first, white for 1. The cells are at x = 448 to 832, inside the centred 3:4
/// crop. Up and down, left and right all differ, so that a wrong turn or mirroring is visible at
/// once.
///
/// Frames are planar YUV 4:2:0, full-range BT.601, with tightly packed planes. A frame depends on
/// its number and time only, because the whole backdrop is copied first. Use one value from one
/// thread at a time.
package struct DemoScene: Sendable {
  /// The size of every frame.
  package static let size = PixelSize(width: 1280, height: 720)

  static let cells = 12
  static let cellSide = 32
  static let cellLeft = (size.width - cells * cellSide) / 2

  var pen = DemoPen()
  private let backdrop: (y: [UInt8], u: [UInt8], v: [UInt8])
  private let body: DemoSprite
  private let head: DemoSprite
  private let blink: DemoSprite

  /// Draws the unchanging parts, which takes some tens of milliseconds.
  package init() {
    backdrop = DemoScene.backdrop(&pen)
    body = DemoScene.body(&pen)
    head = DemoScene.head(&pen)
    blink = DemoScene.closedEyes(&pen)
  }

  /// Draws frame `number` for the instant `time` after the start.
  ///
  /// The planes must hold width x height bytes for Y and a quarter of that for U and V each.
  package mutating func draw(
    frame number: Int, at time: Duration,
    into planes: (
      y: UnsafeMutablePointer<UInt8>, u: UnsafeMutablePointer<UInt8>, v: UnsafeMutablePointer<UInt8>
    )
  ) {
    let parts = time.components
    let now = Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    let surface = DemoSurface(
      y: planes.y, u: planes.u, v: planes.v, width: DemoScene.size.width,
      height: DemoScene.size.height)
    DemoScene.copy(backdrop.y, to: surface.y)
    DemoScene.copy(backdrop.u, to: surface.u)
    DemoScene.copy(backdrop.v, to: surface.v)
    drawLights(surface, now)
    drawBalloons(surface, now)
    drawConfetti(surface, now, 0..<22)
    // Two periods with no common multiple make the guest's leaning look less mechanical.
    let sway = DemoScene.wave(now, 4.7)
    let nod = DemoScene.wave(now, 3.1)
    drawArm(surface, now, shift: 5 * sway)
    body.put(on: surface, shift: 0, lean: 9 * sway)
    head.put(on: surface, shift: 8 * sway, lean: 7 * nod)
    if DemoScene.eyesAreClosed(now) { blink.put(on: surface, shift: 8 * sway, lean: 7 * nod) }
    drawConfetti(surface, now, 22..<34)
    DemoScene.drawNumber(number, surface)
  }

  /// Returns a sine of `time` with a period, both in seconds.
  static func wave(_ time: Double, _ period: Double, _ phase: Double = 0) -> Float {
    sine(fraction(time / period + phase))
  }

  /// Returns the fractional part, from 0 up to 1 for negative numbers, too.
  static func fraction(_ value: Double) -> Double { value - value.rounded(.down) }

  // Bhaskara's approximation has an error of 0.2 % at most, and is the same on every processor and
  // C library.
  private static func sine(_ turn: Double) -> Float {
    let half = turn < 0.5 ? turn * 2 : turn * 2 - 1
    let product = half * (1 - half)
    let value = 16 * product / (5 - 4 * product)
    return Float(turn < 0.5 ? value : 0 - value)
  }

  private static func eyesAreClosed(_ time: Double) -> Bool {
    let second = fraction(time / 3.7) * 3.7
    return second < 0.13 || (1.9..<2.0).contains(second)
  }

  private static func copy(_ plane: [UInt8], to target: UnsafeMutablePointer<UInt8>) {
    plane.withUnsafeBufferPointer { plane in
      if let start = plane.baseAddress { target.update(from: start, count: plane.count) }
    }
  }

  private static func drawNumber(_ number: Int, _ surface: DemoSurface) {
    for cell in 0..<cells {
      let value: UInt8 = number >> (cells - 1 - cell) & 1 == 1 ? 235 : 16
      let x = cellLeft + cell * cellSide
      for row in 0..<cellSide {
        (surface.y + row * surface.width + x).update(repeating: value, count: cellSide)
      }
      for row in 0..<(cellSide / 2) {
        let start = row * surface.width / 2 + x / 2
        (surface.u + start).update(repeating: 128, count: cellSide / 2)
        (surface.v + start).update(repeating: 128, count: cellSide / 2)
      }
    }
  }
}
