/// Directories that systems and devices keep for themselves.
///
/// Files in them are no guest's pictures, or were thrown away.
enum Housekeeping {
  /// Returns whether a directory has such a name, ignoring case, as FAT does.
  ///
  /// Names with a leading dot need no entry, because pictures are never searched there:
  /// `.Trash-1000`, `.Trashes`, `.Spotlight-V100`, `.fseventsd`, `.thumbnails`, `.TemporaryItems`.
  static func keeps(_ name: String) -> Bool {
    if names.contains(name.lowercased()) { return true }
    // chkdsk numbers its directories of recovered files.
    return name.count == 9 && name.lowercased().hasPrefix("found.")
      && name.dropFirst(6).allSatisfy(\.isNumber)
  }

  private static let names: Set<String> = [
    // Recycle bins of Windows: NTFS and FAT since Vista, NTFS before, FAT before.
    // Source: Microsoft, "How the Recycle Bin Stores Files".
    "$recycle.bin", "recycler", "recycled",
    // Restore points and indexes of Windows.
    "system volume information",
    // Files recovered by fsck of ext2, ext3 and ext4. Source: mklost+found(8).
    "lost+found",
    // Files recovered by Android's fsck of FAT. Source: AOSP, system/vold/fs/Vfat.cpp.
    "lost.dir",
    // Synology: indexes with thumbnails, recycle bins, snapshots.
    // Source: Synology knowledge base, "@eaDir", "#recycle", "#snapshot".
    "@eadir", "#recycle", "#snapshot",
    // QNAP: recycle bins, thumbnails, snapshots. Source: QNAP, "Network Recycle Bin", "QTS
    // folders".
    "@recycle", "@__thumb", "@recently-snapshot",
    // macOS: resource forks of files in archives and on shares.
    // Source: Apple, "Folders made by AFP and archives of Finder".
    "__macosx", "network trash folder", "temporary items",
    // Thumbnails of Sony's cameras, beside the movies. Source: XDCAM and XAVC S folder layouts.
    "thmbnl",
  ]
}
