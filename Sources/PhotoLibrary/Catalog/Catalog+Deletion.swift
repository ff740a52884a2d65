import Glibc
import Platform

extension Catalog {
  /// Deletes a picture: the file, its row and its copies.
  ///
  /// Copies on absent disks are deleted when those disks return. Blocks on the disk.
  public func delete(_ entry: CatalogEntry) throws(LibraryError) {
    try PhotoDeletion(catalog: self).delete(entry)
  }
}

/// A picture's file, open for reading.
public struct OpenPhoto: Sendable {
  /// The descriptor, which belongs to the caller.
  public var number: Int32
  /// The file's size in bytes.
  public var bytes: Int
  /// The time of the file's last change.
  ///
  /// Unit: seconds since 1970.
  public var modified: Int64
  /// The thread that reads the file, because its disk may not answer.
  public var worker: AbandonableWorker
  /// The time that a read may take.
  public var patience: AbandonableWorker.Patience

  /// Closes the descriptor when its disk answers; never blocks.
  public func close() {
    let number = number
    worker.clean { _ = Glibc.close(number) }
  }
}
