import CLinux

/// Pages of mapped files that are there no longer: the file was cut, or its disk cannot be read.
///
/// The kernel answers an access to one with SIGBUS, which ends a program. SQLite maps the index of a
/// catalog's log, and a clip that plays in a camera's place is mapped as well.
public enum LostPages {
  /// Has the process go on with zeros in place of such a page, in shared mappings only.
  ///
  /// For a program's start: it replaces the action of SIGBUS. Further calls change nothing.
  public static func survive() { _ = clinux_survive_lost_pages() }

  /// How many pages were replaced so far, in the whole process.
  ///
  /// A value that changed during an operation on a mapped file says that its result means nothing.
  /// Never waits; any thread may ask.
  public static var count: UInt32 { clinux_lost_pages() }
}
