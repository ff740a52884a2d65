import Glibc
import Platform

extension Catalog {
  /// Deletes a picture: file, thumbnail, row, and copies; those on disks that are away, when they
  /// return.
  public func delete(_ entry: CatalogEntry) throws(LibraryError) {
    try PhotoDeletion(catalog: self).delete(entry)
  }
}

/// A picture's file, open for reading.
public struct OpenPhoto: Sendable {
  /// The descriptor, which belongs to whoever asked.
  public var number: Int32
  /// The file's size in bytes.
  public var bytes: Int
  /// When the file was last changed.
  ///
  /// Unit: seconds since 1970.
  public var modified: Int64
  /// The thread that reads it: its disk may not answer.
  public var worker: AbandonableWorker
  /// How long a read may take.
  public var patience: AbandonableWorker.Patience

  /// Closes the descriptor when its disk answers; never blocks.
  public func close() {
    let number = number
    worker.clean { _ = Glibc.close(number) }
  }
}
