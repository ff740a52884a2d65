import Glibc
import Platform
import Station
import StationConfiguration
import Trigger

/// Waits for a press of any button or key, and returns its configuration.
public struct ButtonLearner: Sendable {
  /// The pressed button or key, with its configuration.
  public struct Lesson: Sendable, Encodable {
    /// The line's name, or `nil` for a key.
    public var line: String?
    /// The chip's label, or `nil` for a key.
    public var chip: String?
    /// The input device, or `nil` for a line.
    public var device: String?
    /// The key's name, or `nil` for a line.
    public var key: String?
    /// The lines for the configuration file.
    public var toml: String
  }

  /// The header's lines that other parts of a booth often use: I2C, SPI and the serial console.
  ///
  /// Watching such a line would take it away from the other part.
  public static let reserved: Set<Int> = [0, 1, 2, 3, 7, 8, 9, 10, 11, 14, 15]

  private let gpio: LinuxGPIO
  private let keys: LinuxKeys
  private let system: any SystemCalls

  /// Creates a learner.
  public init(system: any SystemCalls = LinuxSystemCalls()) {
    gpio = LinuxGPIO(system: system)
    keys = LinuxKeys(system: system)
    self.system = system
  }

  /// Returns whether a line may be watched without the operator's request.
  ///
  /// Such a line is an unused input of the header that is not in ``reserved``.
  static func isSafe(_ line: GPIOLine) -> Bool {
    guard line.consumer == nil, !line.isOutput, line.name.hasPrefix("GPIO"),
      let number = Int(line.name.dropFirst(4))
    else { return false }
    return number < 28 && !reserved.contains(number)
  }

  /// Returns the table for the configuration file, with the role of a booth's only button.
  static func lines(_ lines: String...) -> String {
    let others = ButtonRole.allCases.map(\.rawValue).filter { $0 != ButtonRole.one.rawValue }
    return """
      # "one" does everything: a press takes a photo, and during the review a short press accepts,
      # a long one retakes, two quick ones cancel. With several buttons each has one role as its
      # name: \(others.joined(separator: ", ")).
      [buttons.one]
      \(lines.joined(separator: "\n"))
      """
  }

  private struct Watched {
    var description: String
    var number: Int32
    /// Returns the lesson after a press, or `nil` before it.
    var lesson: () throws(SystemError) -> Lesson?
  }

  /// Watches the given lines and all keys, until one of them is pressed; blocks.
  ///
  /// - Parameters:
  ///   - lines: The names of the lines to watch, or `nil` for the header's safe lines.
  ///   - patience: The maximum time to wait.
  ///   - isReady: Receives the names of the watched lines and devices, once they are open.
  /// - Returns: The pressed button or key.
  /// - Throws: `StationError` when no line and no device can be watched, or at the end of
  ///   `patience`.
  public func learn(
    lines: [String]?, patience: Duration, isReady: (_ what: [String]) -> Void
  ) throws(StationError) -> Lesson {
    var watched = try watchLines(lines)
    watched += watchKeys()
    guard !watched.isEmpty else {
      throw StationError(
        .noPermission,
        "there is nothing that could be pressed; 'retake buttons' lists what there is and what cannot be opened"
      )
    }
    isReady(watched.map(\.description))
    let deadline = system.monotonicTime() + patience
    while true {
      let left = (deadline - system.monotonicTime()).nanoseconds / 1_000_000
      guard left > 0 else {
        throw StationError(
          .cancelled,
          "nothing was pressed in time; is the button between its line and ground? '--lines NAME' looks at others"
        )
      }
      var fds = watched.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
      _ = fds.withUnsafeMutableBufferPointer { system.poll($0, Int32(clamping: left)) }
      for (index, fd) in fds.enumerated().reversed() where fd.revents != 0 {
        do throws(SystemError) {
          if let lesson = try watched[index].lesson() { return lesson }
        } catch {
          watched.remove(at: index)
        }
      }
    }
  }

  private func watchLines(_ wanted: [String]?) throws(StationError) -> [Watched] {
    let chips = gpio.chips().chips
    var addresses: [(LineAddress, name: String, chip: String)] = []
    if let wanted {
      for name in wanted {
        do throws(GPIOError) {
          let found = try LineAddress(.name(name)).resolve(among: chips)
          addresses.append((LineAddress(.name(name)), name, found.chip.label))
        } catch {
          throw StationError(error)
        }
      }
    } else {
      for chip in chips {
        for line in chip.lines where ButtonLearner.isSafe(line) {
          addresses.append(
            (LineAddress(.offset(line.offset), chip: chip.path), line.name, chip.label))
        }
      }
    }
    var watched: [Watched] = []
    for (address, name, chip) in addresses {
      do throws(GPIOError) {
        let input = try gpio.input(address, isActiveLow: true, bias: .pullUp)
        watched.append(
          Watched(description: name, number: input.number) { () throws(SystemError) in
            _ = try input.readEdges()
            guard try input.isActive() else { return nil }
            return Lesson(
              line: name, chip: chip, device: nil, key: nil,
              toml: ButtonLearner.lines(
                "line = \(tomlString(name))", "chip = \(tomlString(chip))"))
          })
      } catch {
        if wanted != nil { throw StationError(error) }
      }
    }
    return watched
  }

  private func watchKeys() -> [Watched] {
    keys.devices().devices.compactMap { info in
      guard let device = try? keys.open(info.path, isGrabbed: false) else { return nil }
      let name = info.ids.first ?? info.name
      return Watched(description: name, number: device.number) { () throws(SystemError) in
        guard let edge = try device.readKeys().first(where: \.isDown) else { return nil }
        let key = LinuxKeys.name(of: edge.code)
        return Lesson(
          line: nil, chip: nil, device: name, key: key,
          toml: ButtonLearner.lines("device = \(tomlString(name))", "key = \(tomlString(key))"))
      }
    }
  }
}
