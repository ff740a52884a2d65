import StationConfiguration

/// A message of the doctor with its fix, in which `{word}` stands for a fact.
///
/// `docs/reference/doctor.md` has a row for each message of another level than `ok`.
public struct DoctorMessage: Sendable {
  /// The name of the message for programs.
  public var code: String
  /// The level of the message.
  public var level: Finding.Level
  /// The subject of the message.
  public var subject: String
  /// The fact that the doctor found.
  public var text: String
  /// The fix, or an empty string when no action is needed.
  public var fix: String

  private init(
    _ code: String, _ level: Finding.Level, _ subject: String, _ text: String, _ fix: String = ""
  ) {
    (self.code, self.level, self.subject, self.text, self.fix) = (code, level, subject, text, fix)
  }

  /// Returns the message of that code, which must exist.
  static func named(_ code: String) -> DoctorMessage {
    guard let message = all.first(where: { $0.code == code }) else {
      preconditionFailure("the doctor has no message \(code)")
    }
    return message
  }

  /// The messages, in the order of the doctor's report.
  public static let all: [DoctorMessage] = [
    ofTheService, ofTheCamera, ofMovies, ofButtons, ofTheLibrary, ofTheMachine,
  ].flatMap { $0 }

  private static let ofTheService = [
    DoctorMessage("configuration", .ok, "configuration", "{file} is in order"),
    DoctorMessage(
      "configuration-none", .ok, "configuration", "there is no {file}; the defaults are used"),
    DoctorMessage(
      "configuration-wrong", .problem, "configuration", "{error}",
      "correct that, then: sudo systemctl reload retake"),
    DoctorMessage(
      "configuration-shut", .problem, "configuration",
      "the service's user {user} cannot read {file}: {path} belongs to {owner}",
      "{fix}; then: sudo systemctl reload retake"),
    DoctorMessage(
      "configuration-denied", .warning, "configuration", "you may not read {file}",
      "sudo retake doctor"),
    DoctorMessage(
      "configuration-open", .warning, "configuration",
      "{what} in {file} can be read by every user of this machine ({owner})", "{fix}"),
    DoctorMessage(
      "configuration-unused", .problem, "configuration",
      "the service waits for another configuration: {error}",
      "correct it, then: sudo systemctl reload retake"),
    DoctorMessage("service", .ok, "service", "retake.service runs: {status}"),
    DoctorMessage(
      "service-none", .ok, "service",
      "no service is installed; everything was checked as your own user"),
    DoctorMessage(
      "service-down", .problem, "service", "retake.service is {state}",
      "sudo systemctl start retake; why it ended: journalctl -u retake -b"),
    DoctorMessage(
      "service-disabled", .warning, "service", "retake.service does not start with the machine",
      "sudo systemctl enable retake.service retake.socket"),
    DoctorMessage(
      "service-restarted", .warning, "service", "retake.service was restarted {count}",
      "find out why: journalctl -u retake -b -p warning"),
    DoctorMessage(
      "service-silent", .problem, "service", "retake.service runs, but does not answer at {socket}",
      "sudo systemctl restart retake"),
    DoctorMessage(
      "service-denied", .warning, "service", "you may not ask the running service at {socket}",
      "sudo retake doctor"),
    DoctorMessage(
      "watchdog", .ok, "watchdog",
      "systemd restarts the service after {time} without a sign of life"),
    DoctorMessage(
      "watchdog-off", .warning, "watchdog", "nobody watches whether the service hangs",
      "remove WatchdogSec= from what 'systemctl edit retake' shows"),
    DoctorMessage(
      "watchdog-silent", .problem, "watchdog", "{part} has shown no sign of life for {time}",
      "it restarts by itself; if that repeats: journalctl -u retake -b"),
  ]

