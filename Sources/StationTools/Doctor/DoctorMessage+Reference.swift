import StationConfiguration

extension DoctorMessage {
  /// The reference of the doctor's messages as Markdown, with one table for each subject.
  ///
  /// Messages of the level `ok` are left out, since they need no action.
  public static var reference: String {
    var lines = [
      "# What the doctor says",
      "",
      referenceOrigin,
      "",
      "`sudo retake doctor` looks at everything that a booth needs. Each line is `ok`, `warning` or `problem`, and",
      "behind an arrow stands what to do. Words in braces stand for what the doctor found. The exit code is 0, 1",
      "with warnings, or 2 with problems; `--json` prints the same for programs, with the codes below.",
    ]
    var subjects: [(name: String, messages: [DoctorMessage])] = []
    for message in all where message.level != .ok {
      if let index = subjects.firstIndex(where: { $0.name == message.subject }) {
        subjects[index].messages.append(message)
      } else {
        subjects.append((message.subject, [message]))
      }
    }
    for (name, messages) in subjects {
      lines += ["", "## \(name)", "", "| level | it says | do | code |", "|---|---|---|---|"]
      lines += messages.map { message in
        "| `\(message.level.rawValue)` | \(markdownCell(message.text)) | "
          + "\(markdownCell(message.fix)) | `\(message.code)` |"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
