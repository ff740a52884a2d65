import Capture
import ImagePicker
import Platform

// A station that only shows live pictures implements `frame(after:)`, and inherits the rest.
extension KioskStation {
  /// The time between two looks for a frame.
  private static var pollTime: Duration { .milliseconds(10) }
  /// The time after which a look ends, because the server looks again by itself.
  private static var pollLimit: Duration { .milliseconds(400) }

  /// The refusal of requests that the station does not implement.
  private static var unsupported: KioskProblem {
    KioskProblem(404, "this station does not offer that")
  }

  /// Refuses the command.
  public func send(
    _ event: PickerMachine.Event, session: SessionID?,
    answer: @escaping @Sendable (KioskReply) -> Void
  ) { answer(.refused(Self.unsupported)) }

  /// Lends the result of ``frame(after:)``.
  public func lendFrame(after last: UInt64?, _ body: (KioskPicture) -> Void) -> Bool {
    guard let frame = frame(after: last) else { return false }
    frame.lend(body)
    return true
  }

  /// False: ``frame(after:)`` takes no longer than a copy.
  public var makesFrames: Bool { false }

  /// Looks for a frame a hundred times a second until there is one, for at most 0.4 seconds.
  ///
  /// A station that hears of its frames implements this to save the looks.
  public func whenFrame(after last: UInt64?, _ body: @escaping @Sendable () -> Void) {
    poll(after: last, until: .now + Self.pollLimit, body)
  }

  private func poll(
    after last: UInt64?, until end: MonotonicTime, _ body: @escaping @Sendable () -> Void
  ) {
    if frame(after: last) != nil || .now >= end { return body() }
    AbandonableWorker.deadlines?.schedule(at: .now + Self.pollTime) { [weak self] in
      self?.poll(after: last, until: end, body)
    }
  }

  /// Returns nil.
  public func review(of session: SessionID, frame: Int?) -> (any KioskBytes)? { nil }

  /// Returns nil.
  public func frameThumbnail(of session: SessionID, frame: Int) -> (any KioskBytes)? { nil }

  /// Returns nil.
  public func reviewMovie(of session: SessionID) throws(KioskProblem) -> KioskFile? { nil }

  /// Returns a page without photos.
  public func photos(
    before cursor: String?, limit: Int, album: String?
  ) throws(KioskProblem) -> KioskPhotoPage { KioskPhotoPage(photos: [], next: nil, total: 0) }

  /// Returns nil.
  public func photo(_ id: String) throws(KioskProblem) -> KioskPhoto? { nil }

  /// Returns nil.
  public func thumbnail(of id: String) throws(KioskProblem) -> [UInt8]? { nil }

  /// Returns nil.
  public func original(of id: String) throws(KioskProblem) -> KioskFile? { nil }

  /// Returns false.
  public func delete(_ id: String) throws(KioskProblem) -> Bool { false }

  /// Throws, because the station takes no photos.
  public func testShot() throws(KioskProblem) -> [UInt8] { throw Self.unsupported }

  /// Throws, because the station has no albums.
  public func startAlbum(_ name: String?) throws(KioskProblem) -> String {
    throw Self.unsupported
  }

  /// Throws, because the station has no service manager.
  public func restart() throws(KioskProblem) { throw Self.unsupported }

  /// Returns an empty list.
  public func cameras() -> [UInt8] { Array(#"{"cameras":[]}"#.utf8) }

  /// Returns an empty list of checks.
  public func health() -> [UInt8] { Array(#"{"checks":[]}"#.utf8) }

  /// Returns no metrics.
  public func metrics() -> String { "" }
}

extension PreviewFrame: KioskFrame {
  /// The number of the camera's frame.
  public var number: UInt64 { id }
}

extension KioskState {
  /// The state of a page before a station publishes one.
  public static var idle: KioskState {
    KioskState(
      snapshot: PickerMachine(conditions: .ready).snapshot, began: .now,
      camera: Camera(name: "", state: "streaming", width: 0, height: 0))
  }
}
