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

  @Test func readingAConfigurationHandlesItsCorpus() {
    let inputs = CorpusTests.inputs("configuration")
    #expect(inputs.count > 10)
    for input in inputs { CorpusTests.contents(input).withUnsafeBytes { fuzzConfiguration($0) } }
  }

  @Test func theFrameGateHandlesItsCorpus() {
    let inputs = CorpusTests.inputs("gate")
    #expect(inputs.count > 10)
    for input in inputs { CorpusTests.contents(input).withUnsafeBytes { fuzzGate($0) } }
  }

  @Test func negotiationHandlesItsCorpus() {
    let inputs = CorpusTests.inputs("negotiation")
    #expect(inputs.count > 10)
    for input in inputs { CorpusTests.contents(input).withUnsafeBytes { fuzzNegotiation($0) } }
  }
}
