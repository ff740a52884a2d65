extension ConfigurationKey {
  /// The reference of all keys as Markdown, with one table for each TOML table.
  public static var reference: String {
    var lines = [
      "# Configuration",
      "",
      referenceOrigin,
      "",
      "The configuration is one file in [TOML](https://toml.io): `/etc/retake/retake.toml`, or the one that",
      "`--config` names. Every key is optional. `sudo systemctl reload retake` reads it again, and what changed is",
      "used from the next session on. A file with a mistake is refused with the line of the mistake, and the",
      "station goes on as before.",
      "",
      "- **Each `[table]` may be in the file once.** The package's file has most tables already: put a line below",
      "  the `[table]` that is there.",
      "- **To use a line of the package's file** take away the `#` before it, and the `#` before its `[table]`.",
      "- `retake config` prints every value that is in effect, and where it came from.",
      "- *NAME* in a table's name is a word of yours.",
      "- The defaults are those of the service. `retake run`, started by hand as a user without root's rights, has",
      "  its library and its socket in that user's own directories, and falls back on the demo camera.",
    ]
    var tables: [(name: String, keys: [ConfigurationKey])] = []
    for key in all {
      let table = key.openTable
      if let index = tables.firstIndex(where: { $0.name == table }) {
        tables[index].keys.append(key)
      } else {
        tables.append((table, [key]))
      }
    }
    for (name, keys) in tables {
      lines += ["", "## [\(name)]", "", "| key | default | meaning |", "|---|---|---|"]
      lines += keys.map(\.referenceRow)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The name of the table in documents, with NAME for each `*`.
  var openTable: String {
    let parts = name.split(separator: ".").dropLast()
    return parts.map { $0 == "*" ? "NAME" : String($0) }.joined(separator: ".")
  }

  /// The name of the key without its table, with NAME for a `*`.
  var lastWord: String {
    name.split(separator: ".").last.map { $0 == "*" ? "NAME" : String($0) } ?? ""
  }

  private var referenceRow: String {
    let value = usualValue.map { "`\($0)`" } ?? "not set; for example `\(exampleValue)`"
    let meaning = "\(summary.capitalizedFirst). *Value:* \(form)."
    return "| `\(lastWord)` | \(markdownCell(value)) | \(markdownCell(meaning)) |"
  }
}

/// The first line of each page that the program writes.
package let referenceOrigin =
  "<!-- Written by the program: change its tables, then run scripts/docs reference. -->"

/// Returns text with the escapes that make a cell of a Markdown table show it unchanged.
public func markdownCell(_ text: String) -> String {
  var result = ""
  for character in text {
    switch character {
    case "|": result += "\\|"
    case "<": result += "&lt;"
    case "\n": result += " "
    default: result.append(character)
    }
  }
  return result
}
