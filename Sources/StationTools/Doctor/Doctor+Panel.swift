import Station
import StationConfiguration

extension Doctor {
  /// Returns the findings about the groups of the service's user.
  func groups(_ visit: Visit) -> [Finding] {
    // Root needs no groups. Without a service, `gpio` and `input` are needed only for lamps.
    guard visit.user != "root" else { return [] }
    var wanted = ["video"]
    if visit.hasService || !visit.configuration.panelLamps.isEmpty { wanted += ["gpio", "input"] }
    wanted = wanted.filter { group in
      (world.read("/etc/group") ?? "").split(whereSeparator: \.isNewline)
        .contains { $0.hasPrefix("\(group):") }
    }
    let has = world.groups(of: visit.user)
    let missing = wanted.filter { !has.contains($0) }
    guard missing.isEmpty else {
      return [
        say("groups-missing", ["user": visit.user, "groups": missing.joined(separator: ",")])
      ]
    }
    return wanted.isEmpty
      ? [] : [say("groups", ["user": visit.user, "groups": wanted.joined(separator: ", ")])]
  }

  func buttons(_ visit: Visit) -> [Finding] {
    var findings: [Finding] = []
    for chip in visit.panel.chips {
      findings.append(
        say(
          "gpio",
          [
            "chip": chip.label, "path": chip.path, "count": "\(chip.lines.count)",
            "owner": world.owner(of: chip.path).map { "\($0)" } ?? "unknown owner",
          ]))
    }
    if visit.panel.chips.isEmpty, visit.panel.problems.isEmpty { findings.append(say("gpio-none")) }
    for problem in visit.panel.problems { findings.append(say("gpio-denied", ["error": problem])) }
    if visit.panel.devices.isEmpty {
      findings.append(say("input-none"))
    } else {
      let names = visit.panel.devices.prefix(4).map(\.name).joined(separator: ", ")
      findings.append(say("input", ["names": names]))
    }
    if let problem = visit.access[.buttons] { findings.append(say("buttons-denied", problem)) }
    return findings + configured(visit)
  }

  private func configured(_ visit: Visit) -> [Finding] {
    var findings: [Finding] = []
    let buttons = visit.station?.panel?.buttons ?? []
    for button in buttons {
      var words = ["name": button.name ?? "", "place": button.place ?? ""]
      words["state"] = button.state == "armed" ? "ready" : button.state ?? "unknown"
      words["why"] = button.problem ?? button.state ?? ""
      switch button.state {
      case "waiting": findings.append(say("buttons-waiting", words))
      case "stuck": findings.append(say("buttons-stuck", words))
      default: findings.append(say("buttons", words))
      }
    }
    for lamp in visit.station?.panel?.lamps ?? [] {
      guard let problem = lamp.problem else { continue }
      findings.append(
        say("lamps-broken", ["name": lamp.name ?? "", "place": lamp.place ?? "", "why": problem]))
    }
    if visit.station == nil {
      // No station answers, so the configuration is compared with the lines and devices there are.
      for problem in visit.panel.configurationProblems {
        let parts = problem.split(separator: ":", maxSplits: 1)
        findings.append(
          say(
            "buttons-waiting",
            [
              "name": String(parts.first ?? ""), "place": "its line",
              "why": parts.last.map { $0.drop { $0 == " " } }.map(String.init) ?? problem,
            ]
          ))
      }
    }
    if visit.configuration.buttons.isEmpty { findings.append(say("buttons-none")) }
    return findings
  }
}
