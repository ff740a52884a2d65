import Glibc
import Platform
import Station

/// Writes a picture or a text to a file for another program.
public enum PictureFile {
  /// Writes `bytes` to `path`, whose name appears when the file is complete on the disk.
  public static func write(
    _ bytes: [UInt8], to path: String, system: any SystemCalls = LinuxSystemCalls()
  ) throws(StationError) {
    var file = try OutputFile.create(path, system)
    let result = bytes.withUnsafeBytes { bytes -> Result<Void, StationError> in
      let part = iovec(
        iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
      return withUnsafePointer(to: part) { part in
        do throws(StationError) {
          return .success(try file.write(UnsafeBufferPointer(start: part, count: 1)))
        } catch {
          return .failure(error)
        }
      }
    }
    try result.get()
    _ = try file.publish()
  }
}
