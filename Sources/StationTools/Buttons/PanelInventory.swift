import Glibc
import Platform
import Station
import StationConfiguration
import Trigger

/// Everything on this machine that a button or a lamp could be connected to.
public struct PanelInventory: Sendable, Encodable {
  /// A chip with lines.
  public struct Chip: Sendable, Encodable {
    /// Its device now.
    public var path: String
    /// The name that stays, for the configuration's `chip`.
    public var label: String
    /// Its lines.
    public var lines: [Line]
  }

  /// A line of a chip.
  public struct Line: Sendable, Encodable {
    /// Its place on the chip.
    public var offset: UInt32
    /// The board's name, for the configuration's `line`; empty where there is none.
    public var name: String
    /// Whether it is an output now.
    public var isOutput: Bool
    /// Who uses it; nil: nobody.
    public var user: String?
    /// What the configuration uses it for: `buttons.one`; nil: nothing.
    public var configured: String?
  }

  /// A device with keys.
  public struct Device: Sendable, Encodable {
    /// Its device now.
    public var path: String
    /// What it calls itself.
    public var name: String
    /// Its names in `/dev/input/by-id`, for the configuration's `device`.
    public var ids: [String]
  }

  /// The library that the lines are reached by.
  public var library = LinuxGPIO.library
  /// The chips that can be opened.
  public var chips: [Chip] = []
  /// The input devices that can be opened.
  public var devices: [Device] = []
  /// What cannot be opened, and what to do about it.
  public var problems: [String] = []
  /// What is wrong with the configured buttons and lamps.
  public var configurationProblems: [String] = []

  /// Looks around; it opens every chip and input device for a moment.
  public init(configuration: Configuration, system: any SystemCalls = LinuxSystemCalls()) {
    let gpio = LinuxGPIO(system: system)
    let (found, refused) = gpio.chips()
    var roles: [String: String] = [:]
    for (place, address) in PanelInventory.addresses(configuration) {
      do throws(GPIOError) {
        let (chip, line) = try address.resolve(among: found)
        roles["\(chip.path) \(line.offset)"] = place
      } catch {
        configurationProblems.append("\(place): \(error)")
      }
    }
    chips = found.map { chip in
      Chip(
        path: chip.path, label: chip.label,
        lines: chip.lines.map { line in
          Line(
            offset: line.offset, name: line.name, isOutput: line.isOutput, user: line.consumer,
            configured: roles["\(chip.path) \(line.offset)"])
        })
    }
    let keys = LinuxKeys(system: system).devices()
    devices = keys.devices.map { Device(path: $0.path, name: $0.name, ids: $0.ids) }
    for name in Set(configuration.buttons.values.compactMap(\.device)).sorted()
    where !keys.devices.contains(where: { $0.isCalled(name) }) {
      configurationProblems.append("there is no input device '\(name)' now; it is waited for")
    }
    problems = (refused + keys.problems).map(PanelInventory.words)
  }

  private static func addresses(_ configuration: Configuration) -> [(String, LineAddress)] {
    let buttons = configuration.panelButtons.compactMap { button -> (String, LineAddress)? in
      guard case .line(let line) = button.place else { return nil }
      return ("buttons.\(button.name)", line.address)
    }
    return buttons + configuration.panelLamps.map { ("lamps.\($0.name)", $0.address) }
  }

  private static func words(_ error: SystemError) -> String {
    guard error.errno == EACCES || error.errno == EPERM, let path = error.path else {
      return "\(error)"
    }
    let kind: AccessProbe.Kind = path.hasPrefix("/dev/input") ? .input : .gpio
    return AccessProbe().device(path, kind)?.problem.map { "\($0)" } ?? "\(error)"
  }
}
