import Glibc

/// A file with the given bytes, which is removed with the object.
final class TemporaryFile: Sendable {
  let path: String

  init(_ bytes: [UInt8]) {
    var template = Array("/tmp/retake-web-XXXXXX".utf8CString)
    let number = mkstemp(&template)
    _ = bytes.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
    close(number)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { unlink(path) }
}
