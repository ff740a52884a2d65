import Glibc

/// The kernel's error numbers by the words of `errno(3)`.
///
/// Results of ``SystemCalls`` are their negatives.
public enum Errno {
  /// EPERM.
  public static let notPermitted = EPERM
  /// ENOENT.
  public static let noEntry = ENOENT
  /// EINTR.
  public static let interrupted = EINTR
  /// EIO.
  public static let io = EIO
  /// ENXIO, also the result of opening a socket, or a pipe without a reader.
  public static let noSuchDevice = ENXIO
  /// EBADF, for a path that is opened as a file and is none.
  public static let notAFile = EBADF
  /// EAGAIN.
  public static let again = EAGAIN
  /// ENOMEM.
  public static let noMemory = ENOMEM
  /// EACCES.
  public static let accessDenied = EACCES
  /// EBUSY.
  public static let busy = EBUSY
  /// EEXIST.
  public static let exists = EEXIST
  /// EXDEV.
  public static let crossDevice = EXDEV
  /// ENODEV.
  public static let noDevice = ENODEV
  /// ENOTDIR.
  public static let notADirectory = ENOTDIR
  /// EISDIR.
  public static let isADirectory = EISDIR
  /// EINVAL.
  public static let invalid = EINVAL
  /// ENOTTY.
  public static let noSuchRequest = ENOTTY
  /// EFBIG.
  public static let fileTooLarge = EFBIG
  /// ENOSPC.
  public static let noSpace = ENOSPC
  /// EROFS.
  public static let readOnly = EROFS
  /// EPIPE.
  public static let brokenPipe = EPIPE
  /// ENAMETOOLONG.
  public static let nameTooLong = ENAMETOOLONG
  /// ENOLCK.
  public static let noLocks = ENOLCK
  /// ENOSYS.
  public static let notImplemented = ENOSYS
  /// ENOTEMPTY.
  public static let notEmpty = ENOTEMPTY
  /// ELOOP.
  public static let loop = ELOOP
  /// EILSEQ.
  public static let illegalSequence = EILSEQ
  /// EOPNOTSUPP.
  public static let notSupported = EOPNOTSUPP
  /// ENOTCONN.
  public static let notConnected = ENOTCONN
  /// ETIMEDOUT.
  public static let timedOut = ETIMEDOUT
  /// ESTALE.
  public static let stale = ESTALE
  /// EDQUOT.
  public static let quota = EDQUOT
  /// ECANCELED.
  public static let cancelled = ECANCELED
}
