import CLinux

/// Pages of mapped files that no longer exist, because the file was truncated or its disk cannot be
/// read.
///
/// The kernel answers an access to such a page with SIGBUS, which ends the program by default.
/// SQLite maps the index of a catalog's log, and a clip that plays in a camera's place is mapped as
/// well.
package enum LostPages {
  /// Makes the process continue with zeros in place of such a page, in shared mappings only.
  ///
  /// Call it at the program's start: it replaces the action of SIGBUS. Further calls have no
  /// effect.
  package static func survive() { _ = clinux_survive_lost_pages() }

  /// The number of pages that were replaced so far on the calling thread.
  ///
  /// If the value changed during an operation on a mapped file, the operation's result is not
  /// valid. Pages that other threads lose, in other files, do not count. Never blocks.
  package static var count: UInt32 { clinux_lost_pages() }
}
