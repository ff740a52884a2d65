import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import StationConfiguration

/// Why the sources of a library cannot be used; nil: they can.
struct LibraryAccess: Sendable, Equatable {
  /// All albums.
  var all: AccessProblem? = .starting("the library")
  /// The album that this station saves to.
  var own: AccessProblem? = .starting("the library")
}

extension Station {
  /// What guests look through; nil before the start and after the end.
  ///
  /// Its calls may block on a disk: make them on a thread that may wait.
  public var browser: PhotoBrowser? { parts.withLock { $0.browser } }

  var libraryAccess: LibraryAccess { parts.withLock { $0.libraryAccess } }

  /// Shows the pictures of the opened library, and of the other roots.
  func openBrowser(of library: PhotoLibrary?) async {
    let maker = SmallPictureMaker(side: 320, quality: 75)
    let browser = PhotoBrowser(
      configuration: BrowserConfiguration(configuration), system: system, media: media,
      hidden: { [weak library] in library?.hiddenNames ?? [] }, makeThumbnail: maker.make)
    parts.withLock { $0.browser = browser }
    await core.updateStudio { $0.browser = browser }
    await checkLibrary()
    // Read once before a guest asks; nobody waits for it.
    looker.submit { [weak browser] in browser?.refresh() }
    scheduleLibraryCheck(of: browser)
  }

  // Directories come and go without a word, so they are looked at; static questions are answered
  // from what was seen, which may be a second old.
  private func scheduleLibraryCheck(of browser: PhotoBrowser) {
    loop.schedule(at: system.monotonicTime() + .milliseconds(800)) { [weak self, weak browser] in
      Task { [weak self, weak browser] in
        // Swift 6.0 wants `self` said where a weak one was captured twice.
        guard let self, let browser,
          self.parts.withLock({ $0.browser === browser }), !self.life.isStopping
        else { return }
        await self.checkLibrary()
        self.scheduleLibraryCheck(of: browser)
      }
    }
  }

  /// Looks at the directories, and which cameras are there.
  func checkLibrary() async {
    guard let browser = parts.withLock({ $0.browser }) else { return }
    let configuration = configuration
    let access = await looker.run {
      LibraryAccess(
        all: browser.problem().map { AccessProblem($0, at: configuration.libraryPath) },
        own: browser.problem(ofStationAlbum: true).map {
          AccessProblem($0, at: "\(configuration.libraryPath)/\(configuration.album)")
        })
    }
    // Threads that have ended answer no more.
    guard !life.isStopping else { return }
    await permissions.probe(.library)
    guard !life.isStopping else { return }
    await camera.lookForCameras()
    let before = parts.withLock { parts in
      defer { parts.libraryAccess = access }
      return parts.libraryAccess
    }
    if before != access, let problem = access.all ?? access.own { log.warning("\(problem)") }
    core.perform { core in
      let condition = PickerMachine.Condition(access, for: core.machine.session?.request.source)
      if core.machine.conditions.library != condition { core.note(.library, condition) }
    }
    let items = core.view.current.snapshot?.state.items ?? []
    if !items.isEmpty, !life.isStopping {
      await looker.run { [self] in dropVanished(items, browser) }
    }
  }

  // Of the whole list, so that a stick that was pulled is noticed though nobody turns the page.
  private func dropVanished(_ items: [ItemID], _ browser: PhotoBrowser) {
    browser.refresh(olderThan: .milliseconds(500))
    for item in items where browser.item(item.rawValue) == nil {
      log.notice("\(item.rawValue) is gone and no longer chosen")
      core.perform { $0.send(.deselect(item)) }
    }
  }

  /// Looks into what is newly chosen: what cannot be opened is not kept; on the loop.
  func checkChoices(_ snapshot: PickerMachine.Snapshot) {
    let items = Set(snapshot.state.items)
    let new = parts.withLock { parts in
      defer { parts.checkedItems = items }
      return items.subtracting(parts.checkedItems)
    }
    guard !new.isEmpty, let session = snapshot.session else { return }
    let allowsMovies = snapshot.request?.mediaTypes.contains(.movie) == true
    reader.submit { [weak self] in
      guard let self, let browser = parts.withLock({ $0.browser }) else { return }
      browser.refresh(olderThan: .seconds(1))
      for item in new {
        let reason = PhotoCollector.problem(
          of: item, in: browser, allowsMovies: allowsMovies)
        guard let reason else { continue }
        log.notice("not chosen: \(reason.operatorMessage)")
        core.perform { core in
          core.refused(reason)
          core.send(.deselect(item), session: session)
        }
      }
    }
  }
}

extension PickerMachine.State {
  /// The pictures of a library that are chosen or cropped.
  var items: [ItemID] {
    switch self {
    case .browsing(let choices): choices.map(\.item)
    case .editing(let item, _, let choices): [item] + choices.map(\.item).filter { $0 != item }
    default: []
    }
  }
}

extension PickerMachine.Condition {
  /// What the directories mean for a session with that source; nil: for one that is to come.
  init(_ access: LibraryAccess, for source: ImagePickerController.SourceType?) {
    let problem = source == .savedPhotosAlbum ? access.own : access.all
    self = problem.map { .unavailable(PickerReason(.libraryUnavailable, problem: $0)) } ?? .ready
  }
}

extension AccessProblem {
  /// Nothing is known of it yet.
  static func starting(_ what: String) -> AccessProblem {
    AccessProblem(
      who: currentUser(), what: what, why: "the station has not looked at it yet",
      fix: "start the station, or wait a moment")
  }

  init(_ error: LibraryError, at path: String) {
    self.init(
      who: currentUser(), what: "the library \(path)",
      why: error.cause?.reason ?? "it is not to be shown", fix: error.message)
  }
}
