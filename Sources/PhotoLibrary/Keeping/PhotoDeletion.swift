import CLinux
import Platform

/// The deletion of a photo: its file with the thumbnail inside, its row, and its copies.
struct PhotoDeletion {
  let catalog: Catalog

  /// Deletes a photo durably: its file does not return after a power cut.
  ///
  /// Copies on absent disks are deleted when those disks return.
  func delete(_ entry: CatalogEntry, withCopies: Bool = true) throws(LibraryError) {
    let photo = entry.photo
    // Other programs may have written the catalog's file, so its names are checked.
    guard PhotoName.isFileName(photo.name), LibraryConfiguration.isAlbumName(photo.album) else {
      throw LibraryError(
        .notFound,
        "the catalog of \(catalog.root) names a photo that cannot be one",
        fix: "'retake photos rebuild' makes the catalog again from the files")
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
