import Platform
import Testing

@testable import DemoCamera

/// Memory for one frame, filled with `filler` before each drawing.
private final class Planes {
  static let count = 1280 * 720
  let y = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
  let u = UnsafeMutablePointer<UInt8>.allocate(capacity: count / 4)
  let v = UnsafeMutablePointer<UInt8>.allocate(capacity: count / 4)

  deinit {
    y.deallocate()
    u.deallocate()
    v.deallocate()
  }

  func draw(_ scene: inout DemoScene, _ number: Int, _ time: Duration, filler: UInt8 = 0) {
    y.update(repeating: filler, count: Planes.count)
    u.update(repeating: filler, count: Planes.count / 4)
    v.update(repeating: filler, count: Planes.count / 4)
    scene.draw(frame: number, at: time, into: (y, u, v))
  }

  /// A number that changes with every byte and every place.
  var digest: UInt64 {
    var digest: UInt64 = 14_695_981_039_346_656_037
    for (plane, count) in [(y, Planes.count), (u, Planes.count / 4), (v, Planes.count / 4)] {
      for index in 0..<count { digest = (digest ^ UInt64(plane[index])) &* 1_099_511_628_211 }
    }
    return digest
  }

  /// Red and blue differences of the pixel.
  func chroma(_ x: Int, _ y: Int) -> (u: Int, v: Int) {
    (Int(u[y / 2 * 640 + x / 2]), Int(v[y / 2 * 640 + x / 2]))
  }
}

struct DemoSceneTests {
  @Test(
    "the frame's number is read back from its cells",
    arguments: [0, 1, 2, 1365, 2730, 4095, 4096, 4097, -1, Int.max])
  func number(_ number: Int) {
    var scene = DemoScene()
    let planes = Planes()
    planes.draw(&scene, number, .milliseconds(700))
    var read = 0
    for cell in 0..<12 {
      let x = 448 + cell * 32
      let sum = (0..<32).reduce(0) { sum, row in
        sum + (0..<32).reduce(0) { $0 + Int(planes.y[row * 1280 + x + $1]) }
      }
      #expect(sum == 1024 * 16 || sum == 1024 * 235)
      read = read << 1 | (sum > 1024 * 128 ? 1 : 0)
      #expect(planes.chroma(x, 0) == (128, 128))
      #expect(planes.chroma(x + 31, 31) == (128, 128))
    }
    #expect(read == number & 4095)
  }

  @Test("a frame depends on number and time only, not on what the planes held")
  func deterministic() {
    var scene = DemoScene()
    var other = DemoScene()
    let planes = Planes()
    planes.draw(&scene, 7, .milliseconds(1234), filler: 0)
    let first = planes.digest
    planes.draw(&scene, 8, .milliseconds(9000), filler: 255)
    #expect(planes.digest != first)
    planes.draw(&scene, 7, .milliseconds(1234), filler: 255)
    #expect(planes.digest == first)
    planes.draw(&other, 7, .milliseconds(1234), filler: 77)
    #expect(planes.digest == first)
  }

  @Test("it moves from one frame to the next")
  func moves() {
    var scene = DemoScene()
    let planes = Planes()
    planes.draw(&scene, 1, .milliseconds(1000))
    let first = planes.digest
    planes.draw(&scene, 1, .milliseconds(1033))
    #expect(planes.digest != first)
  }

  @Test(
    "the guest stands in the middle, head up, and waves on the right",
    arguments: [0, 900, 2500, 4100, 60_000, 86_400_000])
  func guest(milliseconds: Int) {
    var scene = DemoScene()
    let planes = Planes()
    planes.draw(&scene, 0, .milliseconds(milliseconds))
    // Confetti may hide any one pixel, so that most of some must be as they should.
    func share(
      _ xs: ClosedRange<Int>, _ ys: ClosedRange<Int>, _ fits: (Int, Int) -> Bool
    ) -> Double {
      var hits = 0
      var all = 0
      for y in stride(from: ys.lowerBound, through: ys.upperBound, by: 4) {
        for x in stride(from: xs.lowerBound, through: xs.upperBound, by: 4) {
          let (u, v) = planes.chroma(x, y)
          all += 1
          if fits(u, v) { hits += 1 }
        }
      }
      return Double(hits) / Double(all)
    }
    let skin: (Int, Int) -> Bool = { u, v in (95...116).contains(u) && (140...165).contains(v) }
    let wool: (Int, Int) -> Bool = { u, v in u > 130 && v < 100 }
    #expect(share(600...680, 345...385, skin) > 0.8)
    #expect(share(500...780, 600...700, wool) > 0.8)
    #expect(share(780...930, 370...520, skin) > 0.15)
    #expect(share(350...500, 370...520, skin) < 0.05)
  }

  @Test(
    "times far away do not harm",
    arguments: [Duration.seconds(Int64.max / 4), .seconds(-5), .zero])
  func farTimes(time: Duration) {
    var scene = DemoScene()
    let planes = Planes()
    planes.draw(&scene, 3, time)
    #expect(planes.y[0] < 128)
  }
}
