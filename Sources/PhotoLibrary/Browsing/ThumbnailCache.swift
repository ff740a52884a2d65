import Platform
import Synchronization

/// The thumbnails that the station made, in memory.
///
/// They are never stored, because a stick's pictures must not stay on the station's disk. The most
/// recently used ones are kept. Safe from any thread.
package final class ThumbnailCache: Sendable {
  /// A picture and its state; a changed file has another key.
  package struct Key: Sendable, Hashable {
    var id: FileName
    var modified: Int64
    var nanoseconds: UInt32 = 0
    var bytes: Int

    /// Creates the key of an item in its present state.
    package init(_ item: BrowserItem) {
      (id, modified, bytes) = (FileName(item.id), item.modified, item.bytes)
      nanoseconds = item.nanoseconds
    }

    init(id: String, modified: Int64, bytes: Int) {
      (self.id, self.modified, self.bytes) = (FileName(id), modified, bytes)
    }
  }

  /// A cached result; without bytes, no thumbnail can be made, and none is tried again.
  package struct Entry: Sendable {
    /// The picture, a JPEG.
    package var bytes: [UInt8]?
    var used: Int
    /// Returns the memory that the entry takes with its key, in bytes.
    fileprivate func cost(_ key: Key) -> Int { (bytes?.count ?? 0) + key.id.text.utf8.count + 256 }
  }

  private struct State: Sendable {
    var entries: [Key: Entry] = [:]
    var cost = 0
    var clock = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Creates a cache of at most `limit` bytes.
  package init(limit: Int = MemoryBudget.browserThumbnails) { self.limit = limit }

  /// Returns the cached result for an item; nil if there is none, or if it was evicted.
  package func find(_ key: Key) -> Entry? {
    state.withLock { state in
      guard var entry = state.entries[key] else { return nil }
      state.clock += 1
      entry.used = state.clock
      state.entries[key] = entry
      return entry
    }
  }

  /// Caches a result; nil bytes mean that no thumbnail can be made.
  package func add(_ bytes: [UInt8]?, _ key: Key) {
    state.withLock { state in
      state.clock += 1
      let entry = Entry(bytes: bytes, used: state.clock)
      state.cost += entry.cost(key) - (state.entries[key]?.cost(key) ?? 0)
      state.entries[key] = entry
      guard state.cost > limit else { return }
      // A quarter is evicted at once, so that this is rare.
      for (key, entry) in state.entries.sorted(by: { $0.value.used < $1.value.used }) {
        guard state.cost > limit * 3 / 4 else { break }
        state.entries[key] = nil
        state.cost -= entry.cost(key)
      }
    }
  }
}
