import Platform
import Testing
import Trigger

@testable import StationConfiguration

@Suite("Buttons and lamps in the configuration") struct PanelConfigurationTests {
  private func read(_ text: String) throws -> Configuration {
    try Configuration().reading(text, file: "f.toml")
  }

  @Test("are read, with what their names and levels say") func aFullFile() throws {
    let config = try read(
      """
      [buttons.one]
      line = "GPIO17"
      double = "none"
      long-time = 1200
      [buttons.off]
      line = 22
      chip = "pinctrl-bcm2711"
      role = "shutdown"
      active = "high"
      debounce = 25
      [buttons.presenter]
      device = "usb-Logitech_USB_Receiver-if02-event-mouse"
      key = "PAGEDOWN"
      grab = true
      role = "retake"
      [lamps.ready]
      line = "GPIO27"
      [lamps.light]
      line = "GPIO23"
      role = "flash"
      active = "low"
      lead = 300
      hold = 50.5
      """)
    let buttons = config.panelButtons
    #expect(buttons.map(\.name) == ["off", "one", "presenter"])
    #expect(buttons.map(\.role) == [.shutdown, .one, .retake])
    #expect(buttons[1].meaning.double == nil)
    #expect(buttons[1].meaning.longTime == .milliseconds(1200))
    guard case .line(let off) = buttons[0].place, case .line(let one) = buttons[1].place,
      case .key(let key) = buttons[2].place
    else {
      Issue.record("the buttons are not where they were put")
      return
    }
    #expect(off.address == LineAddress(.offset(22), chip: "pinctrl-bcm2711"))
    #expect(off.isActiveLow == false && off.bias == .pullDown)
    #expect(off.debounce == ButtonDebouncer.Settings(contact: .milliseconds(25)))
    #expect(one.debounce == ButtonDebouncer.Settings())
    #expect(one.address == LineAddress(.name("GPIO17")))
    #expect(one.isActiveLow && one.bias == .pullUp)
    #expect(key.code == 109 && key.isGrabbed)
    let lamps = config.panelLamps
    #expect(lamps.map(\.pattern.role) == [.flash, .ready])
    #expect(lamps[0].isActiveLow && !lamps[1].isActiveLow)
    #expect(lamps[0].pattern.lead == .milliseconds(300))
    #expect(lamps[0].pattern.hold == .microseconds(50_500))
    // Written out and read again, they are the same.
    let text = config.settings.compactMap { setting in
      setting.value.map { "\(setting.key) = \($0)" }
    }.joined(separator: "\n")
    let again = try read(text)
    #expect(again.panelButtons == buttons)
    #expect(again.panelLamps == lamps)
  }

  @Test(
    "are told when they are wrong, with the place",
    arguments: [
      (
        "[buttons.shutter]\nline = \"GPIO17\"\n[buttons.cancel]\nline = \"GPIO17\"",
        "f.toml:4:1: 'buttons.cancel' uses GPIO17, which 'buttons.shutter' uses already; a line has one role"
      ),
      (
        "[lamps.ready]\nline = \"GPIO17\"\n[buttons.cancel]\nline = \"GPIO17\"\nchip = \"x\"",
        "f.toml:4:1: 'buttons.cancel' uses x GPIO17, which 'lamps.ready' uses already; a line has one role"
      ),
      (
        "[buttons.big]\nline = \"GPIO17\"",
        "f.toml:2:1: 'buttons.big' has no role; set 'buttons.big.role' to one of shutter, record, accept, retake, next, previous, cancel, shutdown, one"
      ),
      (
        "[buttons.one]\nactive = \"low\"",
        "f.toml:2:1: 'buttons.one' has no line; set 'buttons.one.line', as in \"GPIO17\", or device and key"
      ),
      (
        "[buttons.one]\nline = 17",
        "f.toml:2:1: 'buttons.one' is a number, which needs 'buttons.one.chip'; or name the line, as in \"GPIO17\""
      ),
      (
        "[buttons.one]\nline = \"GPIO1\"\nrole = \"shuter\"",
        "f.toml:3:1: 'buttons.one.role' must be \"shutter\", \"record\", \"accept\", \"retake\", \"next\", \"previous\", \"cancel\", \"shutdown\" or \"one\""
      ),
      (
        "[buttons.one]\nlin = \"GPIO1\"",
        "f.toml:2:1: there is no key 'buttons.one.lin'; the nearest is 'buttons.one.line'"
      ),
      (
        "[buttons.one]\ndevice = \"x\"\nkey = \"KEY_ENTR\"",
        "f.toml:3:1: 'buttons.one.key' is no key's name; the nearest is 'KEY_ENTER'"
      ),
      (
        "[buttons.one]\ndevice = \"x\"",
        "f.toml:2:1: 'buttons.one' has no key; set 'buttons.one.key', as in \"KEY_ENTER\""
      ),
      (
        "[buttons.one]\nline = \"GPIO1\"\ndebounce = 0.5",
        "f.toml:3:1: 'buttons.one.debounce' must be from 1 to 100 milliseconds"
      ),
      (
        "[buttons.one]\ndevice = \"x\"\nkey = \"KEY_ENTER\"\ndebounce = 5",
        "f.toml:4:1: 'buttons.one' has 'debounce', which is for lines; leave it out, a keyboard debounces"
      ),
      (
        "[buttons.one]\nline = \"GPIO1\"\ndevice = \"x\"",
        "f.toml:3:1: 'buttons.one' has a line and a device; a button has one of them"
      ),
      (
        "[lamps.flash]\nline = \"GPIO1\"\nlead = -1",
        "f.toml:3:1: 'lamps.flash.lead' must be from 0 to 5000 milliseconds"
      ),
      (
        "[camera]\ndelay = 2000", "f.toml:2:1: 'camera.delay' must be from 0 to 1000 milliseconds"
      ),
    ])
  func mistakes(text: String, message: String) {
    #expect {
      try read(text)
    } throws: { "\($0)" == message }
  }
}
