import Glibc
import ImagePicker
import KioskServer
import Platform
import Station
import StationConfiguration

extension Doctor {
  // MARK: Library

  /// Returns the findings about the library, and about disks that do not answer.
  func disks(_ visit: Visit) -> [Finding] {
    var findings = (visit.station?.silentDisks ?? []).map { disk in
      silence(of: disk.path ?? "", .milliseconds(disk.milliseconds ?? 0))
    }
    let path = visit.configuration.libraryPath
    do throws(MediumSilence) {
      findings += try media.worker("looks", for: path).run(media.reading) { [self] _ in
        library(visit)
      }
    } catch {
      if !(visit.station?.silentDisks ?? []).contains(where: { $0.path == path }) {
        findings.append(silence(of: path, media.patience))
      }
      findings += copies(visit)
    }
    return findings
  }

  private func silence(of path: String, _ time: Duration) -> Finding {
    say("disk-silent", ["path": path, "time": "\(time.nanoseconds / 1_000_000_000) s"])
  }

  func library(_ visit: Visit) -> [Finding] {
    let path =
      visit.station?.library?.path.map { parent($0, visit) } ?? visit.configuration.libraryPath
    var words = ["path": path, "user": visit.user]
    var findings: [Finding] = []
    // The sandbox is checked first, since nothing below a hidden home can be fixed by permissions.
    let isHidden = visit.hasService && !isWritableForService(path)
    if isHidden { findings.append(say("library-sandbox", words)) }
    if let problem = visit.access[.library] {
      return (isHidden ? findings : [say("library-denied", problem)]) + copies(visit)
    }
    if let state = visit.station?.library?.state, !["ok", "low", "starting"].contains(state),
      visit.station?.configurationProblem == nil
    {
      words["state"] = state
      words["advice"] = visit.station?.library?.fix ?? "'retake photos stats' says more"
      findings.append(say(state == "gone" ? "library-none" : "library-broken", words))
      return findings + copies(visit)
    }
    // A user's own library is created with the first photo.
    guard world.exists(path) || !visit.hasService else {
      return findings + [say("library-none", words)] + copies(visit)
    }
    if visit.hasService, visit.user != "root", !isHidden, let owner = world.owner(of: path),
      !owner.lets(visit.user, in: world.groups(of: visit.user), do: 7)
    {
      let problem = AccessProblem(
        closed: path, to: visit.user, "\(owner)", isOwn: owner.user == visit.user,
        object: AccessProbe.library(path))
      findings.append(say("library-denied", problem))
    }
    return findings + room(path, words, visit) + copies(visit)
  }

  private func room(_ path: String, _ words: [String: String], _ visit: Visit) -> [Finding] {
    var words = words
    guard let facts = existing(path).flatMap({ world.fileSystem(world.root + $0) }) else {
      return []
    }
    words["type"] = facts.type
    words["free"] = Doctor.size(facts.free)
    let reserve = visit.configuration.reserve ?? 200_000_000
    // A portrait of a good webcam has about 1 MB; the message calls the number an estimate.
    words["photos"] = "\(max(0, (facts.free - reserve) / 1_000_000))"
    if facts.isVolatile, !visit.configuration.allowsVolatile {
      return [say("library-volatile", words)]
    }
    var findings: [Finding] = []
    if facts.type == "vfat" || facts.type == "exfat" { findings.append(say("library-fat", words)) }
    if facts.free < reserve + 100_000_000 {
      findings.append(say("library-low", words))
    } else {
      findings.append(say("library", words))
    }
    return findings
  }

  private func copies(_ visit: Visit) -> [Finding] {
    (visit.station?.library?.copies ?? []).map { copy in
      let state = copy.state ?? "unknown"
      let words = [
        "path": copy.path ?? "", "state": state,
        "advice": copy.fix ?? "plug it in; it catches up by itself",
      ]
      let isGood = ["ready", "copying"].contains(state) && copy.fix == nil
      return say(isGood ? "copies" : "copies-away", words)
    }
  }

  private func parent(_ album: String, _ visit: Visit) -> String {
    album.hasPrefix(visit.configuration.libraryPath) ? visit.configuration.libraryPath : album
  }

  /// Returns the longest part of the path that exists.
  private func existing(_ path: String) -> String? {
    var parts = path.split(separator: "/")
    while !parts.isEmpty {
      let candidate = "/" + parts.joined(separator: "/")
      if world.exists(candidate) { return candidate }
      parts.removeLast()
    }
    return "/"
  }

