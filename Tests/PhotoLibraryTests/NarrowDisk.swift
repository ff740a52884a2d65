import CLinux
import Glibc
import Platform

/// A directory whose file system behaves as FAT does on Linux, by a model.
///
/// The disk refuses some characters, drops dots at the end, and ignores case. Names are stored as
/// they were given.
final class NarrowDisk: ForwardingSystemCalls, @unchecked Sendable {
  private let path: String
  /// Whether it says what it is, or that it is FUSE.
  var isKnown = true
  /// Whether its mount has a character set with nothing but ASCII.
  var isASCII = false

  init(_ path: String) { self.path = path }

  private func isInside(_ fd: Int32) -> Bool {
    switch base.readlink("/proc/self/fd/\(fd)") {
    case .success(let place): place == path || place.hasPrefix(path + "/")
    case .failure: false
    }
  }

  private func refuses(_ name: String) -> Bool {
    name.unicodeScalars.contains { scalar in
      scalar.value < 0x20 || "\"*/:<>?\\|".unicodeScalars.contains(scalar)
        || (isASCII && !scalar.isASCII)
    }
  }

  private func kept(_ name: String) -> String {
    var name = name
    while name.count > 1, name.hasSuffix(".") { name.removeLast() }
    return name
  }

  // The name that an entry was made by.
  private func entry(_ directory: Int32, _ name: String) -> String? {
    guard name != "." else { return name }
    let names = (try? base.entries("/proc/self/fd/\(directory)").get()) ?? []
    let wanted = Array(kept(name).lowercased().utf8)
    return names.first { $0.lowercased().utf8.elementsEqual(wanted) }
  }

  override func fstatfs(_ fd: Int32, _ status: UnsafeMutablePointer<statfs>) -> Int32 {
    let result = base.fstatfs(fd, status)
    if isInside(fd) { status.pointee.f_type = isKnown ? 0x4D44 : 0x6573_5546 }
    return result
  }
  override func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32 {
    guard isInside(directory) else { return base.mkdirat(directory, name, mode) }
    if refuses(name) { return -22 }
    if entry(directory, name) != nil { return -17 }
    return base.mkdirat(directory, kept(name), mode)
  }
  override func openBeneath(
    _ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32
  ) -> Int32 {
    guard isInside(directory) else { return base.openBeneath(directory, path, flags, mode) }
    if refuses(path) { return -22 }
    return base.openBeneath(directory, entry(directory, path) ?? kept(path), flags, mode)
  }
  override func unlinkat(_ directory: Int32, _ name: String) -> Int32 {
    guard isInside(directory) else { return base.unlinkat(directory, name) }
    return base.unlinkat(directory, entry(directory, name) ?? name)
  }
}
