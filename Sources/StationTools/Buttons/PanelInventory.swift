import Glibc
import Platform
import Station
import StationConfiguration
import Trigger

/// The lines and devices of this machine that a button or a lamp could be connected to.
public struct PanelInventory: Sendable, Encodable {
  /// A chip with its lines.
  public struct Chip: Sendable, Encodable {
    /// The present device node of the chip.
    public var path: String
    /// The stable name of the chip, for the configuration's `chip`.
    public var label: String
    /// The lines of the chip.
    public var lines: [Line]
  }

  /// A line of a chip.
  public struct Line: Sendable, Encodable {
    /// The number of the line on the chip.
    public var offset: UInt32
    /// The board's name of the line, for the configuration's `line`, or an empty string.
    public var name: String
    /// Whether the line is an output at present.
    public var isOutput: Bool
    /// The program that uses the line, or `nil`.
    public var user: String?
    /// The line's use in the configuration, as in `buttons.one`, or `nil`.
    public var configured: String?
  }

  /// An input device with keys.
  public struct Device: Sendable, Encodable {
    /// The present device node of the device.
    public var path: String
    /// The name that the device reports.
    public var name: String
    /// The names in `/dev/input/by-id`, for the configuration's `device`.
    public var ids: [String]
  }

  /// The library that opens the lines.
  public var library = LinuxGPIO.library
  /// The chips that can be opened.
  public var chips: [Chip] = []
  /// The input devices that can be opened.
  public var devices: [Device] = []
  /// The chips and devices that cannot be opened, with the fix.
  public var problems: [String] = []
  /// The faults of the configured buttons and lamps.
  public var configurationProblems: [String] = []

  /// Lists the chips and devices, and opens each of them briefly.
  public init(configuration: Configuration, system: any SystemCalls = LinuxSystemCalls()) {
    let gpio = LinuxGPIO(system: system)
    let (found, refused) = gpio.chips()
    var roles: [String: String] = [:]
    for (place, address) in PanelInventory.addresses(configuration) {
      do throws(GPIOError) {
        let (chip, line) = try address.resolve(among: found)
        roles["\(chip.path) \(line.offset)"] = place
      } catch {
        configurationProblems.append("\(place): \(error.operatorMessage)")
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
