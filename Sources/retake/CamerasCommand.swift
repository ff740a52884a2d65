import Station

extension Command {
  static let cameras = Command(
    name: "cameras", summary: "List the cameras, what they can do, and what keeps one from use.",
    options: [.json]
  ) { arguments in
    let reports = CameraReport.all()
    if arguments.has(.json) {
      try printJSON(reports)
      return .done
    }
    guard !reports.isEmpty else {
      printLine("There is no camera. The built-in one is always there: --camera demo")
      return .done
    }
    for report in reports {
      printLine("\(report.model)  \(report.path)  (\(report.driver), \(report.bus))")
      printLine("  name: \(report.name)")
      if let usb = report.usb {
        printLine("  usb: \(usb)" + (report.serial.map { ", serial number \($0)" } ?? ""))
      }
      if let problem = report.problem { printLine("  problem: \(problem)") }
      for format in report.formats {
        for size in format.sizes {
          let rates = size.rates.isEmpty ? "" : " at \(size.rates.joined(separator: ", ")) fps"
          printLine("  \(format.format) \(size.size)\(rates)")
        }
      }
    }
    return .done
  }
}
