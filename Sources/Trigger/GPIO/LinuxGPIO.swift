import CGPIO
import Glibc
import Platform

/// The lines of this machine, through libgpiod 1.x or 2.x.
public struct LinuxGPIO: GPIOHardware {
  /// The name that other programs see as the user of the station's lines.
  public static let consumer = "retake"
  /// The library's name and version.
  public static let library = "libgpiod \(String(cString: cgpio_version()))"

  private let system: any SystemCalls

  /// Creates the access, which opens nothing yet.
  public init(system: any SystemCalls = LinuxSystemCalls()) { self.system = system }

  /// Returns the chips that can be opened, in the order of their numbers.
  public func chips() -> (chips: [GPIOChip], problems: [SystemError]) {
    let names = (try? system.entries("/dev").get()) ?? []
    let paths = names.filter { name in
      name.hasPrefix("gpiochip") && name.dropFirst(8).allSatisfy(\.isNumber)
        // Some systems keep an old number as a link to the same chip.
        && (try? system.readlink("/dev/\(name)").get()) == nil
    }.sorted { ($0.count, $0) < ($1.count, $1) }.map { "/dev/\($0)" }
    var (chips, problems): ([GPIOChip], [SystemError]) = ([], [])
    for path in paths {
      do throws(SystemError) {
        chips.append(try Chip(path).description())
      } catch {
        problems.append(error)
      }
    }
    return (chips, problems)
  }

  /// Requests a line as an input that reports its edges.
  public func input(
    _ address: LineAddress, isActiveLow: Bool, bias: LineBias
  ) throws(GPIOError) -> any GPIOInput {
    let wanted: cgpio_bias =
      switch bias {
      case .pullUp: CGPIO_BIAS_PULL_UP
      case .pullDown: CGPIO_BIAS_PULL_DOWN
      case .none: CGPIO_BIAS_NONE
      case .asIs: CGPIO_BIAS_AS_IS
      }
    return Request(
      try request(address) { chip, offset in
        cgpio_request_input(chip, offset, LinuxGPIO.consumer, wanted, isActiveLow)
      }, path: "\(address)")
  }

  /// Requests a line as an output, inactive at first.
  public func output(
    _ address: LineAddress, isActiveLow: Bool
  ) throws(GPIOError) -> any GPIOOutput {
    Request(
      try request(address) { chip, offset in
        cgpio_request_output(chip, offset, LinuxGPIO.consumer, isActiveLow, false)
      }, path: "\(address)")
  }

  private func request(
    _ address: LineAddress, _ make: (OpaquePointer, UInt32) -> OpaquePointer?
  ) throws(GPIOError) -> OpaquePointer {
    let (chips, problems) = chips()
    let found: (chip: GPIOChip, line: GPIOLine)
    do {
      found = try address.resolve(among: chips)
    } catch {
      // A chip that the user has no permission to open may be the one with the line.
      guard let denied = problems.first(where: { $0.errno == EACCES || $0.errno == EPERM }) else {
        throw error
      }
      throw GPIOError(
        .denied, address: address, group: denied.path.flatMap(LinuxGPIO.group), cause: denied)
    }
    do throws(SystemError) {
      let chip = try Chip(found.chip.path)
      guard let request = make(chip.pointer, found.line.offset) else {
        throw SystemError(errno: errno, call: "GPIO_V2_GET_LINE", path: found.chip.path)
      }
      return request
    } catch {
      switch error.errno {
      case EBUSY:
        throw GPIOError(.busy, address: address, holder: found.line.consumer, cause: error)
      case ENODEV: throw GPIOError(.gone, address: address, cause: error)
      default: throw GPIOError(.failed, address: address, cause: error)
      }
    }
  }

  /// Returns the group that may open `path`; nil if only root may.
  public static func group(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_gid != 0, status.st_mode & 0o060 == 0o060 else {
      return nil
    }
    var entry = Glibc.group()
    var result: UnsafeMutablePointer<Glibc.group>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let start = buffer.baseAddress,
        getgrgid_r(status.st_gid, &entry, start, buffer.count, &result) == 0, result != nil,
        let name = entry.gr_name
      else { return nil }
      return String(cString: name)
    }
  }

  /// An open chip, for reading the descriptions of its lines.
  private struct Chip: ~Copyable {
    let pointer: OpaquePointer
    let path: String

    init(_ path: String) throws(SystemError) {
      guard let pointer = cgpio_chip_open(path) else {
        throw SystemError(errno: errno, call: "open", path: path)
      }
      self.pointer = pointer
      self.path = path
    }

    func description() throws(SystemError) -> GPIOChip {
      var info = cgpio_chip_info()
      guard cgpio_chip_info_get(pointer, &info) == 0 else {
        throw SystemError(errno: errno, call: "GPIO_GET_CHIPINFO", path: path)
      }
      var lines: [GPIOLine] = []
      for offset in 0..<min(info.lines, 4096) {
        var line = cgpio_line_info()
        guard cgpio_line_info_get(pointer, offset, &line) == 0 else { continue }
        let consumer = text(line.consumer)
        lines.append(
          GPIOLine(
            offset: offset, name: text(line.name),
            consumer: line.used ? (consumer.isEmpty ? "the kernel" : consumer) : nil,
            isOutput: line.output))
      }
      return GPIOChip(path: path, label: text(info.label), lines: lines)
    }

    deinit { cgpio_chip_close(pointer) }
  }

  /// A requested line.
  private final class Request: GPIOInput, GPIOOutput {
    // Only the owner of the request uses the pointer, on one thread at a time.
    nonisolated(unsafe) private let pointer: OpaquePointer
    private let path: String

    init(_ pointer: OpaquePointer, path: String) {
      self.pointer = pointer
      self.path = path
    }

    var number: Int32 { cgpio_fd(pointer) }

    func readEdges() throws(SystemError) -> [GPIOEdge] {
      let capacity = 16
      let edges = withUnsafeTemporaryAllocation(of: cgpio_event.self, capacity: capacity) {
        buffer -> Result<[GPIOEdge], SystemError> in
        let count = cgpio_read_events(pointer, buffer.baseAddress, Int32(capacity))
        guard count >= 0 else {
          return .failure(SystemError(errno: errno, call: "read", path: path))
        }
        return .success(
          buffer.prefix(Int(count)).map {
            GPIOEdge($0.active, at: MonotonicTime(nanoseconds: $0.time))
          })
      }
      return try edges.get()
    }

    func isActive() throws(SystemError) -> Bool {
      let value = cgpio_get(pointer)
      guard value >= 0 else {
        throw SystemError(errno: errno, call: "GPIO_V2_LINE_GET_VALUES", path: path)
      }
      return value == 1
    }

    func set(_ isActive: Bool) throws(SystemError) {
      guard cgpio_set(pointer, isActive) == 0 else {
        throw SystemError(errno: errno, call: "GPIO_V2_LINE_SET_VALUES", path: path)
      }
    }

    deinit { cgpio_release(pointer) }
  }
}

/// Returns a fixed array of C characters as text.
private func text<Characters>(_ characters: Characters) -> String {
  withUnsafeBytes(of: characters) { bytes in
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
