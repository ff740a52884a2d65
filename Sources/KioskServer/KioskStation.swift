import Glibc
import ImagePicker
import Platform

/// Bytes that several responses share; they never change while the object lives.
public protocol KioskBytes: AnyObject, Sendable {
  /// The bytes, valid while the object lives.
  var bytes: UnsafeRawBufferPointer { get }
}

/// One picture of the live preview.
public protocol KioskFrame: KioskBytes {
  /// The number of the camera's frame; each frame has another one.
  var number: UInt64 { get }
  /// The time of the exposure.
  var timestamp: MonotonicTime { get }
}

/// One picture of the live preview, lent for the length of a call.
///
/// The picture and its bytes are invalid after the call.
public struct KioskPicture {
  /// The number of the camera's frame; each frame has another one.
  public let number: UInt64
  /// The time of the exposure.
  public let timestamp: MonotonicTime
  /// The picture's bytes in their order, for `writev(2)`.
  public let parts: UnsafeBufferPointer<iovec>
  /// The number of bytes.
  public let count: Int
  private let makeFrame: () -> (any KioskFrame)?

  /// Creates a loan; `frame` returns a copy of the picture to keep, or nil if that fails.
  public init(
    number: UInt64, timestamp: MonotonicTime, parts: UnsafeBufferPointer<iovec>,
    frame: @escaping () -> (any KioskFrame)?
  ) {
    self.number = number
    self.timestamp = timestamp
    self.parts = parts
    count = parts.reduce(0) { $0 + $1.iov_len }
    makeFrame = frame
  }

  /// Returns a copy of the picture, shared by all callers; nil if that fails.
  public func keep() -> (any KioskFrame)? { makeFrame() }
}

extension KioskFrame {
  /// Lends a picture that the object keeps.
  func lend(_ body: (KioskPicture) -> Void) {
    let bytes = bytes
    let part = iovec(
      iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    withUnsafePointer(to: part) { part in
      let parts = UnsafeBufferPointer(start: part, count: 1)
      body(KioskPicture(number: number, timestamp: timestamp, parts: parts) { self })
    }
  }
}

/// The result of a command from the page.
public enum KioskReply: Sendable {
  /// The command was executed; the last published state shows its effect.
  case done
  /// The command was refused, and nothing changed.
  case refused(KioskProblem)
}

/// The station as the server uses it.
///
/// Functions that may block say so; the server calls them on threads of its own. Only
/// ``frame(after:)`` has no default implementation; a station that shows nothing but live pictures
/// returns `camera.preview.newest(after: last)`.
public protocol KioskStation: AnyObject, Sendable {
  /// Executes a guest's command; `answer` may be called on any thread.
  ///
  /// A command with another `session` than the present one has no effect.
  func send(
    _ event: PickerMachine.Event, session: SessionID?,
    answer: @escaping @Sendable (KioskReply) -> Void)

  /// Returns the newest frame, unless its number is `last`.
  ///
  /// The call takes as long as a copy, or longer if ``makesFrames`` is true.
  func frame(after last: UInt64?) -> (any KioskFrame)?

  /// Lends the newest frame to `body`, unless its number is `last`; returns false if there is none.
  ///
  /// The camera's buffer is held meanwhile, so `body` must not block.
  func lendFrame(after last: UInt64?, _ body: (KioskPicture) -> Void) -> Bool

  /// Whether each frame must first be encoded, which takes too long for the server's loop.
  var makesFrames: Bool { get }

  /// Calls `body` once when there is a frame other than `last`, on any thread; at once if there is
  /// one.
  ///
  /// A further call replaces the pending one. Without a camera `body` is not called.
  func whenFrame(after last: UInt64?, _ body: @escaping @Sendable () -> Void)

  /// Returns the still under review in a session; nil if there is none now.
  ///
  /// With a `frame` it returns the still of that offered frame, or nil while another frame is
  /// chosen.
  func review(of session: SessionID, frame: Int?) -> (any KioskBytes)?

  /// Returns a thumbnail of a frame that the session's review offers; nil if there is none.
  func frameThumbnail(of session: SessionID, frame: Int) -> (any KioskBytes)?

  /// Returns the movie under review in a session; nil if there is none now.
  ///
  /// Blocks on the disk.
  func reviewMovie(of session: SessionID) throws(KioskProblem) -> KioskFile?

  /// Returns a page of photos, newest first.
  ///
  /// `cursor` is the `next` of the page before. Blocks on the disk.
  func photos(
    before cursor: String?, limit: Int, album: String?
  ) throws(KioskProblem) -> KioskPhotoPage

  /// Returns one photo; nil if there is none of that name.
  ///
  /// Blocks on the disk.
  func photo(_ id: String) throws(KioskProblem) -> KioskPhoto?

  /// Returns a small JPEG of a photo; nil if there is none.
  ///
  /// Blocks on the disk.
  func thumbnail(of id: String) throws(KioskProblem) -> [UInt8]?

  /// Opens a photo's file for reading; returns nil if there is none of that name.
  ///
  /// Blocks on the disk.
  func original(of id: String) throws(KioskProblem) -> KioskFile?

  /// Deletes a photo and its copies; returns false if there is none of that name.
  ///
  /// Blocks on the disk.
  func delete(_ id: String) throws(KioskProblem) -> Bool

  /// Takes a photo now, as it would be saved, and returns its JPEG without saving it.
  ///
  /// Blocks for some seconds at most.
  func testShot() throws(KioskProblem) -> [UInt8]

  /// Starts the album `name`, or with nil the next album by number.
  ///
  /// Photos go to the new album from the next session on. Returns the album's name. Blocks on the
  /// disk.
  func startAlbum(_ name: String?) throws(KioskProblem) -> String

  /// Ends the station so that its service manager starts it again; throws if there is none.
  func restart() throws(KioskProblem)

  /// Returns the cameras of the machine, as JSON.
  ///
  /// Blocks.
  func cameras() -> [UInt8]

  /// Returns the station's health for the operator, as JSON with an array `checks`.
  ///
  /// Blocks.
  func health() -> [UInt8]

  /// Returns the station's own metrics, in the text format of Prometheus.
  func metrics() -> String
}
