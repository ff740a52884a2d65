import Foundation
import Imaging
import Media
import Platform
import StationTestSupport

/// Other programs that check the files of this one.
enum Tools {
  /// Runs a program on `bytes` in a file; returns its exit status and its output.
  static func run(
    _ program: String, _ arguments: [String], on bytes: [UInt8]
  ) throws -> (status: Int32, text: String, output: [UInt8]) {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("retake-test-\(UInt64.random(in: 0 ... .max)).jpg")
    try Data(bytes).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/\(program)")
    process.arguments = arguments + [path.path]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: said, as: UTF8.self) + String(decoding: complained, as: UTF8.self)
    return (process.terminationStatus, text, [UInt8](said))
  }

  /// The still of a JPEG frame.
  static func still(
    _ frame: [UInt8], _ orientation: Orientation = Orientation(), box: PixelRect? = nil,
    metadata: StillMetadata? = nil, with maker: inout StillMaker
  ) throws -> Still {
    try frame.withUnsafeBytes { bytes in
      let inspection = JPEGGate.inspect(bytes)
      let image = FrameImage(
        bytes: bytes, format: .mjpeg, size: inspection.size, bytesPerLine: 0)
      return try maker.make(
        image, inspection: inspection, orientation: orientation, box: box, metadata: metadata)
    }
  }
}
