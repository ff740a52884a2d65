import Glibc
import Platform
import StationTestSupport
import Synchronization
import Testing

@testable import Trigger

/// Runs the panel on a real loop, with scripted lines; waits for conditions, never for time.
@Suite("Buttons on a panel", .timeLimit(.minutes(1))) struct ButtonPanelTests {
  private final class Bench: Sendable {
    let chip = ScriptedGPIO()
    let loop: EventLoop
    let system = LinuxSystemCalls()
    private let seen = Mutex<[TriggerEvent]>([])

    init() throws { loop = try EventLoop("test", system: LinuxSystemCalls()) }

    deinit { loop.stop() }

    var now: MonotonicTime { system.monotonicTime() }
    var events: [TriggerEvent] { seen.withLock { $0 } }

    func panel(_ buttons: [ButtonPanel.Button], keys: any KeyHardware = NoKeys()) -> ButtonPanel {
      ButtonPanel(buttons, gpio: chip, keys: keys, loop: loop, system: system) {
        [weak self] event, reply in
        self?.seen.withLock { $0.append(event) }
        reply(TriggerReply(isAccepted: true, text: ""))
      }
    }

    /// Polls for a condition; the limit only ends a test that has failed already.
    func wait(for condition: () async -> Bool) async -> Bool {
      let end = now + .seconds(20)
      while now < end {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
      }
      return false
    }
  }

  private struct NoKeys: KeyHardware {
    func devices() -> (devices: [KeyDeviceInfo], problems: [SystemError]) { ([], []) }
    func open(_ path: String, isGrabbed: Bool) throws(SystemError) -> any KeyDevice {
      throw SystemError(errno: ENODEV, call: "open", path: path)
    }
  }

  private static let address = LineAddress(.name("GPIO17"))

  private static func button(_ role: ButtonRole) -> ButtonPanel.Button {
    ButtonPanel.Button(
      name: "big", role: role, place: .line(GPIOButtons.Button(name: "big", address: address)))
  }

  @Test("give triggers dated by the kernel, with their source") func press() async throws {
    let bench = try Bench()
    let panel = bench.panel([Self.button(.shutter)])
    await panel.start()
    #expect(panel.states.map(\.state) == [.armed])
    let first = bench.now
    bench.chip.drive(Self.address, true, at: first)
    bench.chip.drive(Self.address, false, at: first + .milliseconds(2))
    bench.chip.drive(Self.address, true, at: first + .milliseconds(4))
    #expect(await bench.wait { !bench.events.isEmpty })
    let event = try #require(bench.events.first)
    #expect(event.action == .shutter)
    #expect(event.time == first)
    #expect(event.clock == .kernel)
    #expect(event.source == "button big (GPIO17)")
    #expect(panel.states.map(\.presses) == [1])
    await panel.stop()
  }

  @Test("are dated by their edges, in order, also where an edge comes after its level shows")
  func lateEdge() async throws {
    let bench = try Bench()
    let other = LineAddress(.name("GPIO27"))
    let panel = bench.panel([
      Self.button(.shutter),
      ButtonPanel.Button(
        name: "other", role: .cancel,
        place: .line(GPIOButtons.Button(name: "other", address: other))),
    ])
    await panel.start()
    let first = bench.now
    bench.chip.lag(other)
    bench.chip.drive(other, true, at: first)
    bench.chip.drive(Self.address, true, at: first + .nanoseconds(1))
    #expect(await bench.wait { bench.events.count == 2 })
    #expect(bench.events.map(\.action) == [.cancel, .shutter])
    #expect(bench.events.map(\.time) == [first, first + .nanoseconds(1)])
    await panel.stop()
  }

  @Test("that are down at the start are stuck and mean nothing until they were up")
  func stuck() async throws {
    let bench = try Bench()
    bench.chip.set(Self.address, true)
    let panel = bench.panel([Self.button(.shutter)])
    await panel.start()
    #expect(panel.states.map(\.state) == [.stuck])
    bench.chip.drive(Self.address, false, at: bench.now)
    #expect(await bench.wait { panel.states.map(\.state) == [.armed] })
    #expect(bench.events.isEmpty)
    bench.chip.drive(Self.address, true, at: bench.now)
    #expect(await bench.wait { bench.events.count == 1 })
    await panel.stop()
  }

  @Test("work again when the chip was gone and is back", arguments: [true, false])
  func chipRemoved(wakes: Bool) async throws {
    let bench = try Bench()
    let panel = bench.panel([Self.button(.accept)])
    await panel.start()
    bench.chip.plug(false, wakes: wakes)
    #expect(await bench.wait { panel.states.first?.state.name == "waiting" })
    // Looked for again and again, with a bounded wait.
    let opens = bench.chip.opens
    #expect(await bench.wait { bench.chip.opens > opens + 1 })
    bench.chip.plug(true)
    #expect(await bench.wait { panel.states.map(\.state) == [.armed] })
    bench.chip.drive(Self.address, true, at: bench.now)
    #expect(await bench.wait { bench.events.map(\.action) == [.accept] })
    await panel.stop()
  }

  @Test("with one meaning a state do what the state says") func oneButton() async throws {
    let bench = try Bench()
    var only = Self.button(.one)
    only.meaning.double = .cancel
    let panel = bench.panel([only])
    await panel.start()
    // Edges carry their own dates, so the test need not wait for as long as a finger would stay.
    var free = bench.now
    func push(_ milliseconds: Int) {
      let begin = max(bench.now, free)
      let end = begin + .milliseconds(milliseconds)
      bench.chip.drive(Self.address, true, at: begin)
      bench.chip.drive(Self.address, false, at: end)
      free = end + .milliseconds(40)
    }
    push(40)
    #expect(await bench.wait { bench.events.map(\.action) == [.shutter] })
    await panel.setReview(true)
    push(60)
    #expect(await bench.wait { bench.events.map(\.action) == [.shutter, .accept] })
    push(900)
    #expect(await bench.wait { bench.events.map(\.action) == [.shutter, .accept, .retake] })
    push(50)
    push(50)
    #expect(
      await bench.wait { bench.events.map(\.action) == [.shutter, .accept, .retake, .cancel] })
    await panel.stop()
  }

  @Test("light lamps by the scene, and put them out at the end") func lamps() async throws {
    let bench = try Bench()
    let line = LineAddress(.name("GPIO27"))
    let lamps = Lamps(
      [Lamps.Lamp(name: "ready", address: line, pattern: LampPattern(.ready))],
      hardware: bench.chip, loop: bench.loop, system: bench.system)
    await lamps.start()
    #expect(bench.chip.output(of: line) == false)
    await lamps.show(LampScene(.ready))
    #expect(bench.chip.output(of: line) == true)
    #expect(lamps.states.map(\.isLit) == [true])
    // The chip goes and comes back, dark; the lamp is lit again.
    bench.chip.plug(false)
    #expect(await bench.wait { lamps.states.first?.problem != nil })
    bench.chip.plug(true)
    #expect(await bench.wait { lamps.states.first?.problem == nil })
    #expect(bench.chip.output(of: line) == true)
    await lamps.stop()
    #expect(bench.chip.output(of: line) == false)
  }

  @Test("on keyboards are found by name, dated by the kernel, and found again") func keys()
    async throws
  {
    let bench = try Bench()
    let keyboard = ScriptedKeyboard()
    let key = KeyButtons.Button(name: "pedal", device: "usb-Pedal-event-kbd", code: 28)
    let panel = bench.panel(
      [ButtonPanel.Button(name: "pedal", role: .shutter, place: .key(key))], keys: keyboard)
    await panel.start()
    #expect(panel.states.first?.state.name == "waiting")
    keyboard.plug(true)
    #expect(await bench.wait { panel.states.map(\.state) == [.armed] })
    let time = bench.now
    keyboard.press(28, isDown: true, at: time)
    keyboard.press(30, isDown: true, at: time)
    #expect(await bench.wait { bench.events.count == 1 })
    #expect(bench.events.first?.time == time)
    #expect(bench.events.first?.source == "button pedal (KEY_ENTER of usb-Pedal-event-kbd)")
    keyboard.plug(false)
    #expect(await bench.wait { panel.states.first?.state.name == "waiting" })
    keyboard.plug(true)
    #expect(await bench.wait { panel.states.map(\.state) == [.armed] })
    keyboard.press(28, isDown: true, at: bench.now)
    #expect(await bench.wait { bench.events.count == 2 })
    await panel.stop()
  }
}

