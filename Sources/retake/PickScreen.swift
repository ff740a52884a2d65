import Glibc
import ImagePicker
import PhotoLibrary

/// The text of `retake pick` in a terminal, and the meaning of its keys.
@MainActor struct PickScreen {
  private static let rows = 9

  private let plan: PickPlan
  private let browser: PhotoBrowser?
  private let isDrawn: Bool
  private var snapshot: PickerMachine.Snapshot?
  private var page = BrowserPage.empty
  /// The cursors at which the pages up to this one began.
  private var starts: [BrowserCursor?] = [nil]
  private var line = 0
  private var drawnLines = 0
  private var turns = 0
  /// The frame of the review that was last reported.
  private var chosen: Int?

  init(_ plan: PickPlan, _ browser: PhotoBrowser?) {
    self.plan = plan
    self.browser = browser
    isDrawn = plan.hasTerminal && plan.selection == nil
  }

  mutating func show(_ next: PickerMachine.Snapshot) {
    let before = snapshot?.state.name
    snapshot = next
    guard isDrawn else { return }
    switch next.state {
    case .browsing:
      if before != .browsing, page.items.isEmpty { load() }
      draw()
    case .live: say(movieKeys ?? "Space: photo, c: cancel")
    case .recording: say("recording; Space or m: stop, c: cancel")
    case .countdown: if before != .countdown { say("look at the camera; c: cancel") }
    case .reviewing(let review):
      guard before != .reviewing else {
        if let frames = review.frames, frames.chosen != chosen {
          chosen = frames.chosen
          return say(
            "frame \(frames.chosen + 1) of \(frames.count); n, p: another frame, \(reviewKeys)")
        }
        // A change without an edit is not reported.
        guard review.edit != nil else { return }
        return say("turned by \((review.edit?.quarterTurns ?? 0) * 90) degrees; \(reviewKeys)")
      }
      turns = plan.edit?.quarterTurns ?? 0
      chosen = nil
      say(reviewKeys)
    case .saving: say("saving")
    case .editing(let item, let edit, _):
      turns = edit?.quarterTurns ?? 0
      say("\(item.rawValue), turned by \(turns * 90) degrees; t: turn, Return: keep, b: back")
    default: break
    }
  }

  private var movieKeys: String? {
    guard plan.request.mediaTypes.contains(.movie) else { return nil }
    return plan.request.cameraCaptureMode == .video
      ? "Space: movie, c: cancel" : "Space: photo, m: movie, c: cancel"
  }

  private var reviewKeys: String {
    "a: accept, r: retake, c: cancel" + (plan.request.allowsEditing ? ", t: turn" : "")
  }

  mutating func end() { drawnLines = 0 }

  /// Returns the events that a key sends to the picker in the present state.
  mutating func events(of key: PickKeys.Key) -> [PickerMachine.Event] {
    if key == .gone || key == .escape || key == .character("c") || key == .character("q") {
      if case .editing = snapshot?.state, key == .escape { return [.back] }
      return [.cancel]
    }
    switch snapshot?.state {
    case .live:
      if key == .character("m") { return [.startRecording] }
      return key == .character(" ") || key == .enter ? [.shutter] : [.extend]
    case .recording:
      let keys: [PickKeys.Key] = [.character(" "), .character("m"), .enter]
      return keys.contains(key) ? [.stopRecording] : []
    case .reviewing: return reviewEvents(key)
    case .browsing(let choices): return browsingEvents(key, choices)
    case .editing(_, let edit, _):
      switch key {
      case .character("t"):
        return [.edit(PickerEdit(crop: edit?.crop, quarterTurns: (edit?.quarterTurns ?? 0) + 1))]
      case .enter, .character("a"): return [.accept]
      case .character("b"): return [.back]
      default: return [.extend]
      }
    default: return []
    }
  }

  private mutating func reviewEvents(_ key: PickKeys.Key) -> [PickerMachine.Event] {
    switch key {
    case .character("a"), .enter: return [.accept]
    case .character("r"): return [.retake]
    case .right, .character("n"): return [.chooseFrame(.next), .extend]
    case .left, .character("p"): return [.chooseFrame(.previous), .extend]
    case .character("t") where plan.request.allowsEditing:
      turns += 1
      return [.edit(PickerEdit(crop: plan.edit?.crop, quarterTurns: turns))]
    default: return [.extend]
    }
  }

  private mutating func browsingEvents(
    _ key: PickKeys.Key, _ choices: [PickerChoice]
  ) -> [PickerMachine.Event] {
    switch key {
    case .enter, .character("a"): return [.accept]
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .right, .character("n"): turnPage(by: 1)
    case .left, .character("p"): turnPage(by: -1)
    case .character(" "): return toggle(line, choices)
    case .character("e") where plan.request.allowsEditing && page.items.indices.contains(line):
      return [.openEditor(ItemID(rawValue: page.items[line].id))]
    case .character(let character):
      guard let number = character.wholeNumberValue, number > 0 else { break }
      line = min(number - 1, max(0, page.items.count - 1))
      return toggle(number - 1, choices)
    default: break
    }
    return [.extend]
  }

  private func toggle(_ line: Int, _ choices: [PickerChoice]) -> [PickerMachine.Event] {
    guard page.items.indices.contains(line) else { return [.extend] }
    let item = ItemID(rawValue: page.items[line].id)
    return choices.contains { $0.item == item } ? [.deselect(item)] : [.select(item)]
  }

  private mutating func move(by step: Int) {
    line = max(0, min(page.items.count - 1, line + step))
    draw()
  }

  private mutating func turnPage(by step: Int) {
    if step > 0 {
      guard let next = page.next else { return }
      starts.append(next)
    } else {
      guard starts.count > 1 else { return }
      starts.removeLast()
    }
    load()
    draw()
  }

  private mutating func load() {
    guard let browser else { return }
    page = browser.page(
      before: starts.last ?? nil, limit: PickScreen.rows, album: plan.album, kinds: plan.kinds)
    line = 0
  }

  // MARK: Drawing

  private mutating func say(_ text: String) {
    drawnLines = 0
    tell(text.plainLines + "\n")
  }

  private mutating func draw() {
    guard isDrawn, case .browsing(let choices) = snapshot?.state else { return }
    var lines = page.items.enumerated().map { index, item in
      let place = choices.firstIndex { $0.item == ItemID(rawValue: item.id) }
      let mark = place.map { "[\($0 + 1)]" } ?? "[ ]"
      return
        "\(index == line ? ">" : " ") \(index + 1) \(mark) \(item.id.plain)  \(Self.date(item.modified))"
    }
    if lines.isEmpty { lines.append("there are no pictures") }
    if let sentence = page.unshown.sentence { lines.append(sentence) }
    lines.append(
      "\(page.count) pictures, \(choices.count) chosen; 1-9 or Space: choose, arrows: move, Return: take"
        + " them\(plan.request.allowsEditing ? ", e: edit" : ""), c: cancel")
    let up = drawnLines > 0 ? "\u{1B}[\(drawnLines)A\u{1B}[J" : ""
    tell(up + lines.map(\.plain).joined(separator: "\n") + "\n")
    drawnLines = lines.count
  }

  // Text goes to standard error, so that standard output has only results for programs.
  private func tell(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }

  private static func date(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = tm()
    localtime_r(&time, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      guard let start = buffer.baseAddress,
        strftime(start, buffer.count, "%Y-%m-%d %H:%M", &parts) > 0
      else { return "" }
      return String(cString: start)
    }
  }
}

extension BrowserPage {
  static let empty = BrowserPage(items: [], next: nil, count: 0)
}
