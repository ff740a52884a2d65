import PhotoLibrary
import Platform
import StationConfiguration

/// The threads of a station, without those of its cameras and its page.
struct StationThreads: Sendable {
  let system: any SystemCalls
  /// The loop that owns the station's state and never blocks.
  let loop: EventLoop
  /// The thread that makes, writes and syncs stills, and opens cameras and the library.
  let worker: EventLoop
  /// The thread that reads the pictures that guests choose from.
  ///
  /// The thread waits for disks, within the limits of ``media``.
  let reader: EventLoop
  /// The thread that checks directories and cameras, and waits for disks within the same limits.
  let looker: EventLoop
  /// The threads that may hang in a disk.
  let media: DiskWorkers

  /// Starts the threads.
  init(patience: Duration, system: any SystemCalls) throws(SystemError) {
    self.system = system
    loop = try EventLoop("station", system: system)
    worker = try EventLoop("saver", system: system)
    reader = try EventLoop("reader", system: system)
    looker = try EventLoop("looker", system: system)
    media = DiskWorkers(patience: patience)
  }
}
