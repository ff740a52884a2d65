/// The room for the next photo, or the reason why there is none.
public enum StorageState: Sendable, Equatable {
  /// The disk has room for many photos; `free` bytes are left for them.
  case ok(free: Int)
  /// The disk has room for fewer than 50 photos; `free` bytes are left for them.
  case low(free: Int)
  /// The largest possible photo would go into the reserve.
  case full
  /// The file system cannot be written.
  case readOnly
  /// The directory or its disk is not there.
  case gone
  /// The station's user has no permission to write there.
  case denied
  /// The file system, given by its name, loses its files at power-off.
  case volatile(String)
  /// The disk reports errors.
  case failing

  /// Whether a session may start.
  public var allowsSession: Bool {
    switch self {
    case .ok, .low: true
    case .full, .readOnly, .gone, .denied, .volatile, .failing: false
    }
  }

  /// The state's name in logs, counters and the API.
  public var name: String {
    switch self {
    case .ok: "ok"
    case .low: "low"
    case .full: "full"
    case .readOnly: "read-only"
    case .gone: "gone"
    case .denied: "denied"
    case .volatile: "volatile"
    case .failing: "failing"
    }
  }

  /// Returns the operator's fix for the library at `path`; nil where nothing is wrong.
  public func operatorFix(_ path: String, mounts: MountTable = MountTable()) -> String? {
    switch self {
    case .ok: nil
    case .low(let free):
      "only \(free / 1_000_000) MB are left for photos in \(path): move or delete files there soon"
    case .full:
      "move or delete files in \(path), or lower 'library.reserve'"
    case .readOnly:
      "mount the file system of \(path) for writing (mount -o remount,rw); if it became read-only "
        + "by itself the card is failing, and dmesg says so"
    case .gone:
      mounts.missing(for: path).map { LibraryError.notMounted(path, $0).message }
        ?? "plug in and mount the disk of \(path), or set another 'library.path'"
    case .denied:
      "give \(path) to the user who runs the station (chown)"
    case .volatile:
      "set 'library.path' to a directory on a disk, in place of \(path)"
    case .failing: "see what dmesg says of the disk of \(path), and replace the disk"
    }
  }
}
