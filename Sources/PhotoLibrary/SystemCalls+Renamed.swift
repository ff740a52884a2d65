import Platform

extension SystemCalls {
  /// Syncs a renamed file, then its directory; the first that fails is the result.
  ///
  /// The file was synced before it was renamed; FAT gives the new name no bytes until it is again.
  /// Source: fsync(2).
  func syncRenamed(_ file: Int32, in directory: Int32) -> Int32 {
    let result = retrying { $0.fsync(file) }
    return result < 0 ? result : retrying { $0.fsync(directory) }
  }
}
