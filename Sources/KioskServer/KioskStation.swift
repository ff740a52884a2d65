import Glibc
import ImagePicker
import Platform

/// Bytes that several responses share; they never change while somebody holds the object.
public protocol KioskBytes: AnyObject, Sendable {
  /// The bytes, for as long as the object is held.
  var bytes: UnsafeRawBufferPointer { get }
}

/// One picture of the live preview.
public protocol KioskFrame: KioskBytes {
  /// The number of the camera's frame; the next one has another.
  var number: UInt64 { get }
  /// When it was taken.
  var timestamp: MonotonicTime { get }
}

/// One picture of the live preview, lent for the length of a call.
///
/// Nothing of it may be used after the call.
public struct KioskPicture {
  /// The number of the camera's frame; the next one has another.
  public let number: UInt64
  /// When it was taken.
  public let timestamp: MonotonicTime
  /// The picture's bytes in their order, for `writev(2)`.
  public let parts: UnsafeBufferPointer<iovec>
  /// How many bytes that are.
  public let count: Int
  private let makeFrame: () -> (any KioskFrame)?

  /// Makes a loan; `frame` gives the same picture to keep, or nil where it cannot.
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

  /// Returns the same picture to keep, which all who ask for one share; nil where there is none.
  public func keep() -> (any KioskFrame)? { makeFrame() }
}

extension KioskFrame {
  /// Lends a picture that somebody keeps already.
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

/// What became of something that the page asked for.
public enum KioskReply: Sendable {
  /// It was done; the state that the station published last shows it.
  case done
  /// It was not, and nothing changed.
  case refused(KioskProblem)
}

/// The station as the server sees it.
///
/// Functions that may block say so; the server calls them on threads of its own.
public protocol KioskStation: AnyObject, Sendable {
  /// Does what the guest asked for; `answer` may come on any thread.
  ///
  /// With a `session` that is not the present one nothing happens.
  func send(
    _ event: PickerMachine.Event, session: SessionID?,
    answer: @escaping @Sendable (KioskReply) -> Void)

  /// The newest frame, if it is another than `last`.
  ///
  /// It takes as long as a copy, or longer where ``makesFrames`` says so.
  func frame(after last: UInt64?) -> (any KioskFrame)?

  /// Lends the newest frame to `body`, if it is another than `last`; false where there is none.
  ///
  /// The camera waits for its buffer meanwhile, so `body` waits for nothing. Has a default, which
  /// lends what ``frame(after:)`` gives.
  func lendFrame(after last: UInt64?, _ body: (KioskPicture) -> Void) -> Bool

  /// Whether a picture has to be made of each frame first, which other answers cannot wait for.
  var makesFrames: Bool { get }

  /// Calls `body` once when there is a frame other than `last`, on any thread; at once if there is.
  ///
  /// Only who asked last is told; nobody is while there is no camera.
  func whenFrame(after last: UInt64?, _ body: @escaping @Sendable () -> Void)

  /// The still that the guest of that session decides about; nil when there is none now.
  ///
  /// With a `frame` it is the still of that one of the frames that are offered; nil while another
  /// one's is shown.
  func review(of session: SessionID, frame: Int?) -> (any KioskBytes)?

  /// A small picture of one of the frames that the review of that session offers; nil where there is
  /// none.
  func frameThumbnail(of session: SessionID, frame: Int) -> (any KioskBytes)?

  /// The movie that the guest of that session decides about; nil when there is none now.
  ///
  /// It blocks.
  func reviewMovie(of session: SessionID) throws(KioskProblem) -> KioskFile?

  /// Some photos, newest first.
  ///
  /// It blocks. `cursor` is the `next` of the page before.
  func photos(
    before cursor: String?, limit: Int, album: String?
  ) throws(KioskProblem) -> KioskPhotoPage

  /// One photo; nil if there is none of that name.
  ///
  /// It blocks.
  func photo(_ id: String) throws(KioskProblem) -> KioskPhoto?

  /// A small JPEG of a photo; nil where there is none.
  ///
  /// It blocks.
  func thumbnail(of id: String) throws(KioskProblem) -> [UInt8]?

  /// The photo's file, open for reading; nil if there is none of that name.
  ///
  /// It blocks.
  func original(of id: String) throws(KioskProblem) -> KioskFile?

  /// Deletes a photo and its copies; false if there is none of that name.
  ///
  /// It blocks.
  func delete(_ id: String) throws(KioskProblem) -> Bool

  /// Takes a photo of this moment as it would be saved, and keeps it nowhere.
  ///
  /// Blocks for some seconds at most. Returns the bytes of a JPEG.
  func testShot() throws(KioskProblem) -> [UInt8]

  /// Starts the album `name`, or where it is nil the one that comes after the present by number;
  /// photos go there from the next session on.
  ///
  /// Blocks. Returns the album's name.
  func startAlbum(_ name: String?) throws(KioskProblem) -> String

  /// Ends the station for its service manager to start it again; refuses where there is none.
  func restart() throws(KioskProblem)

  /// The cameras of the machine, as JSON.
  ///
  /// It blocks.
  func cameras() -> [UInt8]

  /// What the operator wants to know, as JSON with an array `checks`.
  ///
  /// It blocks.
  func health() -> [UInt8]

  /// The station's own part of the metrics, in the text format of Prometheus.
  func metrics() -> String
}

extension KioskStation {
  /// Lends what ``frame(after:)`` gives.
  public func lendFrame(after last: UInt64?, _ body: (KioskPicture) -> Void) -> Bool {
    guard let frame = frame(after: last) else { return false }
    frame.lend(body)
    return true
  }
}
