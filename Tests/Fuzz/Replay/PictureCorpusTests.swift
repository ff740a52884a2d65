import Foundation
import FuzzTargets
import Testing

/// The inputs that fuzzing has found worth keeping, run again; a finding traps.
@Suite struct PictureCorpusTests {
  private static func inputs(_ name: String) throws -> [URL] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Corpus/\(name)")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  }

  @Test("opening pictures handles its corpus") func openingPicturesHandlesItsCorpus() throws {
    let inputs = try Self.inputs("pictures")
    #expect(inputs.count > 10)
    for input in inputs {
      try Data(contentsOf: input).withUnsafeBytes { fuzzPictures($0) }
    }
  }

  @Test("reading heads handles its corpus") func readingHeadsHandlesItsCorpus() throws {
    let inputs = try Self.inputs("headers")
    #expect(inputs.count > 10)
    for input in inputs + (try Self.inputs("pictures")) {
      try Data(contentsOf: input).withUnsafeBytes { fuzzHeaders($0) }
    }
  }
}
