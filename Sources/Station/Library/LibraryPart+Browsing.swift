import ImagePicker
import Imaging
import PhotoLibrary
import Platform
import StationConfiguration

// The pictures that guests choose from, and the check whether their directories are present.
extension LibraryPart {
  /// Shows the pictures of the opened library and of the other roots.
  func openBrowser(of library: PhotoLibrary?) async {
    let maker = SmallPictureMaker(side: 320, quality: 75)
    let browser = PhotoBrowser(
      configuration: BrowserConfiguration(settings.current.configuration), system: threads.system,
      media: threads.media, hidden: { [weak library] in library?.hiddenNames ?? [] },
      makeThumbnail: maker.make)
    view.browser = browser
    await core.updateStudio { $0.browser = browser }
    await look(at: browser)
    // The list is read before a guest asks for it, and the caller does not wait for the reading.
    threads.looker.submit { [weak browser] in browser?.refresh() }
    scheduleLook(at: browser)
  }

  // The station polls the directories, since the kernel does not report every change. Answers about
  // access use the last poll. A guest's session polls often, an idle station seldom, because each
  // poll wakes four threads.
  private func scheduleLook(at browser: PhotoBrowser) {
    let pause = isInUse ? Self.lookPause : Self.idleLookPause
    nextLook = loop.schedule(at: threads.system.monotonicTime() + pause) {
      [weak self, weak browser] in
      Task { [weak self, weak browser] in
        // Swift 6.0 requires an explicit `self` for a weak capture in two nested closures.
        guard let self, let browser else { return }
        await self.lookAgain(at: browser)
      }
    }
  }

  /// Polls often while a session lasts; its beginning polls at once.
  func sessionChanged(isActive: Bool) {
    guard isInUse != isActive else { return }
    isInUse = isActive
    // A poll that is under way schedules the next one itself.
    guard isActive, let nextLook, let browser = view.browser else { return }
    loop.cancel(nextLook)
    self.nextLook = nil
    Task { await lookAgain(at: browser) }
  }

  private func lookAgain(at browser: PhotoBrowser) async {
    guard view.browser === browser, !life.isStopping else { return }
    nextLook = nil
    await look(at: browser)
    scheduleLook(at: browser)
  }

  /// Checks the directories and the present cameras.
  private func look(at browser: PhotoBrowser) async {
    let configuration = settings.current.configuration
    let access = await threads.looker.run {
      // The station's own album first: when the disk goes between the two, both are gone.
      let own = browser.problem(ofStationAlbum: true).map {
        AccessProblem($0, at: "\(configuration.libraryPath)/\(configuration.album)")
      }
      let all = browser.problem().map { AccessProblem($0, at: configuration.libraryPath) }
      return LibraryAccess(all: all, own: own)
    }
    await permissions.probe(.library)
    // A thread that has ended gives no answer.
    guard !life.isStopping else { return }
    await camera.lookForCameras()
    let before = view.access
    view.access = access
    if before != access, let problem = access.all ?? access.own { log.warning("\(problem)") }
    await core.record(access)
    let items = core.view.current.snapshot?.state.items ?? []
    guard !items.isEmpty, !life.isStopping else { return }
    await threads.looker.run { [self] in dropVanished(items, browser) }
  }

  // The whole list is read, so that a removed stick is noticed even when no guest turns the page.
  private nonisolated func dropVanished(_ items: [ItemID], _ browser: PhotoBrowser) {
    browser.refresh(olderThan: .milliseconds(500))
    for item in items where browser.item(item.rawValue) == nil {
      log.notice("\(item.rawValue) is gone and no longer chosen")
      core.perform { $0.send(.deselect(item)) }
    }
  }

  /// Opens newly chosen pictures; a picture that cannot be opened is deselected.
  func checkChoices(_ snapshot: PickerMachine.Snapshot) {
    let items = Set(snapshot.state.items)
    let new = items.subtracting(checkedItems)
    checkedItems = items
    guard !new.isEmpty, let session = snapshot.session else { return }
    let allowsMovies = snapshot.request?.mediaTypes.contains(.movie) == true
    threads.reader.submit { [weak self] in
      guard let self, let browser = current.browser else { return }
      browser.refresh(olderThan: .seconds(1))
      for item in new {
        let reason = PhotoCollector.problem(of: item, in: browser, allowsMovies: allowsMovies)
        guard let reason else { continue }
        log.notice("not chosen: \(reason.operatorMessage)")
        core.perform { core in
          core.recordRefusal(reason)
          core.send(.deselect(item), session: session)
        }
      }
    }
  }
}

extension StationCore {
  /// Sends the condition of the library for the present session, or for a session to come.
  fileprivate func record(_ access: LibraryAccess) {
    let condition = PickerMachine.Condition(access, for: machine.session?.request.source)
    if machine.conditions.library != condition { record(.library, condition) }
  }
}

extension PickerMachine.State {
  /// The library pictures that are chosen or being cropped.
  var items: [ItemID] {
    switch self {
    case .browsing(let choices): choices.map(\.item)
    case .editing(let item, _, let choices): [item] + choices.map(\.item).filter { $0 != item }
    default: []
    }
  }
}

extension PickerMachine.Condition {
  /// Creates the condition of the library for a source; `nil` stands for a session to come.
  init(_ access: LibraryAccess, for source: ImagePickerController.SourceType?) {
    let problem = source == .savedPhotosAlbum ? access.own : access.all
    self = problem.map { .unavailable(PickerReason(.libraryUnavailable, problem: $0)) } ?? .ready
  }
}

extension AccessProblem {
  /// Returns the problem of a resource that the station has not checked yet.
  static func starting(_ what: String) -> AccessProblem {
    AccessProblem(
      subject: currentUser(), object: what, cause: "the station has not looked at it yet",
      fix: "start the station, or wait a moment")
  }
}
