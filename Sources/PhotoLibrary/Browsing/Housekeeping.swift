/// Directories that systems and devices keep for themselves: what lies in them is no guest's
/// picture, or one that was thrown away.
enum Housekeeping {
  /// Whether a directory of that name is one of them; capitals make no difference, as on FAT.
  ///
  /// Names with a leading dot are none of the pictures' places in any case: `.Trash-1000` and
  /// `.Trashes`, `.Spotlight-V100`, `.fseventsd`, `.thumbnails`, `.TemporaryItems`.
  static func keeps(_ name: String) -> Bool {
    if names.contains(name.lowercased()) { return true }
    // chkdsk numbers what it found.
    return name.count == 9 && name.lowercased().hasPrefix("found.")
      && name.dropFirst(6).allSatisfy(\.isNumber)
  }

  private static let names: Set<String> = [
    // Recycle bins of Windows: NTFS and FAT since Vista, NTFS before, FAT before.
    // Source: Microsoft, "How the Recycle Bin Stores Files".
    "$recycle.bin", "recycler", "recycled",
    // Restore points and indexes of Windows.
    "system volume information",
    // What fsck of ext2, ext3 and ext4 finds. Source: mklost+found(8).
    "lost+found",
    // What Android's fsck of FAT finds. Source: AOSP, system/vold/fs/Vfat.cpp.
    "lost.dir",
    // Synology: indexes with small pictures, recycle bins, snapshots.
    // Source: Synology knowledge base, "@eaDir", "#recycle", "#snapshot".
    "@eadir", "#recycle", "#snapshot",
    // QNAP: recycle bins, small pictures, snapshots. Source: QNAP, "Network Recycle Bin", "QTS folders".
    "@recycle", "@__thumb", "@recently-snapshot",
    // macOS: the second halves of files in archives and on shares.
    // Source: Apple, "Folders made by AFP and archives of Finder".
    "__macosx", "network trash folder", "temporary items",
    // Small pictures of Sony's cameras, beside the movies. Source: XDCAM and XAVC S folder layouts.
    "thmbnl",
  ]
}
