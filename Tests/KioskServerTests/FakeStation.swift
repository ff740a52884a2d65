import Glibc
import ImagePicker
import KioskServer
import Platform
import Synchronization

/// A station whose every answer a test sets.
final class FakeStation: KioskStation, @unchecked Sendable {
  // Unchecked because all variables are accessed under the lock.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var newest: FakeFrame?
  private var asker: (@Sendable () -> Void)?
  private var isRaw = false
  private var kept: [UInt64] = []
  private var sent: [(PickerMachine.Event, SessionID?)] = []
  private var answer: KioskReply = .done
  private var reviewed: [SessionID: FakeBytes] = [:]
  private var shownFrame: Int?
  private var frames: [SessionID: [FakeBytes]] = [:]
  private var movies: [SessionID: Int] = [:]
  private var deleted: [String] = []
  private var library: [KioskPhoto] = []
  private var file: TemporaryFile?
  private var isHung = false
  private var done: [String] = []
  private var problem: KioskProblem?
  private var lastRequest: (cursor: String?, limit: Int, album: String?)?

  init() {
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  // MARK: What tests say and ask

  func show(_ number: UInt64, _ bytes: [UInt8]) {
    let body = locked {
      newest = FakeFrame(number, bytes)
      defer { asker = nil }
      return asker
    }
    body?()
  }
  /// Shows a picture under the number after the newest one's.
  func showNext(_ bytes: [UInt8]) { show((locked { newest?.number } ?? 0) + 1, bytes) }
  /// Marks the frames from now on as raw, so that a picture has to be made of each.
  func sendRaw() { locked { isRaw = true } }
  var isAsked: Bool { locked { asker != nil } }
  /// Drops the waiting callers, as another camera would.
  func forgetAsker() { locked { asker = nil } }

  /// Makes the library hang, as a disk may, or continue.
  func hang(_ hangs: Bool) { locked { isHung = hangs } }
  func reply(_ reply: KioskReply) { locked { answer = reply } }
  func review(_ session: UInt64, _ bytes: [UInt8]) {
    locked { reviewed[SessionID(rawValue: session)] = FakeBytes(bytes) }
  }
  /// Offers frames with those small pictures; the still under review is of `shown`.
  func offer(_ session: UInt64, _ pictures: [[UInt8]], shown: Int) {
    locked {
      frames[SessionID(rawValue: session)] = pictures.map(FakeBytes.init)
      shownFrame = shown
    }
  }
  func reviewMovie(_ session: UInt64, _ bytes: Int, file: TemporaryFile) {
    locked { (movies[SessionID(rawValue: session)], self.file) = (bytes, file) }
  }
  func keep(_ photos: [KioskPhoto], file: TemporaryFile) {
    locked { (library, self.file) = (photos, file) }
  }
  var events: [PickerMachine.Event] { locked { sent.map(\.0) } }
  var sessions: [SessionID?] { locked { sent.map(\.1) } }
  /// Sets the problem with which the operator's actions are refused; nil accepts them.
  func refuse(_ problem: KioskProblem?) { locked { self.problem = problem } }
  /// The operator's actions.
  var deeds: [String] { locked { done } }
  var deletions: [String] { locked { deleted } }
  var asked: (cursor: String?, limit: Int, album: String?)? { locked { lastRequest } }

  // MARK: KioskStation

  func send(
    _ event: PickerMachine.Event, session: SessionID?,
    answer: @escaping @Sendable (KioskReply) -> Void
  ) {
    let reply = locked {
      sent.append((event, session))
      return self.answer
    }
    answer(reply)
  }

  func frame(after last: UInt64?) -> (any KioskFrame)? {
    locked { newest?.number == last ? nil : newest }
  }

  /// Lends the newest picture in three parts, like a picture that has to be repaired.
  func lendFrame(after last: UInt64?, _ body: (KioskPicture) -> Void) -> Bool {
    guard let frame = locked({ newest }), frame.number != last else { return false }
    let bytes = UnsafeMutableRawPointer(mutating: frame.bytes.baseAddress)
    let third = frame.bytes.count / 3
    let parts = [
      iovec(iov_base: bytes, iov_len: third),
      iovec(iov_base: bytes.map { $0 + third }, iov_len: third),
      iovec(iov_base: bytes.map { $0 + 2 * third }, iov_len: frame.bytes.count - 2 * third),
    ]
    parts.withUnsafeBufferPointer { parts in
      body(
        KioskPicture(number: frame.number, timestamp: frame.timestamp, parts: parts) { [self] in
          locked { kept.append(frame.number) }
          return frame
        })
    }
    return true
  }

  /// The numbers of the pictures of which copies were asked for, with repetitions.
  var keptPictures: [UInt64] { locked { kept } }

  var makesFrames: Bool { locked { isRaw } }

  func whenFrame(after last: UInt64?, _ body: @escaping @Sendable () -> Void) {
    let isThere = locked {
      let isThere = newest != nil && newest?.number != last
      asker = isThere ? nil : body
      return isThere
    }
    if isThere { body() }
  }

  func review(of session: SessionID, frame: Int?) -> (any KioskBytes)? {
    locked { frame == nil || frame == shownFrame ? reviewed[session] : nil }
  }

  func frameThumbnail(of session: SessionID, frame: Int) -> (any KioskBytes)? {
    locked { frames[session].flatMap { $0.indices.contains(frame) ? $0[frame] : nil } }
  }

  func reviewMovie(of session: SessionID) throws(KioskProblem) -> KioskFile? {
    guard let size = locked({ movies[session] }) else { return nil }
    let number = locked { open(file?.path ?? "", O_RDONLY | O_CLOEXEC) }
    return KioskFile(owning: number, size: size, tag: "\"33\"", type: "video/mp4")
  }

  func photos(
    before cursor: String?, limit: Int, album: String?
  ) throws(KioskProblem) -> KioskPhotoPage {
    while locked({ isHung }) { sched_yield() }
    if cursor == "broken" { throw KioskProblem(400, "'before' is none that a page gave") }
    return locked {
      lastRequest = (cursor, limit, album)
      return KioskPhotoPage(
        photos: Array(library.prefix(limit)), next: library.count > limit ? "more/1" : nil,
        total: library.count)
    }
  }

  func photo(_ id: String) throws(KioskProblem) -> KioskPhoto? {
    locked { library.first { $0.id == id } }
  }

  func thumbnail(of id: String) throws(KioskProblem) -> [UInt8]? {
    try photo(id) == nil ? nil : Array("thumbnail".utf8)
  }

  func original(of id: String) throws(KioskProblem) -> KioskFile? {
    guard let photo = try photo(id) else { return nil }
    let number = locked { open(file?.path ?? "", O_RDONLY | O_CLOEXEC) }
    return KioskFile(owning: number, size: photo.bytes, tag: "\"tag\"", type: "image/jpeg")
  }

  func delete(_ id: String) throws(KioskProblem) -> Bool {
    guard try photo(id) != nil else { return false }
    locked { deleted.append(id) }
    return true
  }

  private func did(_ deed: String) throws(KioskProblem) {
    if let problem = locked({ problem }) { throw problem }
    locked { done.append(deed) }
  }
  func testShot() throws(KioskProblem) -> [UInt8] {
    try did("test shot")
    return Array("picture".utf8)
  }
  func startAlbum(_ name: String?) throws(KioskProblem) -> String {
    try did("album \(name ?? "next")")
    return name ?? "wedding-2"
  }
  func restart() throws(KioskProblem) { try did("restart") }
  func cameras() -> [UInt8] { Array(#"{"cameras":[]}"#.utf8) }
  func health() -> [UInt8] { Array(#"{"checks":[]}"#.utf8) }
  func metrics() -> String { "retake_test 1\n" }
}

final class FakeBytes: KioskBytes, @unchecked Sendable {
  private let storage: UnsafeMutableRawBufferPointer

  init(_ array: [UInt8]) {
    storage = .allocate(byteCount: array.count, alignment: 1)
    storage.copyBytes(from: array)
  }

  deinit { storage.deallocate() }
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storage) }
}

final class FakeFrame: KioskFrame {
  let number: UInt64
  let timestamp: MonotonicTime
  private let content: FakeBytes

  init(_ number: UInt64, _ bytes: [UInt8]) {
    self.number = number
    timestamp = LinuxSystemCalls().monotonicTime()
    content = FakeBytes(bytes)
  }

  var bytes: UnsafeRawBufferPointer { content.bytes }
}
