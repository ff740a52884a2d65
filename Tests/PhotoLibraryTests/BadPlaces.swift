import CLinux
import Glibc
import Platform
import StationTestSupport

/// System calls that fail for files with certain names.
final class BadPlaces: ForwardingSystemCalls, @unchecked Sendable {
  struct Fault {
    var call: String
    var place: String
    var errno: Int32
  }
  var faults: [Fault] = []
  /// The number of calls for each place.
  var met: [String: Int] = [:]
  var clock: ManualClock?

  private func fault(_ call: String, _ directory: Int32, _ name: String = "") -> Int32? {
    guard !faults.isEmpty else { return nil }
    var place = name
    if case .success(let path) = base.readlink("/proc/self/fd/\(directory)") {
      place = name.isEmpty ? path : "\(path)/\(name)"
    }
    guard let found = faults.first(where: { $0.call == call && place.contains($0.place) }) else {
      return nil
    }
    met[found.place, default: 0] += 1
    return 0 - found.errno
  }

  override func openBeneath(
    _ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32
  ) -> Int32 {
    fault("open", directory, path) ?? base.openBeneath(directory, path, flags, mode)
  }
  override func pread(
    _ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64
  ) -> Int {
    fault("read", fd).map { Int($0) } ?? base.pread(fd, buffer, offset)
  }
  override func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    fault("write", fd).map { Int($0) } ?? base.write(fd, buffer)
  }
  override func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32 {
    fault("mkdir", directory, name) ?? base.mkdirat(directory, name, mode)
  }
  override func unlinkat(_ directory: Int32, _ name: String) -> Int32 {
    fault("unlink", directory, name) ?? base.unlinkat(directory, name)
  }
  override func fstatfs(_ fd: Int32, _ status: UnsafeMutablePointer<statfs>) -> Int32 {
    let result = base.fstatfs(fd, status)
    if fault("room", fd) != nil { status.pointee.f_bavail = 1 }
    return result
  }
  override func monotonicTime() -> MonotonicTime { clock?.now ?? base.monotonicTime() }
}