  private static let ofTheCamera = [
    DoctorMessage("camera", .ok, "camera", "{camera} {state}"),
    DoctorMessage("camera-there", .ok, "camera", "{camera}: {path}, {owner}; {modes}"),
    DoctorMessage(
      "camera-none", .problem, "camera", "there is no camera",
      "plug one in; if it is: another cable, another port, a powered hub; 'sudo dmesg' tells what the kernel saw"
    ),
    DoctorMessage(
      "camera-other", .problem, "camera",
      "the configured camera {camera} is absent; plugged in: {others}",
      "set 'camera.device' in /etc/retake/retake.toml to the one you mean, or to \"auto\""),
    DoctorMessage(
      "camera-denied", .problem, "camera", "{who} cannot use {what}: {why}", "{fix}"),
    DoctorMessage(
      "camera-busy", .problem, "camera", "{camera} is used by {holder}",
      "end {holder}, or give it another camera"),
    DoctorMessage(
      "camera-silent", .problem, "camera", "{camera}: {state}",
      "check its cable and power; then: sudo systemctl restart retake"),
    DoctorMessage(
      "camera-dark", .warning, "camera",
      "{camera} sends {rate} pictures a second in place of those of {mode}: it lacks light",
      "put more light where guests stand; or set a fixed exposure, or exposure_dynamic_framerate = 0, in [camera.controls]"
    ),
    DoctorMessage(
      "camera-twins", .warning, "camera",
      "'{device}' means {count} cameras with one serial number; the one at the first port is used",
      "name the one you mean by its port: device = \"{name}\""),
    DoctorMessage(
      "camera-unusable", .problem, "camera", "{camera}: {error}", "see 'retake cameras'"),
    DoctorMessage(
      "camera-unstable", .warning, "camera", "'camera.device' is {path}, a number that changes",
      "use the name that stays: device = \"{name}\""),
    DoctorMessage(
      "camera-layer", .warning, "camera", "{camera} works through libcamera's layer only",
      "{advice}"),
    DoctorMessage(
      "camera-damaged", .warning, "camera", "{count} of {all} frames were damaged",
      "another cable or port; a smaller 'camera.size' or 'camera.rate' needs less of the bus"),
  ]

  private static let ofMovies = [
    DoctorMessage("movies", .ok, "movies", "movies are {coding}; {hardware}"),
    DoctorMessage(
      "movies-copied", .warning, "movies",
      "movies are the camera's own pictures, which browsers do not play: {error}", "{fix}"),
    DoctorMessage("movies-none", .warning, "movies", "no movie can be recorded: {error}", "{fix}"),
  ]

  private static let ofButtons = [
    DoctorMessage("groups", .ok, "groups", "{user} is in {groups}"),
    DoctorMessage(
      "groups-missing", .problem, "groups", "{user} is not in {groups}",
      "sudo usermod -aG {groups} {user}; sudo systemctl restart retake"),
    DoctorMessage(
      "buttons-denied", .problem, "buttons", "{who} cannot use {what}: {why}", "{fix}"),
    DoctorMessage("buttons", .ok, "buttons", "{name} at {place}: {state}"),
    DoctorMessage(
      "buttons-none", .ok, "buttons",
      "no button is configured; 'retake buttons --learn' finds one by its press"),
    DoctorMessage(
      "buttons-waiting", .problem, "buttons", "{name} at {place} does not work: {why}",
      "'retake buttons' lists lines and devices, and who uses them; the pins are in /usr/share/doc/retake/docs/reference/pins.md"
    ),
    DoctorMessage(
      "buttons-stuck", .problem, "buttons", "{name} at {place} is pressed all the time",
      "a wire that touches the case, a button that hangs, or 'active' the wrong way round"),
    DoctorMessage(
      "lamps-broken", .warning, "buttons", "the lamp {name} at {place} does not work: {why}",
      "'retake buttons' lists the lines, and who uses them"),
    DoctorMessage("gpio", .ok, "lines", "{chip}: {path}, {owner}, {count} lines"),
    DoctorMessage("gpio-none", .ok, "lines", "there is no chip with lines"),
    DoctorMessage(
      "gpio-denied", .warning, "lines", "{error}",
      "sudo retake doctor tells whether the service may"),
    DoctorMessage("input", .ok, "devices", "with keys: {names}"),
    DoctorMessage("input-none", .ok, "devices", "there is no device with keys"),
  ]

  private static let ofTheLibrary = [
    DoctorMessage(
      "library", .ok, "library", "{path}, {type}, {free} free, room for about {photos} photos"),
    DoctorMessage(
      "library-low", .warning, "library", "{path}: only {free} are left",
      "move or delete photos: 'retake photos export', 'retake photos delete', or set 'library.keep-size'"
    ),
    DoctorMessage(
      "library-none", .problem, "library", "{path} does not exist",
      "plug in and mount its disk, or set 'library.path'"),
    DoctorMessage(
      "library-broken", .problem, "library", "{path} is {state}", "{advice}"),
    DoctorMessage(
      "disk-silent", .problem, "disk", "{path} has not answered for {time}",
      "unplug its disk and plug it in again, or replace it; the kernel's log (dmesg) says more"),
    DoctorMessage(
      "library-denied", .problem, "library", "{who} cannot use {what}: {why}", "{fix}"),
    DoctorMessage(
      "library-sandbox", .problem, "library", "{path} lies where the service may not write",
      "sudo systemctl edit retake, add the lines '[Service]' and 'ReadWritePaths={path}' (and 'ProtectHome=no' below /home), then: sudo systemctl restart retake"
    ),
    DoctorMessage(
      "library-volatile", .problem, "library",
      "{path} is on {type}, which forgets everything at power-off",
      "set 'library.path' to a disk"),
    DoctorMessage(
      "library-fat", .warning, "library", "{path} is on {type}, which a power cut may hurt",
      "use a stick with ext4 for the library; FAT is good for copies"),
    DoctorMessage("copies", .ok, "copies", "{path}: {state}"),
    DoctorMessage(
      "copies-away", .warning, "copies", "{path}: {state}", "{advice}"),
  ]

