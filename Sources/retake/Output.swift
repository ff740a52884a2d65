import FoundationEssentials
import Glibc
import Platform
import Synchronization

/// Writes a line for people to standard output.
///
/// Control characters in names are replaced, so that a name cannot move the cursor or begin another
/// line. A reader that closed the pipe is no error.
func printLine(_ text: String) { writeAll(text.plainFields + "\n", to: 1) }

/// Writes the program's own text of several lines in the same way.
func printText(_ text: String) { writeAll(text.plainLines + "\n", to: 1) }

/// Writes an unchanged line for programs to standard output.
func printExactly(_ text: String) { writeAll(text + "\n", to: 1) }

/// Writes an unchanged part of a line, or a control sequence, to standard output.
///
/// The caller must replace control characters in names.
func printPart(_ text: String) {
  writeAll(text, to: 1)
}

/// Writes the program's error message to standard error.
func complain(_ text: String) {
  writeAll("retake: \(text.plainFields)\n", to: 2)
}

/// Writes a remark to standard error, so that programs do not read it as a result.
func remark(_ text: String) {
  writeAll("\(text.plainFields)\n", to: 2)
}

/// The words of commands where the first photo is yet to make the library.
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
