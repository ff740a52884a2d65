import Station

extension Command {
  static let cameras = Command(
    name: "cameras",
    summary: "List the cameras, what they can do, what Retake would choose, and why.",
    options: [.config, .json]
  ) { arguments in
    let reports = CameraReport.all(
      configuration: try Configuration.load(from: arguments.value(.config)))
    if arguments.has(.json) {
      try printJSON(reports)
      return .done
    }
    guard !reports.isEmpty else {
      remark("there is no camera; the built-in one is '--camera demo'")
      return .done
    }
    for report in reports {
      for line in lines(of: report) { printLine(line) }
    }
    return .done
  }

  private static func lines(of report: CameraReport) -> [String] {
    var lines = ["\(report.model)  \(report.path)  (\(report.driver), \(report.bus))"]
    lines.append("  name: \(report.name)")
    if let usb = report.usb {
      lines.append("  usb: \(usb)" + (report.serial.map { ", serial number \($0)" } ?? ""))
    }
    if !report.twins.isEmpty {
      let others = report.twins.joined(separator: ", ")
      lines.append(
        "  twins: \(others) has the same serial number, so the name above is that of the port; "
          + "\(report.ambiguousNames.joined(separator: ", ")) mean both")
    }
    if let use = report.use { lines.append("  Retake uses it: \(use)") }
    if let choice = report.choice {
      lines.append("  Retake chooses \(choice.mode): \(choice.reason)")
    }
    if let holder = report.holder { lines.append("  open in: \(holder)") }
    if let problem = report.problem { lines.append("  problem: \(problem)") }
    if let layer = report.layer { lines.append("  libcamera: \(layer)") }
    for format in report.formats {
      let note = format.isUsable ? "" : "  (no pictures can be made of it)"
      for size in format.sizes {
        let rates = size.rates.isEmpty ? "" : " at \(size.rates.joined(separator: ", ")) fps"
        lines.append("  \(format.format) \(size.size)\(rates)\(note)")
      }
    }
    if !report.controls.isEmpty { lines.append("  controls:") }
    return lines + report.controls.map { line(of: $0) }
  }

  private static func line(of control: CameraReport.Control) -> String {
    let value = control.value.map { " = \($0)" } ?? ""
    var notes = [control.range]
    if control.kind == "integer" || control.kind == "boolean" || !control.menu.isEmpty {
      notes.append("default \(control.usual)")
    }
    if control.isReadOnly { notes.append("read only") }
    if control.isInactive { notes.append("without effect now") }
    return "    \(control.name)\(value)  (\(notes.joined(separator: "; ")))"
  }
}