  /// Returns whether the unit's settings let the service write to `path`.
  private func isWritableForService(_ path: String) -> Bool {
    func lies(in place: String) -> Bool { path == place || path.hasPrefix(place + "/") }
    var places = ["/var/lib/retake", "/srv", "/mnt", "/media"]
    let names = ["-p", "ReadWritePaths", "-p", "ProtectHome"]
    let text = world.output(["systemctl", "show", "--no-pager"] + names + ["retake.service"])
    for line in (text ?? "").split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      // `ReadWritePaths` does not open a directory that `ProtectHome` hides.
      if parts[0] == "ProtectHome", parts[1] != "no", AccessProbe.homes.contains(where: lies) {
        return false
      }
      guard parts[0] == "ReadWritePaths" else { continue }
      places += parts[1].split(separator: " ").map { String($0.drop { $0 == "-" || $0 == "+" }) }
    }
    return places.contains(where: lies)
  }

  /// Returns a size in words, as in `12.3 GB`.
  static func size(_ bytes: Int64) -> String {
    bytes >= 1_000_000_000
      ? "\(Double(bytes / 100_000_000) / 10) GB" : "\(bytes / 1_000_000) MB"
  }

  // MARK: Clock, power, temperature, page

  func machine(_ visit: Visit) -> [Finding] {
    [clock(), power(), temperature(), page(visit)] + address(visit)
  }

  private func clock() -> Finding {
    var (now, parts) = (time_t(), tm())
    time(&now)
    localtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M %Z", &parts)
    let date = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard world.isClockSet() else { return say("clock-unset", ["time": date]) }
    let isRemote = world.exists("/run/systemd/timesync/synchronized")
    let hasBattery = world.read("/sys/class/rtc/rtc0/hctosys") == "1"
    let source =
      isRemote
      ? "a time server" : hasBattery ? "a battery-backed clock" : "hand, or by a time server"
    return say("clock", ["time": date, "source": source])
  }

  private func power() -> Finding {
    // Source: raspberrypi.com, documentation of `vcgencmd get_throttled`.
    let text =
      world.read("/sys/devices/platform/soc/soc:firmware/get_throttled")
      ?? world.output(["vcgencmd", "get_throttled"]).map {
        String($0.drop { $0 != "=" }.dropFirst())
      }
    if let text, let bits = UInt32(hexadecimal: text) {
      let words = [
        (0, "under-voltage"), (1, "frequency capped"), (2, "throttled"),
        (3, "soft temperature limit"),
      ]
      let now = words.filter { bits >> $0.0 & 1 == 1 }.map(\.1)
      let before = words.filter { bits >> (16 + $0.0) & 1 == 1 }.map(\.1)
      if bits & 0x1 != 0 { return say("power-low", ["words": now.joined(separator: ", ")]) }
      if !now.isEmpty || bits & 0x1_0000 != 0 {
        return say("power-was-low", ["words": (now.isEmpty ? before : now).joined(separator: ", ")])
      }
      return say("power")
    }
    for name in world.list("/sys/class/hwmon") {
      let sensor = "/sys/class/hwmon/\(name)"
      guard world.read("\(sensor)/name") == "rpi_volt" else { continue }
      return world.read("\(sensor)/in0_lcrit_alarm") == "1"
        ? say("power-low", ["words": "under-voltage"]) : say("power")
    }
    return say("power-unknown")
  }

  private func temperature() -> Finding {
    let values = world.list("/sys/class/thermal").filter { $0.hasPrefix("thermal_zone") }
      .compactMap { world.read("/sys/class/thermal/\($0)/temp").flatMap { Int($0) } }
    // Values are thousandths of a degree; an implausible value comes from an unconnected sensor.
    guard let hottest = values.filter({ (1...150_000).contains($0) }).max() else {
      return say("temperature-unknown")
    }
    let degrees = ["degrees": "\((hottest + 500) / 1000)"]
    // A Raspberry Pi lowers its clock rate from 80 °C on.
    return say(hottest >= 80_000 ? "temperature-high" : "temperature", degrees)
  }

  private func page(_ visit: Visit) -> Finding {
    let kiosk = properties(of: "retake-kiosk.service")
    let isWanted = ["enabled", "enabled-runtime"].contains(kiosk?["UnitFileState"] ?? "")
    let state = kiosk?["ActiveState"] ?? "inactive"
    if let silence = visit.station?.service?.pageSilentMilliseconds,
      silence <= 20_000 || state != "active"
    {
      return silence <= 20_000
        ? say("page", ["time": "\(silence / 1000) s"]) : kioskState(isWanted, state)
    }
    if state == "active" {
      let time = visit.station?.service?.pageSilentMilliseconds.map { "\($0 / 1000) s" }
      return say("page-silent", ["time": time ?? "all the time since the start"])
    }
    return kioskState(isWanted, state)
  }

  /// Returns the findings about the address of the page.
  private func address(_ visit: Visit) -> [Finding] {
    guard let address = visit.station?.page?.address else { return [] }
    var findings: [Finding] = []
    if let place = KioskAddress(address), !place.isLoopback, visit.configuration.web.token == nil,
      visit.configuration.web.listen != nil
    {
      let count = KioskConfiguration.shortestToken
      findings.append(say("page-open", ["address": address, "count": "\(count)"]))
    }
    if let wanted = visit.station?.page?.ignored {
      let words = ["wanted": wanted, "address": address, "fix": PageReport.fix(wanted)]
      findings.append(say("page-socket", words))
    }
    return findings
  }

  private func kioskState(_ isWanted: Bool, _ state: String) -> Finding {
    isWanted ? say("page-kiosk-down", ["state": state]) : say("page-none")
  }
}

extension UInt32 {
  /// Parses a number such as `0x50005`, with or without the `0x`.
  fileprivate init?(hexadecimal text: String) {
    let digits = text.filter { !$0.isWhitespace }
    self.init(digits.hasPrefix("0x") ? String(digits.dropFirst(2)) : digits, radix: 16)
  }
}
