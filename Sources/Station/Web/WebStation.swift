import Capture
import Glibc
import ImagePicker
import KioskServer
import PhotoLibrary
import Platform
import Synchronization

/// A station as its web server sees it.
final class WebStation: KioskStation, @unchecked Sendable {
  // `@unchecked Sendable` is safe, since the reference is set only in `init`.
  private(set) weak var station: Station?
  private let thumbnails = WebThumbnails()
  private let review = ReviewBytes()
  private let cameraList = Mutex<(date: MonotonicTime, json: [UInt8])?>(nil)

  init(_ station: Station) { self.station = station }

  private static let cameraListAge = Duration.seconds(3)
  static let ended = KioskProblem(503, "the station is ending")

  func send(
    _ event: PickerMachine.Event, session: SessionID?,
    answer: @escaping @Sendable (KioskReply) -> Void
  ) {
    guard let station else { return answer(.refused(Self.ended)) }
    // A press is judged by the camera's present state, which the loop may not have heard of yet.
    let condition = station.camera.condition
    var library = PickerMachine.Condition.ready
    if case .begin(let request) = event {
      library = PickerMachine.Condition(station.library.current.access, for: request.source)
    }
    station.core.perform { [library] core in
      if core.machine.conditions.camera != condition { core.record(.camera, condition) }
      do throws(CoreRefusal) {
        try core.ask(event, session: session, library: library)
        answer(.done)
      } catch {
        answer(.refused(KioskProblem(error)))
      }
    }
  }

  var camera: Camera? { station?.camera.current.camera }

  func frame(after last: UInt64?) -> (any KioskFrame)? { camera?.preview.newest(after: last) }

  func lendFrame(after last: UInt64?, _ body: (KioskPicture) -> Void) -> Bool {
    camera?.preview.lend(after: last) { loan in
      body(
        KioskPicture(number: loan.id, timestamp: loan.timestamp, parts: loan.parts) { loan.copy() })
    } ?? false
  }

  var makesFrames: Bool { camera?.granted?.format.isJPEG == false }

  func whenFrame(after last: UInt64?, _ body: @escaping @Sendable () -> Void) {
    camera?.ring.whenNewer(than: last, body)
  }

  func review(of session: SessionID, frame: Int?) -> (any KioskBytes)? {
    guard let station, let candidate = candidate(of: session),
      let shown = station.store.still(of: candidate), frame == nil || frame == shown.frame
    else { return nil }
    return review.bytes(of: candidate, frame: shown.frame) { shown.still.bytes() }
  }

  func frameThumbnail(of session: SessionID, frame: Int) -> (any KioskBytes)? {
    guard let station, let candidate = candidate(of: session) else { return nil }
    return station.store.thumbnail(of: candidate, frame: frame)
  }

  private func candidate(of session: SessionID) -> CandidateID? {
    guard let snapshot = station?.core.view.current.snapshot, snapshot.session == session
    else { return nil }
    return snapshot.state.candidate
  }

  func reviewMovie(of session: SessionID) throws(KioskProblem) -> KioskFile? {
    guard let station,
      let snapshot = station.core.view.current.snapshot, snapshot.session == session,
      let candidate = snapshot.state.candidate, let movie = station.movies.movie(of: candidate)
    else { return nil }
    do {
      let file = try movie.open()
      // The `Descriptor` closes its own number, so a duplicate is handed over.
      let number = fcntl(file.number, F_DUPFD_CLOEXEC, 3)
      guard number >= 0 else { throw SystemError(errno: errno, call: "fcntl") }
      return KioskFile(
        owning: number, size: movie.bytes, tag: "\"\(candidate.rawValue)\"",
        type: movie.contentType)
    } catch {
      throw KioskProblem(503, "the movie cannot be read: \(error)")
    }
  }

  // MARK: Photos

  private func look<Value>(
    _ body: (PhotoBrowser) throws(LibraryError) -> Value
  ) throws(KioskProblem) -> Value {
    guard let browser = station?.browser else { throw Self.ended }
    do throws(LibraryError) {
      return try body(browser)
    } catch {
      if error.code == .notFound { throw KioskProblem(404, "there is no such photo") }
      throw KioskProblem(503, "the library cannot be read", fix: error.operatorMessage)
    }
  }

  private var catalog: Catalog? { station?.library.open.keeper?.catalog }

  func photos(
    before cursor: String?, limit: Int, album: String?
  ) throws(KioskProblem) -> KioskPhotoPage {
    var place: BrowserCursor?
    if let cursor {
      guard let read = BrowserCursor(cursor) else {
        throw KioskProblem(404, "'before' is none that a page gave")
      }
      place = read
    }
    let catalog = catalog
    return try look { (browser) throws(LibraryError) in
      let page = browser.page(before: place, limit: limit, album: album)
      return KioskPhotoPage(
        photos: page.items.map { KioskPhoto($0, catalog, browser) }, next: page.next?.description,
        total: page.count, omitted: browser.omitted, unshown: page.unshown)
    }
  }

  func photo(_ id: String) throws(KioskProblem) -> KioskPhoto? {
    let catalog = catalog
    return try look { (browser) throws(LibraryError) in
      browser.item(id).map { KioskPhoto($0, catalog, browser) }
    }
  }

  func thumbnail(of id: String) throws(KioskProblem) -> [UInt8]? {
    try look { (browser) throws(LibraryError) in
      guard let item = browser.item(id) else { return nil }
      return try thumbnails.find(item, in: browser)
    }
  }

  func original(of id: String) throws(KioskProblem) -> KioskFile? {
    try look { (browser) throws(LibraryError) in
      guard let item = browser.item(id) else { return nil }
      return KioskFile(try browser.open(id), name: item.name)
    }
  }

  func delete(_ id: String) throws(KioskProblem) -> Bool {
    guard let catalog else { throw Self.ended }
    // The catalog lists only the station's own photos, so photos on a guest's stick are never
    // deleted.
    let item = try look { (browser) throws(LibraryError) in browser.item(id) }
    return try look { (browser) throws(LibraryError) in
      guard let item, let entry = try catalog.entry(album: item.album, name: item.name) else {
        return false
      }
      try catalog.delete(entry)
      browser.refresh()
      return true
    }
  }

  // MARK: For the operator

  func cameras() -> [UInt8] {
    guard let station else { return Array(#"{"cameras":[]}"#.utf8) }
    // The report opens every camera, so it is reused for a few seconds. The lock is held meanwhile,
    // so that simultaneous requests share one report. Only the thread `web-files` waits for it.
    return cameraList.withLock { known in
      let now = station.system.monotonicTime()
      if let known, now - known.date < Self.cameraListAge { return known.json }
      let json = station.camerasJSON
      known = (station.system.monotonicTime(), json)
      return json
    }
  }

  func health() -> [UInt8] {
    guard let station else { return Array(#"{"checks":[]}"#.utf8) }
    return station.healthJSON
  }

  func metrics() -> String { station?.metricsText ?? "" }
}
