import Glibc
import Imaging
import Media

/// Measures the gate's check of a frame without tables and the copy that repairs it, against a
/// plain copy.
enum Gate {
  static func run(_ words: [String]) throws {
    let bytes = contents(words[0])
    let rounds = words.count > 1 ? Int(words[1]) ?? 50 : 50
    // Many frames, so that neither job finds them in the cache: a driver's buffer was just written
    // by a device.
    let frames = 64
    let all = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count * frames, alignment: 4096)
    for index in 0..<frames {
      UnsafeMutableRawBufferPointer(rebasing: all[(index * bytes.count)...]).copyMemory(from: bytes)
    }
    let target = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count + 4096, alignment: 4096)
    func frame(_ index: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: all[index * bytes.count..<(index + 1) * bytes.count])
    }
    guard JPEGGate.inspect(frame(0)).tablesOffset != nil else { Main.fail("the frame has tables") }
    try measure(
      rounds: rounds,
      [
        ("memcpy", { for index in 0..<frames { target.copyMemory(from: frame(index)) } }),
        (
          "gate and repair",
          {
            for index in 0..<frames {
              let inspection = JPEGGate.inspect(frame(index))
              let count = inspection.copyRepaired(frame(index), into: target)
              guard count > bytes.count else { Main.fail("it was not repaired") }
            }
          }
        ),
        ("gate", { for index in 0..<frames { _ = JPEGGate.inspect(frame(index)) } }),
        (
          "memcpy, warm", { for _ in 0..<frames { target.copyMemory(from: frame(0)) } }
        ),
        (
          "gate and repair, warm",
          {
            for _ in 0..<frames {
              let inspection = JPEGGate.inspect(frame(0))
              _ = inspection.copyRepaired(frame(0), into: target)
            }
          }
        ),
      ])
  }
}