@Suite("A line's address") struct LineAddressTests {
  private let chips = [
    GPIOChip(
      path: "/dev/gpiochip0", label: "pinctrl-bcm2711",
      lines: (0..<28).map { GPIOLine(offset: $0, name: "GPIO\($0)") }),
    GPIOChip(
      path: "/dev/gpiochip1", label: "raspberrypi-exp-gpio",
      lines: [GPIOLine(offset: 0, name: "BT_ON"), GPIOLine(offset: 1, name: "GPIO5")]),
  ]

  @Test("finds a line by its name, by its chip's label, or by the chip's device") func found()
    throws
  {
    #expect(try LineAddress(.name("GPIO17")).resolve(among: chips).line.offset == 17)
    #expect(
      try LineAddress(.offset(1), chip: "raspberrypi-exp-gpio").resolve(among: chips).line.name
        == "GPIO5")
    #expect(
      try LineAddress(.offset(0), chip: "gpiochip1").resolve(among: chips).line.name == "BT_ON")
    #expect(
      try LineAddress(.name("GPIO5"), chip: "pinctrl-bcm2711").resolve(among: chips).line.offset
        == 5)
  }

  @Test(
    "that is wrong is told with what may have been meant",
    arguments: [
      (
        LineAddress(.name("GPIO71")),
        "there is no GPIO line GPIO71; the nearest are GPIO1, GPIO7, GPIO11"
      ),
      (
        LineAddress(.name("GPIO5")),
        "GPIO5 is on several chips"
      ),
      (
        LineAddress(.offset(3), chip: "pinctrl-rp1"),
        "there is no GPIO chip 'pinctrl-rp1'; there are pinctrl-bcm2711, raspberrypi-exp-gpio"
      ),
      (
        LineAddress(.offset(99), chip: "pinctrl-bcm2711"),
        "there is no GPIO line pinctrl-bcm2711 line 99"
      ),
    ])
  func wrong(address: LineAddress, message: String) {
    #expect {
      try address.resolve(among: chips)
    } throws: { "\($0)" == message }
  }
}
