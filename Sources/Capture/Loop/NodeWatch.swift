import CLinux
import Platform

/// A watch for device nodes that appear or change their permissions, so that a camera is reopened
/// right after a replug (`inotify(7)`).
final class NodeWatch {
  private static let devices = "/dev"
  private static let links = [CameraList.names, CameraList.ports]

  private let shared: SharedDescriptor
  private let name: String?
  private var watched: Set<String> = []
  private var system: any SystemCalls { shared.system }

  /// Creates the watch, or returns nil if the system offers none; `name` is that of a link to wait
  /// for as well.
  init?(system: any SystemCalls, name: String? = nil) {
    self.name = name
    let number = system.retrying { $0.inotify() }
    guard number >= 0 else { return nil }
    shared = SharedDescriptor(Descriptor(owning: number, system: system))
    guard add(NodeWatch.devices) else { return nil }
  }

  /// The descriptor to poll.
  var descriptor: Int32 { shared.number }

  /// Also watches the folders with the names of cameras and of ports, once they exist.
  func addLinks() {
    for folder in NodeWatch.links where !watched.contains(folder) && add(folder) {
      watched.insert(folder)
    }
  }

  private func add(_ folder: String) -> Bool {
    system.retrying { $0.watch(shared.number, folder, clinux_in_new_or_changed) } >= 0
  }

  /// Reads the events and returns whether one may concern a camera, or nil if the watch is broken.
  func takeChanges() -> Bool? {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer -> Bool? in
      var isOurs = false
      // The loop is bounded, in case a program creates files faster than the events are read.
      for _ in 0..<16 {
        let count = system.retrying { $0.read(shared.number, buffer) }
        if count == Int(-Errno.again) { return isOurs }
        guard count > 0, count <= buffer.count else { return nil }
        let events = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if NodeWatch.concernsCamera(events, name: name) {
          isOurs = true
        }
        // udev may have removed the folders of names, so they are watched again with the next
        // camera.
        watched = []
      }
      return isOurs
    }
  }

  /// Returns whether one of the events in `bytes` concerns a video node, a folder of names or the
  /// name that is waited for, or reports lost events.
  static func concernsCamera(_ bytes: UnsafeRawBufferPointer, name wanted: String? = nil) -> Bool {
    let header = MemoryLayout<inotify_event>.size
    var at = 0
    while bytes.count - at >= header {
      let mask = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
      let length = Int(bytes.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self))
      if mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
      guard length <= bytes.count - at - header else { return false }
      let name = bytes[(at + header)..<(at + header + length)].prefix { $0 != 0 }
      let text = String(decoding: name, as: UTF8.self)
      let isKnown = text.hasPrefix("video") || text.hasPrefix("v4l") || text.hasPrefix("usb-")
      if isKnown || text.contains("-video-index") || (!text.isEmpty && text == wanted) {
        return true
      }
      at += header + length
    }
    return false
  }
}
