import FoundationEssentials
import Glibc
import Platform
import Synchronization

/// Writes a line to standard output, for people: names in it cannot move the cursor or begin another
/// line.
///
/// A reader that went away is no error.
func printLine(_ text: String) { writeAll(text.plainFields + "\n", to: 1) }

/// The same for the program's own text of several lines.
func printText(_ text: String) { writeAll(text.plainLines + "\n", to: 1) }

/// Writes a line for programs, exactly.
func printExactly(_ text: String) { writeAll(text + "\n", to: 1) }

/// Writes what moves the cursor, or a piece of a line, to standard output; the names in it are plain
/// already.
func printPart(_ text: String) {
  writeAll(text, to: 1)
}

/// Writes the program's one sentence about what went wrong.
func complain(_ text: String) {
  writeAll("retake: \(text.plainFields)\n", to: 2)
}

/// Writes a sentence beside the results, such as why there are none; no program reads it for one.
func remark(_ text: String) {
  writeAll("\(text.plainFields)\n", to: 2)
}

/// What commands say where the first photo is yet to make the library.
let nothingYet = "there are no photos yet"

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
  printExactly(String(decoding: try encoder.encode(value), as: UTF8.self))
}
