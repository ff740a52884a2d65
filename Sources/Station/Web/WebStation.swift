import Capture
import ImagePicker
import KioskServer
import PhotoLibrary
import Platform

/// A station as its web server sees it.
final class WebStation: KioskStation, @unchecked Sendable {
  // Unchecked: set once, before anybody else has it.
  private weak var station: Station?
  let catalog = WebPhotos()

  init(_ station: Station) { self.station = station }

  private static let ended = KioskProblem(503, "the station is ending")

  func send(
    _ event: PickerMachine.Event, session: SessionID?,
    answer: @escaping @Sendable (KioskReply) -> Void
  ) {
    guard let station else { return answer(.refused(Self.ended)) }
    // A press is judged by what the camera is doing now, not by what the loop last heard of it.
    let condition = station.cameraCondition
    var library = PickerMachine.Condition.ready
    if case .begin(let request) = event {
      library = PickerMachine.Condition(station.libraryAccess, for: request.source)
    }
    station.core.perform { [library] core in
      if core.machine.conditions.camera != condition { core.note(.camera, condition) }
      answer(core.ask(event, session: session, library: library))
    }
  }

  func frame(after last: UInt64?, timeout: Duration) -> (any KioskFrame)? {
    guard let camera = station?.parts.withLock({ $0.camera }) else {
      // Nobody may spin while a camera is being changed.
      WebStation.pause()
      return nil
    }
    return camera.preview.next(after: last, timeout: timeout)
  }

  func review(of session: SessionID) -> (any KioskBytes)? {
    guard let station,
      let snapshot = station.parts.withLock({ $0.snapshot }), snapshot.session == session,
      let candidate = snapshot.state.candidate
    else { return nil }
    return station.store.still(of: candidate).map { WebBytes($0.bytes()) }
  }

  // MARK: Photos

  private func photos<Value>(
    _ body: (Catalog) throws(LibraryError) -> Value
  ) throws(KioskProblem) -> Value {
    guard let station else { throw Self.ended }
    guard let catalog = station.parts.withLock({ $0.keeper })?.catalog else {
      throw KioskProblem(503, "the library cannot be read", fix: "see the station's log")
    }
    do throws(LibraryError) {
      return try body(catalog)
    } catch {
      throw KioskProblem(503, "the library cannot be read", fix: error.message)
    }
  }

  func photos(
    before cursor: String?, limit: Int, album: String?
  ) throws(KioskProblem) -> KioskPhotoPage {
    guard let place = WebPhotos.Cursor(cursor) else {
      throw KioskProblem(400, "'before' is none that a page gave")
    }
    return try photos { (catalog) throws(LibraryError) in
      try self.catalog.page(of: catalog, before: place, limit: limit, album: album)
    }
  }

  func photo(_ id: String) throws(KioskProblem) -> KioskPhoto? {
    guard let name = WebPhotos.Name(id) else { return nil }
    return try photos { (catalog) throws(LibraryError) in
      try catalog.entry(album: name.album, name: name.file).map(KioskPhoto.init)
    }
  }

  func thumbnail(of id: String) throws(KioskProblem) -> [UInt8]? {
    guard let name = WebPhotos.Name(id) else { return nil }
    return try photos { (catalog) throws(LibraryError) in
      guard let entry = try catalog.entry(album: name.album, name: name.file) else { return nil }
      return try catalog.thumbnail(entry)
    }
  }

  func original(of id: String) throws(KioskProblem) -> KioskFile? {
    guard let name = WebPhotos.Name(id) else { return nil }
    return try photos { (catalog) throws(LibraryError) in
      try catalog.original(album: name.album, name: name.file).map { KioskFile($0, name: name.file) }
    }
  }

  func delete(_ id: String) throws(KioskProblem) -> Bool {
    guard let name = WebPhotos.Name(id) else { return false }
    return try photos { (catalog) throws(LibraryError) in
      guard let entry = try catalog.entry(album: name.album, name: name.file) else { return false }
      try catalog.delete(entry)
      self.catalog.forgetCounts()
      return true
    }
  }

  // MARK: For the operator

  func cameras() -> [UInt8] {
    guard let station else { return Array(#"{"cameras":[]}"#.utf8) }
    return station.camerasJSON
  }

  func health() -> [UInt8] {
    guard let station else { return Array(#"{"checks":[]}"#.utf8) }
    return station.healthJSON
  }

  func metrics() -> String { station?.metricsText ?? "" }

  private static func pause() {
    _ = LinuxSystemCalls().poll(UnsafeMutableBufferPointer(start: nil, count: 0), 100)
  }
}

extension PreviewFrame: KioskFrame {
  /// The number of the camera's frame.
  public var number: UInt64 { id }
}

/// Bytes in memory that several answers share.
final class WebBytes: KioskBytes, @unchecked Sendable {
  // Unchecked: written once, in `init`.
  private let storage: UnsafeMutableRawBufferPointer

  init(_ array: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, array.count), alignment: 1)
    copy.copyBytes(from: array)
    storage = UnsafeMutableRawBufferPointer(rebasing: copy.prefix(array.count))
  }

  deinit { storage.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storage) }
}
