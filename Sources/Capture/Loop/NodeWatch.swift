import CLinux
import Platform

/// Hears of device nodes that appear or get other permissions, so that a camera that was plugged
/// in again is opened at once (`inotify(7)`).
final class NodeWatch {
  private static let devices = "/dev"
  private static let links = [CameraList.names, CameraList.ports]

  private let shared: SharedDescriptor
  private let name: String?
  private var watched: Set<String> = []
  private var system: any SystemCalls { shared.system }

  /// Nil where there is no such thing; `name` is that of a link that is waited for, too.
  init?(system: any SystemCalls, name: String? = nil) {
    self.name = name
    let number = system.retrying { $0.inotify() }
    guard number >= 0 else { return nil }
    shared = SharedDescriptor(Descriptor(owning: number, system: system))
    guard add(NodeWatch.devices) else { return nil }
  }

  /// What to poll.
  var descriptor: Int32 { shared.number }

  /// Watches the names of cameras and of ports, too, as soon as their folders are there.
  func addLinks() {
    for folder in NodeWatch.links where !watched.contains(folder) && add(folder) {
      watched.insert(folder)
    }
  }

  private func add(_ folder: String) -> Bool {
    system.retrying { $0.watch(shared.number, folder, clinux_in_new_or_changed) } >= 0
  }

  /// Takes what has happened: whether some of it may be about a camera; nil when it is broken.
  func takeChanges() -> Bool? {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer -> Bool? in
      var isOurs = false
      // Bounded, in case something makes files faster than they are read here.
      for _ in 0..<16 {
        let count = system.retrying { $0.read(shared.number, buffer) }
        if count == Int(-Errno.again) { return isOurs }
        guard count > 0, count <= buffer.count else { return nil }
        let events = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if NodeWatch.concernsCamera(events, name: name) {
          isOurs = true
        }
        // Whoever removed the folders of names makes them again with the next camera.
        watched = []
      }
      return isOurs
    }
  }

  /// Whether one of the events in `bytes` is about a video node, about a folder of names or the
  /// name that is waited for, or says that some were lost.
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