  private static let ofTheMachine = [
    DoctorMessage("clock", .ok, "clock", "{time}, set by {source}"),
    DoctorMessage(
      "clock-unset", .warning, "clock", "{time}, and nobody has set it since the machine started",
      "connect a network once (timedatectl shows it), set it by hand (sudo timedatectl set-time), or fit a battery-backed clock"
    ),
    DoctorMessage("power", .ok, "power", "the power supply was always enough"),
    DoctorMessage("power-unknown", .ok, "power", "this machine does not tell of its power supply"),
    DoctorMessage(
      "power-low", .problem, "power", "the power supply is too weak now: {words}",
      "use the board maker's own supply and a short, thick cable; hang the camera on a powered hub"),
    DoctorMessage(
      "power-was-low", .warning, "power", "the power supply was too weak since the start: {words}",
      "use the board maker's own supply and a short, thick cable; hang the camera on a powered hub"),
    DoctorMessage("temperature", .ok, "temperature", "{degrees} °C"),
    DoctorMessage(
      "temperature-unknown", .ok, "temperature", "this machine does not tell its temperature"),
    DoctorMessage(
      "temperature-high", .warning, "temperature",
      "{degrees} °C: the processor will be slowed down",
      "give the case openings, or a fan"),
    DoctorMessage("page", .ok, "page", "the page has shown a sign of life {time} ago"),
    DoctorMessage("page-none", .ok, "page", "no page is open, and no kiosk runs here"),
    DoctorMessage(
      "page-silent", .problem, "page",
      "the kiosk runs, but its page has shown no sign of life for {time}",
      "it restarts by itself; if that repeats: journalctl -u retake-kiosk -b"),
    DoctorMessage(
      "page-kiosk-down", .problem, "page", "retake-kiosk.service is {state}",
      "sudo systemctl restart retake-kiosk; why it ended: journalctl -u retake-kiosk -b; it needs: sudo apt install cage chromium"
    ),
    DoctorMessage(
      "page-open", .problem, "page",
      "there is no page: it would be at {address}, which others on the network reach, and 'web.token' is not set",
      "set 'web.token' to a secret of {count} letters and digits or more, then: sudo systemctl reload retake"
    ),
    DoctorMessage(
      "page-socket", .warning, "page",
      "'web.listen' is \"{wanted}\", which is not used: retake.socket listens at {address}", "{fix}"
    ),
  ]

  /// Creates the finding of this message, with `words` in their places.
  func finding(_ words: [String: String]) -> Finding {
    func fill(_ template: String) -> String {
      var result = template
      for (name, word) in words { result = replaced(result, "{\(name)}", by: word) }
      return result
    }
    return Finding(
      code: code, subject: subject, level: level, text: fill(text),
      fix: fix.isEmpty ? nil : fill(fix))
  }
}

/// A line of the doctor's report.
public struct Finding: Equatable, Sendable, Encodable {
  /// The level of a finding.
  public enum Level: String, Sendable, Encodable, CaseIterable, Comparable {
    /// The part is in order.
    case ok
    /// The part works, and may fail later.
    case warning
    /// The booth cannot take photos, or a user lacks a permission.
    case problem

    private var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }

    /// Returns whether `lhs` is the better level.
    public static func < (lhs: Level, rhs: Level) -> Bool { lhs.rank < rhs.rank }
  }

  /// The code of the message.
  public var code: String
  /// The subject of the message.
  public var subject: String
  /// The level of the message.
  public var level: Level
  /// The fact that the doctor found.
  public var text: String
  /// The fix, or `nil` when no action is needed.
  public var fix: String?
}

/// Returns `text` with every `word` replaced by `other`.
func replaced(_ text: String, _ word: String, by other: String) -> String {
  var result = ""
  var rest = text[...]
  while let range = rest.firstRange(of: word) {
    result += rest[..<range.lowerBound] + other
    rest = rest[range.upperBound...]
  }
  return result + rest
}
