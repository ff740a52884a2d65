import PhotoLibrary
import Platform
import StationConfiguration

/// The threads of a station, but for those that its cameras and its page have of their own.
struct StationThreads: Sendable {
  let system: any SystemCalls
  /// Owns the station's state; nothing on it blocks.
  let loop: EventLoop
  /// Makes stills, writes and syncs them, opens cameras and the library.
  let worker: EventLoop
  /// Reads the pictures guests choose from.
  ///
  /// It waits for disks, but for none longer than ``media`` lets it.
  let reader: EventLoop
  /// Looks which directories and cameras are there, in the same way.
  let looker: EventLoop
  /// The threads that may hang in a disk.
  let media: DiskWorkers

  /// Starts them.
  init(patience: Duration, system: any SystemCalls) throws(SystemError) {
    self.system = system
    loop = try EventLoop("station", system: system)
    worker = try EventLoop("saver", system: system)
    reader = try EventLoop("reader", system: system)
    looker = try EventLoop("looker", system: system)
    media = DiskWorkers(patience: patience)
  }
}
