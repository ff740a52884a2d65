import Glibc
import ImagePicker
import PhotoLibrary
import Platform
import Station

/// A session of `retake pick`, in which keys or the plan decide.
@MainActor final class PickSession {
  private enum Input: Sendable {
    case shown(PickerMachine.Snapshot)
    case key(PickKeys.Key)
  }

  private let plan: PickPlan
  private let station: Station
  private let items: [ItemID]
  private let keys: PickKeys?
  private var screen: PickScreen
  private var session: SessionID?

  /// Finds the pictures that the plan names; throws when one of them is missing.
  init(_ plan: PickPlan, _ station: Station) throws {
    self.plan = plan
    self.station = station
    items = try PickSession.items(plan, station)
    let isDecided = plan.selection != nil
    keys = plan.hasTerminal && !isDecided ? PickKeys() : nil
    screen = PickScreen(plan, station.browser)
  }

  func run() async throws(PickerError) -> PickerResult {
    let (inputs, queue) = AsyncStream.makeStream(of: Input.self)
    await station.observe { queue.yield(.shown($0)) }
    let pick = Task { () -> Result<PickerResult, PickerError> in
      do throws(PickerError) {
        return .success(try await station.pick(plan.request, as: .headless))
      } catch {
        return .failure(error)
      }
    }
    let quit = Task {
      await station.waitForQuit()
      pick.cancel()
    }
    let typing = Task { [keys] in
      guard let keys else { return }
      for await key in keys.keys { queue.yield(.key(key)) }
    }
    let deciding = Task {
      for await input in inputs { await handle(input) }
    }
    let result = await pick.value
    [quit, typing, deciding].forEach { $0.cancel() }
    keys?.restore()
    screen.end()
    return try result.get()
  }

  private static func item(_ word: String, _ browser: PhotoBrowser) -> BrowserItem? {
    // A name may have the escapes with which it was printed.
    let shown = word.fromPlain
    return browser.item(word) ?? browser.item(atPath: word) ?? browser.item(shown)
      ?? browser.item(atPath: shown)
  }

  private static func items(_ plan: PickPlan, _ station: Station) throws -> [ItemID] {
    guard let browser = station.browser, let words = plan.selection else { return [] }
    if let problem = browser.problem(ofStationAlbum: plan.request.source == .savedPhotosAlbum) {
      throw problem
    }
    let newest = browser.page(limit: 500, album: plan.album, kinds: plan.kinds).items
    browser.waitUntilWhole(words)
    var taken = 0
    return try words.map { word in
      if word == "newest" {
        taken += 1
        guard taken <= newest.count else {
          throw StationError(
            .cancelled, "there are \(newest.count) pictures to choose from, fewer than were asked")
        }
        return ItemID(rawValue: newest[taken - 1].id)
      }
      guard let item = item(word, browser), plan.album.map({ $0.hasBytes(of: item.album) }) ?? true
      else {
        if browser.isGrowing(word) {
          throw StationError(
            .cancelled, "'\(word)' is still being copied; choose it again when it is whole")
        }
        if let silent = browser.silentDisks.first {
          throw StationError(
            .cannotSave,
            "there is no picture '\(word)' to choose now: \(silent.operatorMessage)",
            cause: silent)
        }
        throw StationError(
          .cancelled, "there is no picture '\(word)' to choose; 'retake pick --list' names them")
      }
      guard plan.kinds.contains(item.kind) else {
        throw StationError(
          .cancelled,
          "'\(word)' is a \(item.kind == .movie ? "movie" : "picture"); "
            + "--media says what can be chosen")
      }
      guard item.kind == .image || browser.movie(of: item.id) != nil else {
        throw StationError(.cancelled, "'\(word)' is no movie; choose another one")
      }
      return ItemID(rawValue: item.id)
    }
  }

  private func handle(_ input: Input) async {
    switch input {
    case .shown(let snapshot):
      // Snapshots from before the session belong to an idle station.
      guard let id = snapshot.session else { return }
      let isNew = session != id
      session = id
      if isNew { await begin(snapshot) }
      screen.show(snapshot)
      if case .reviewing = snapshot.state, keys == nil { await acceptReview(id) }
    case .key(let key):
      guard let session else { return }
      for event in screen.events(of: key) { station.send(event, session: session) }
    }
  }

  private func begin(_ snapshot: PickerMachine.Snapshot) async {
    guard let id = snapshot.session else { return }
    if case .live = snapshot.state, keys == nil {
      station.send(.shutter, session: id)
    }
    guard case .browsing = snapshot.state, plan.selection != nil else { return }
    // All choices are one event. The station opens the chosen pictures and deselects those that
    // cannot be opened, and a script must get either all of its pictures or the reason.
    let choices = items.map { PickerChoice(item: $0, edit: plan.edit) }
    station.send(.choose(choices), session: id)
  }

  private func acceptReview(_ id: SessionID) async {
    if let edit = plan.edit { station.send(.edit(edit), session: id) }
    // An accept counts only after the guard time, even without a viewer.
    try? await Task.sleep(for: PickerMachine.guardTime + .milliseconds(20))
    station.send(.accept, session: id)
  }
}
