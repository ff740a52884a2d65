import CLinux
import Glibc
import Movies
import Platform
import Station
import StationConfiguration
import Trigger

/// The machine that the doctor examines, which tests replace by another one.
///
/// The closures and functions block.
public struct DoctorWorld: Sendable {
  /// The prefix of every path that is read; empty for this machine.
  public var root = ""
  /// Runs a program; returns its output, or `nil` when it is missing or failed.
  public var output: @Sendable ([String]) -> String?
  /// Asks the running station at a socket for its status.
  public var status: @Sendable (_ socket: String) -> Result<String, SystemError>
  /// Returns the cameras of the machine.
  public var cameras: @Sendable (Configuration) -> [CameraReport]
  /// Returns the lines and input devices of the machine.
  public var panel: @Sendable (Configuration) -> PanelInventory
  /// Returns the permissions of the user that runs the program.
  public var access: @Sendable (Configuration) -> AccessReport
  /// Returns the encoders for movies.
  public var movies: @Sendable (Configuration) -> EncoderChoice.Report
  /// Returns the facts about the file system of a path.
  package var fileSystem: @Sendable (_ path: String) -> FileSystemFacts?
  /// Returns whether the clock was set since the machine started.
  public var isClockSet: @Sendable () -> Bool

  /// The machine that runs the program.
  public static let this = DoctorWorld(
    output: ProgramOutput.of,
    status: { socket in
      do throws(SystemError) {
        let reply = try TriggerClient(path: socket).send(.status, patience: .seconds(5))
        return .success(reply.text)
      } catch {
        return .failure(error)
      }
    },
    cameras: { CameraReport.all(configuration: $0) },
    panel: { PanelInventory(configuration: $0) }, access: { AccessReport($0) },
    movies: { EncoderChoice.Report($0) }, fileSystem: FileSystemFacts.init(of:),
    isClockSet: { WallClock.isSet })

  /// Returns a small file's text without its last newline, or `nil` when it cannot be read.
  func read(_ path: String) -> String? {
    guard
      let file = try? Descriptor(opening: root + path, flags: O_RDONLY, system: LinuxSystemCalls()),
      let bytes = try? readBytes(file, path, limit: 1 << 20)
    else { return nil }
    var text = String(decoding: bytes, as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }

  /// Returns the names in a directory, sorted.
  func list(_ path: String) -> [String] {
    guard case .success(let names) = LinuxSystemCalls().entries(root + path) else { return [] }
    return names.sorted()
  }

  /// Returns whether a file or directory exists at the path.
  func exists(_ path: String) -> Bool { Glibc.access(root + path, F_OK) == 0 }

  /// Returns the owner, the group and the mode of a file, with the names in `/etc`.
  func owner(of path: String) -> FileOwner? {
    var status = stat()
    guard stat(root + path, &status) == 0 else { return nil }
    return FileOwner(
      user: name(status.st_uid, in: "/etc/passwd"), group: name(status.st_gid, in: "/etc/group"),
      mode: UInt32(status.st_mode) & 0o7777)
  }

  private func name(_ number: UInt32, in file: String) -> String {
    for line in (read(file) ?? "").split(whereSeparator: \.isNewline) {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      if fields.count > 2, UInt32(fields[2]) == number { return String(fields[0]) }
    }
    return String(number)
  }

  /// Returns the primary group of `user`.
  func mainGroup(of user: String) -> String? {
    mainGroupNumber(of: user).flatMap { UInt32($0) }.map { name($0, in: "/etc/group") }
  }

  private func mainGroupNumber(of user: String) -> String? {
    for line in (read("/etc/passwd") ?? "").split(whereSeparator: \.isNewline) {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      if fields.count > 3, fields[0] == user { return String(fields[3]) }
    }
    return nil
  }

  /// Returns the groups of `user`, including the primary group.
  func groups(of user: String) -> Set<String> {
    let own = mainGroupNumber(of: user)
    var result: Set<String> = []
    for line in (read("/etc/group") ?? "").split(whereSeparator: \.isNewline) {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 3 else { continue }
      if fields[2] == own || fields[3].split(separator: ",").map(String.init).contains(user) {
        result.insert(fields[0])
      }
    }
    return result
  }
}

/// Runs small programs and reads their output.
enum ProgramOutput {
  /// The maximum time of a program.
  static let patience = Duration.seconds(20)

  @Sendable static func of(_ words: [String]) -> String? { of(words, patience: patience) }

  /// Returns a program's output, or `nil` when it fails.
  ///
  /// A program that runs longer than `patience` is killed, which counts as a failure.
  static func of(_ words: [String], patience: Duration) -> String? {
    try? run(words, until: LinuxSystemCalls().monotonicTime() + patience)
  }

  private static func run(
    _ words: [String], until deadline: MonotonicTime
  ) throws(SystemError) -> String? {
    let system = LinuxSystemCalls()
    var ends: [Int32] = [0, 0]
    guard clinux_pipe(&ends) == 0 else { throw SystemError(errno: errno, call: "pipe") }
    let reader = Descriptor(owning: ends[0], system: system)
    let writer = Descriptor(owning: ends[1], system: system)
    let null = try Descriptor(opening: "/dev/null", flags: O_WRONLY, system: system)
    // A program that still runs at the end of this function is killed by its owner's end.
    var process = try ChildProcess(
      words, files: [(writer.number, 1), (null.number, 2)], system: system)
    try writer.close()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 20, reader.isReadable(until: deadline) {
      let count = buffer.withUnsafeMutableBytes { system.read(ends[0], $0) }
      if count == -Int(Errno.interrupted) { continue }
      guard count > 0 else { break }
      bytes.append(contentsOf: buffer.prefix(count))
    }
    // A program may close its output and keep running.
    guard bytes.count < 1 << 20, process.wait(until: deadline) == .exited(0) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
