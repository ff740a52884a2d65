import FoundationEssentials
import FuzzTargets
import Glibc
import Testing

/// The inputs that fuzzing has found worth keeping, run again; a finding traps.
@Suite struct CorpusTests {
  private static let corpus =
    String(#filePath.dropLast("Replay/CorpusTests.swift".count)) + "Corpus/"

  private static func inputs(_ name: String) -> [String] {
    guard let folder = opendir(corpus + name) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      let file = String(cString: start)
      if !file.hasPrefix(".") { names.append("\(corpus)\(name)/\(file)") }
    }
    return names.sorted()
  }

  private static func contents(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  @Test("reading a configuration handles its corpus") func readingAConfigurationHandlesItsCorpus() {
    let inputs = CorpusTests.inputs("configuration")
    #expect(inputs.count > 10)
    for input in inputs { CorpusTests.contents(input).withUnsafeBytes { fuzzConfiguration($0) } }
  }

  /// Runs damaged configurations for a short time and with a fixed seed, as libFuzzer does for
  /// longer.
  @Test("reading a configuration handles damaged ones")
  func readingAConfigurationHandlesDamagedOnes() {
    let corpus = CorpusTests.inputs("configuration").map(CorpusTests.contents)
      .filter { $0.count < 4096 }
    var chance = Dice(state: 14)
    let signs = Array("\"'[]{}=.,#\\\n\u{FEFF}ü\u{0}".utf8)
    let count = Int(ProcessInfo.processInfo.environment["RETAKE_DAMAGED"] ?? "") ?? 500
    for _ in 0..<count {
      var bytes = corpus[chance.next(corpus.count)]
      for _ in 0...chance.next(4) {
        let place = chance.next(bytes.count + 1)
        switch chance.next(5) {
        case 0: bytes.insert(UInt8(chance.next(256)), at: place)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + chance.next(8)))
        case 2: bytes.insert(signs[chance.next(signs.count)], at: place)
        case 3 where place < bytes.count: bytes[place] = UInt8(chance.next(256))
        default:
          let other = corpus[chance.next(corpus.count)]
          let start = chance.next(other.count + 1)
          bytes.insert(contentsOf: other[start...].prefix(chance.next(64)), at: place)
        }
      }
      bytes.withUnsafeBytes { fuzzConfiguration($0) }
    }
  }

  /// A linear congruential generator: the same sequence each time.
  private struct Dice {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(1, bound)
    }
  }

  @Test("the frame gate handles its corpus") func theFrameGateHandlesItsCorpus() {
    let inputs = CorpusTests.inputs("gate")
    #expect(inputs.count > 10)
    for input in inputs { CorpusTests.contents(input).withUnsafeBytes { fuzzGate($0) } }
  }

  @Test("negotiation handles its corpus") func negotiationHandlesItsCorpus() {
    let inputs = CorpusTests.inputs("negotiation")
    #expect(inputs.count > 10)
    for input in inputs { CorpusTests.contents(input).withUnsafeBytes { fuzzNegotiation($0) } }
  }
}
