import Capture
import FoundationEssentials
import Glibc
import Platform
import Testing

@testable import StationConfiguration

@Suite struct ConfigurationTests {
  private func read(_ text: String) throws -> Configuration {
    try Configuration().reading(text, file: "f.toml")
  }

  private func problem(_ text: String) -> String {
    do {
      _ = try read(text)
      return "no problem"
    } catch {
      return "\(error)"
    }
  }

  @Test("controls are read by name and shown again") func controlsAreReadByNameAndShownAgain()
    throws
  {
    let text = """
      [camera]
      size = "640x480"
      [camera.controls]
      exposure_auto = "manual"
      focus_absolute = 40
      [cameras.left.controls]
      white_balance_automatic = false
      [cameras.right]
      size = "640x480"
      """
    let config = try read(text)
    let controls: [String: ControlValue] = [
      "exposure_auto": .name("manual"), "focus_absolute": .number(40),
    ]
    #expect(config.camera.controls == controls)
    #expect(config.camera(named: "left").controls == ["white_balance_automatic": .boolean(false)])
    #expect(config.camera(named: "auto").size?.width == 640)
    #expect(config.origins["camera.controls.focus_absolute"] == .file("f.toml", line: 5))
    #expect(config.commented.contains("[cameras.left.controls]\n"))
    // The shown text can be read again because no table occurs twice.
    let again = try read(config.commented)
    #expect(again.camera.controls == config.camera.controls)
    #expect(again.camera.size == config.camera.size)
    #expect(again.cameras == config.cameras)
  }

  @Test(
    "a control that cannot be is refused with its line",
    arguments: [
      ("[camera.controls]\nFocus = 1", "f.toml:2:1: 'camera.controls.Focus' is no control's name"),
      ("[camera.controls]\nfocus = 1.5", "f.toml:2:1: 'camera.controls.focus' must be a whole"),
      ("[camera.controls]\nfocus = []", "f.toml:2:1: 'camera.controls.focus' must be"),
      ("[camera.contrls]\nfocus = 1", "the nearest is"),
      ("[camera]\ncontrols = 1", "f.toml:2:1: there is no key 'camera.controls'"),
    ])
  func aControlThatCannotBeIsRefusedWithItsLine(_ text: String, _ words: String) {
    let found = problem(text)
    #expect(found.contains(words), "\(found)")
  }

  @Test("every key is optional") func everyKeyIsOptional() throws {
    #expect(try read("") == Configuration())
    #expect(try read("# nothing\n[camera]\n[countdown]\n[cameras]\n") == Configuration())
  }

  @Test("a full file is read and remembers its lines") func aFullFileIsReadAndRemembersItsLines()
    throws
  {
    let config = try read(
      """
      [camera]
      device = "front"
      fallback = ["back", "demo"]
      [cameras.front]
      device = "usb-Rig-video-index0"
      size = "1920x1080"
      rate = 30
      format = "MJPG"
      [countdown]
      seconds = 2.5
      [review]
      timeout = 0
      at-end = "accept"
      [library]
      path = "/srv/photos"
      album = "Hochzeit Müller"
      reserve = "1 GiB"
      [socket]
      mode = "0600"
      """)
    #expect(config.camera.device == "front")
    #expect(config.fallback == ["back", "demo"])
    #expect(config.camera(named: "front").size?.description == "1920x1080")
    #expect(config.camera(named: "front").rate == 30)
    #expect(config.camera(named: "front").format == .mjpeg)
    #expect(config.countdown == .milliseconds(2500))
    #expect(config.reviewTimeout == nil)
    #expect(config.reviewEnd == .accept)
    #expect(config.libraryPath == "/srv/photos")
    #expect(config.album == "Hochzeit Müller")
    #expect(config.reserve == 1_073_741_824)
    #expect(config.socketMode == 0o600)
    #expect(config.origins["countdown.seconds"] == .file("f.toml", line: 10))
    #expect(config.origins["cameras.front.size"] == .file("f.toml", line: 6))
    #expect(config.origins["review.timeout"] == .file("f.toml", line: 12))
  }

