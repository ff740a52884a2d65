import Glibc
import Station
import StationTools

extension Command {
  static let doctor = Command(
    name: "doctor",
    summary: "Look at everything a booth needs, and say how to fix problems.",
    options: [.config, .json],
    exits: [(0, "all is well"), (1, "there are warnings"), (2, "there are problems")]
  ) { arguments in
    let report = Doctor(file: arguments.value(.config)).examine()
    if arguments.has(.json) {
      try printJSON(report)
    } else {
      let width = report.findings.map(\.subject.count).max() ?? 0
      for finding in report.findings {
        let level = finding.level.rawValue
        let subject = finding.subject
        printLine(
          level + String(repeating: " ", count: 9 - level.count) + subject
            + String(repeating: " ", count: width - subject.count + 2) + finding.text)
        if let fix = finding.fix {
          printLine("         \(String(repeating: " ", count: width + 2))-> \(fix)")
        }
      }
      let worst = [Finding.Level.problem, .warning].compactMap { level in
        let count = report.findings.filter { $0.level == level }.count
        return count == 0 ? nil : "\(count) \(level.rawValue)\(count == 1 ? "" : "s")"
      }
      printLine(worst.isEmpty ? "all is well" : worst.joined(separator: ", "))
    }
    // The doctor's exit status has its own meaning: 1 for warnings, 2 for problems.
    return ExitStatus(rawValue: report.exitStatus) ?? .cancelled
  }
}
