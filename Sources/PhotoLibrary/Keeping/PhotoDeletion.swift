import CLinux
import Platform

/// Takes a photo away: the file, its thumbnail (which is inside), its row, and its copies.
struct PhotoDeletion {
  let catalog: Catalog

  /// After it returns the file is gone, also after a power cut.
  ///
  /// Copies on disks that are not there now are deleted when they return.
  func delete(_ entry: CatalogEntry, withCopies: Bool = true) throws(LibraryError) {
    let photo = entry.photo
    // The catalog is a file that others may have written; its rows are no more than words.
    guard PhotoName.isFileName(photo.name), LibraryConfiguration.isAlbumName(photo.album) else {
      throw LibraryError(
        .notFound,
        "the catalog of \(catalog.root) names a photo that cannot be one; 'retake photos rebuild' "
          + "makes the catalog again from the files")
    }
    if withCopies { try catalog.planRemovals(of: entry) }
    let directory = try openForSync(photo.album)
    do throws(SystemError) {
      let system = catalog.system
      let result = system.unlinkat(directory.number, photo.name)
      if result != -Errno.noEntry { try system.check(result, "unlink", photo.path) }
      try system.check(system.retrying { $0.fsync(directory.number) }, "fsync", photo.path)
    } catch {
      throw LibraryError(error, at: photo.path)
    }
    try catalog.remove(album: photo.album, name: photo.name)
  }

  private func openForSync(_ album: String) throws(LibraryError) -> Descriptor {
    let path = "\(catalog.root)/\(album)"
    do throws(SystemError) {
      return try AlbumDirectory.open(album, of: catalog.root, forSync: true, catalog.system)
    } catch {
      throw LibraryError(error, at: path)
    }
  }
}
