import Foundation
import FuzzTargets
import Testing

/// The inputs that fuzzing has found worth keeping, run again; a finding traps.
@Suite struct PictureCorpusTests {
  @Test func openingPicturesHandlesItsCorpus() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Corpus/pictures")
    let inputs = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(inputs.count > 10)
    for input in inputs {
      try Data(contentsOf: input).withUnsafeBytes { fuzzPictures($0) }
    }
  }
}