  @Test(
    "mistakes are told with place and fix",
    arguments: [
      (
        "[countdwon]\nseconds = 3",
        "f.toml:2:1: there is no key 'countdwon.seconds'; the nearest is 'countdown.seconds'"
      ),
      (
        "[camera]\nsiez = \"1x1\"",
        "f.toml:2:1: there is no key 'camera.siez'; the nearest is 'camera.size'"
      ),
      (
        "[cameras.left]\nsiez = \"1x1\"",
        "f.toml:2:1: there is no key 'cameras.left.siez'; the nearest is 'cameras.left.size'"
      ),
      ("colour = 1", "f.toml:1:1: there is no key 'colour'; 'retake config' lists those there are"),
      (
        "[movie]\nline = 1",
        "f.toml:2:1: there is no key 'movie.line'; 'line' belongs below [buttons.NAME] or [lamps.NAME]: "
          + "take the '#' before that line away, or put the key there"
      ),
      (
        "[camera]\nseconds = 5",
        "f.toml:2:1: there is no key 'camera.seconds'; 'seconds' belongs below [countdown]: take the "
          + "'#' before that line away, or put the key there"
      ),
      (
        "[countdown]\nseconds = \"3\"",
        "f.toml:2:1: 'countdown.seconds' must be a number, and is a string"
      ),
      ("[countdown]\nseconds = -1", "f.toml:2:1: 'countdown.seconds' must be from 0 to 60 seconds"),
      (
        "[countdown]\nseconds = nan",
        "f.toml:2:1: 'countdown.seconds' must be a number, and is not a finite one"
      ),
      (
        "[countdown]\nseconds = 2020-01-01",
        "f.toml:2:1: 'countdown.seconds' must be a number, and is something else"
      ),
      ("[review]\nat-end = \"keep\"", #"f.toml:2:1: 'review.at-end' must be "accept" or "cancel""#),
      (
        "[review]\ntimeout = 1",
        "f.toml:2:1: 'review.timeout' must be 0 or at least 2 seconds, or nobody could decide"
      ),
      (
        "[library]\npath = \"photos\"",
        "f.toml:2:1: 'library.path' must be an absolute path, one that starts with '/'"
      ),
      (
        "[library]\nalbum = \"../etc\"",
        "f.toml:2:1: 'library.album' must be a plain directory name of at most 64 bytes: no '/', no leading '.', not 'lost+found'"
      ),
      (
        "[camera]\nfallback = [1]",
        "f.toml:2:1: 'camera.fallback' must be a list of strings, and is something else"
      ),
      (
        "[camera]\nfallback = \"demo\"",
        "f.toml:2:1: 'camera.fallback' must be a list of strings, and is a string"
      ),
      (
        "[camera]\nformat = \"MJPEG\"",
        "f.toml:2:1: 'camera.format' must be a V4L2 format of four characters, such as \"MJPG\""
      ),
      (
        "[socket]\nmode = \"999\"",
        "f.toml:2:1: 'socket.mode' must be permission bits as a string, such as \"0660\""
      ),
      (
        "[library]\nreserve = \"many\"",
        "f.toml:2:1: 'library.reserve' must be a number of bytes, or a string such as \"200 MB\""
      ),
    ])
  func mistakesAreToldWithPlaceAndFix(text: String, message: String) {
    #expect(problem(text) == message)
  }

  @Test(
    "a copy.to that is the library, holds it, or is in it is refused, however it is written",
    arguments: [
      ("/srv/photos", "is the library itself"), ("/srv//photos/.", "is the library itself"),
      ("/srv/x/../photos/", "is the library itself"), ("/srv", "holds the library"),
      ("/", "holds the library"), ("/srv/photos/booth", "is inside of the library"),
      ("/srv/photos/../photos/b/c", "is inside of the library"), ("/srv/photos2", ""),
      ("/srv/photo", ""), ("/media/usb", ""), ("/media/srv/photos", ""),
    ])
  func copiesBesideTheLibrary(path: String, words: String) {
    for copyIsFirst in [false, true] {
      let tables = ["[library]\npath = \"/srv/photos\"", "[copy]\nto = [\"/a\", \"\(path)\"]"]
      let text = (copyIsFirst ? tables.reversed() : tables).joined(separator: "\n")
      let message = problem(text)
      guard !words.isEmpty else {
        #expect(message == "no problem", "\(message)")
        continue
      }
      #expect(message.hasPrefix("f.toml:\(copyIsFirst ? 2 : 4):1: 'copy.to' names "), "\(message)")
      #expect(message.contains(words), "\(message)")
      #expect(message.hasSuffix("name a directory on another disk"), "\(message)")
    }
  }

  @Test(
    "what is no TOML is told with its place",
    arguments: ["= 3", "[camera", "a = 1\na = 2", "a = \"\\q\""])
  func whatIsNoTomlIsToldWithItsPlace(text: String) {
    #expect(problem(text).hasPrefix("f.toml:"))
    #expect(problem(text).contains("invalid TOML"))
  }

  @Test(
    "a table that is there twice is told with both lines",
    arguments: [
      (
        "a = 1\n[copy]\n# x\n[copy]\nto = []", "f.toml:4:",
        "[copy] is in the file already, in line 2"
      ),
      ("[ buttons.one ] # it\n\n[buttons.one]", "f.toml:3:", "in line 1; put these lines there"),
    ])
  func aTableThatIsThereTwiceIsToldWithBothLines(text: String, place: String, words: String) {
    let message = problem(text)
    #expect(message.hasPrefix(place) && message.contains(words), "\(message)")
  }

  @Test("what is no file is refused at once, with what it is")
  func whatIsNoFileIsRefused() throws {
    var template = Array("/var/tmp/retake-configuration-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
    let large = open("\(folder)/large", O_CREAT | O_WRONLY, 0o600)
    #expect(ftruncate(large, 1 << 30) == 0)
    close(large)
    for (path, words) in [
      (folder, "is a directory"), ("\(folder)/pipe", "is a pipe"), ("/dev/zero", "is a device"),
      ("\(folder)/large", "is larger than 256 KB"), ("\(folder)/none", "does not exist"),
    ] {
      do throws(ConfigurationError) {
        _ = try Configuration.load(from: path)
        Issue.record("\(path) was read")
      } catch {
        #expect(error.description.hasPrefix("\(path): \(words)"), "\(error)")
        #expect(error.description.hasSuffix("name another file with --config"))
      }
    }
  }

  @Test("all settings can be written and read again") func allSettingsCanBeWrittenAndReadAgain()
    throws
  {
    let config = try read(
      "[cameras.\"a b\"]\ndevice = \"q\\\"uote\"\n[countdown]\nseconds = 0.25\n[socket]\nmode = \"0600\""
    )
    let text = config.settings.compactMap { setting in
      setting.value.map { "\(setting.key) = \($0)" }
    }.joined(separator: "\n")
    var again = try read(text)
    again.origins = config.origins
    // The text shows defaults for keys without a value; the camera's default is the one that is
    // found.
    var expected = config
    expected.camera.device = "auto"
    expected.libraryPath = again.libraryPath
    expected.socketPath = again.socketPath
    #expect(again == expected)
  }

  @Test(
    "the nearest name is found",
    arguments: [
      ("countdwon", "countdown"), ("contdown", "countdown"), ("revew", "review"), ("zzzzzz", nil),
      // A common beginning is correct already and does not make the remainders similar.
      ("photos frob", nil), ("photos shwo", "photos show"), ("web.foo", nil),
      ("web.lenz", "web.lens"),
      ("--frob", nil), ("--josn", "--json"), ("xy", nil), ("pc", nil),
    ])
  func theNearestNameIsFound(name: String, nearest: String?) {
    let known = [
      "countdown", "review", "camera", "photos show", "photos keep", "web.lens", "web.pin",
      "--json",
      "--fps", "run",
    ]
    #expect(nearestName(to: name, among: known) == nearest)
  }

  @Test(
    "edits are counted with swaps",
    arguments: [("ab", "ba", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("a", "a", 0)])
  func editsAreCountedWithSwaps(first: String, second: String, distance: Int) {
    #expect(editDistance(first, second) == distance)
  }
}
