import FoundationEssentials
import Glibc
import Synchronization

/// Writes whole lines to standard output.
///
/// A reader that went away is no error.
func printLine(_ text: String) {
  writeAll(text + "\n", to: 1)
}

/// Writes text that is no whole line to standard output.
func printPart(_ text: String) {
  writeAll(text, to: 1)
}

/// Writes the program's one sentence about what went wrong.
func complain(_ text: String) {
  writeAll("retake: \(text)\n", to: 2)
}

/// Whether something that was to be printed is lost, though somebody was there to read it.
let outputIsLost = Atomic<Bool>(false)

private func writeAll(_ text: String, to number: Int32) {
  var text = text
  text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = write(number, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        if number == 1, errno != EPIPE { outputIsLost.store(true, ordering: .relaxed) }
        return
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }
}

/// Prints a value as JSON with sorted keys, on one line when `isCompact`.
func printJSON(_ value: some Encodable, isCompact: Bool = false) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  if !isCompact { encoder.outputFormatting.insert(.prettyPrinted) }
  printLine(String(decoding: try encoder.encode(value), as: UTF8.self))
}
