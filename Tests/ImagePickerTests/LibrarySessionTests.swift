import ImagePicker
import Testing

@Suite("A library session")
struct LibrarySessionTests {
  private func browsing(limit: Int, editing: Bool = true) -> Booth {
    var booth = Booth()
    booth.send(
      .begin(
        PickerMachine.Request(
          source: .photoLibrary, allowsEditing: editing, selectionLimit: limit)), at: 1_000)
    return booth
  }

  @Test(
    "keeps to its limit, in the order chosen",
    arguments: [
      (limit: 1, chosen: ["d"], refused: 0), (2, ["c", "a"], 2), (3, ["c", "a", "b"], 1),
      (0, ["c", "a", "b", "d"], 0), (-4, ["c", "a", "b", "d"], 0),
    ])
  func limits(limit: Int, chosen: [String], refused: Int) {
    var booth = browsing(limit: limit)
    var refusals = 0
    for item in ["c", "a", "b", "d"] {
      refusals += booth.send(.select(ItemID(rawValue: item)), at: 2_000).refusals.count
    }
    #expect(refusals == refused)
    let choices = chosen.map { PickerChoice(item: ItemID(rawValue: $0)) }
    #expect(booth.machine.state == .browsing(choices))
    let effects = booth.send(.accept, at: 3_000)
    #expect(
      effects.contains(
        .collect(booth.candidate, session: SessionID(rawValue: 1), choices: choices)))
    #expect(booth.name == .saving)
  }

  @Test("is not confirmed with nothing chosen")
  func nothingChosen() {
    var booth = browsing(limit: 1)
    #expect(booth.send(.accept, at: 2_000).refusals == [.nothingSelected])
    booth.send(.select("a"), at: 2_000)
    booth.send(.deselect("a"), at: 2_000)
    #expect(booth.send(.accept, at: 2_000).refusals == [.nothingSelected])
  }

  @Test("an item chosen twice is chosen once, and deselected it loses its place")
  func order() {
    var booth = browsing(limit: 0)
    for item: ItemID in ["a", "b", "a"] { booth.send(.select(item), at: 2_000) }
    booth.send(.deselect("a"), at: 2_000)
    booth.send(.select("a"), at: 2_000)
    #expect(booth.machine.state == .browsing([PickerChoice(item: "b"), PickerChoice(item: "a")]))
  }

  @Test("an edit that is kept chooses the item; one that is left is forgotten")
  func editing() {
    let edit = PickerEdit(crop: PixelRect(x: 0, y: 0, width: 3, height: 4))
    var booth = browsing(limit: 0)
    booth.send(.select("a"), at: 2_000)
    booth.send(.select("b"), at: 2_000)
    booth.send(.openEditor("a"), at: 2_000)
    booth.send(.edit(edit), at: 2_000)
    booth.send(.accept, at: 2_000)
    booth.send(.openEditor("c"), at: 2_000)
    booth.send(.edit(edit), at: 2_000)
    booth.send(.back, at: 2_000)
    #expect(
      booth.machine.state
        == .browsing([PickerChoice(item: "a", edit: edit), PickerChoice(item: "b")]))
    booth.send(.openEditor("a"), at: 2_000)
    guard case .editing("a", edit, _) = booth.machine.state else {
      Issue.record("\(booth.machine.state)")
      return
    }
  }

  @Test("has no crop box where editing is not allowed, or no more may be chosen")
  func noEditing() {
    var plain = browsing(limit: 1, editing: false)
    #expect(plain.send(.openEditor("a"), at: 2_000).isEmpty)
    var full = browsing(limit: 2)
    full.send(.select("a"), at: 2_000)
    full.send(.select("b"), at: 2_000)
    #expect(full.send(.openEditor("c"), at: 2_000).refusals == [.selectionLimitReached])
    full.send(.openEditor("b"), at: 2_000)
    #expect(full.name == .editing)
  }

  @Test("an item that vanishes while it is cropped closes the crop box")
  func vanishes() {
    var booth = Booth.in(.editing)
    booth.send(.deselect("a"), at: 4_000)
    #expect(booth.name == .editing)
    booth.send(.deselect("b"), at: 4_000)
    #expect(booth.machine.state == .browsing([]))
  }

  @Test("that a program decides is read as a whole, whatever is let go of at the same time")
  func choice() {
    var booth = browsing(limit: 0)
    let choices = ["a", "b", "a"].map { PickerChoice(item: ItemID(rawValue: $0)) }
    let effects = booth.send(.choose(choices), at: 2_000)
    // The station's own change of the choice comes too late.
    booth.send(.deselect("a"), at: 2_000)
    #expect(
      effects.contains(
        .collect(booth.candidate, session: SessionID(rawValue: 1), choices: choices)))
    #expect(booth.name == .saving)
  }

  @Test(
    "that a program decides wrongly fails at once, and is not left to wait",
    arguments: [([], PickerReason.Code.nothingSelected), (["a", "b"], .selectionLimitReached)])
  func wrongChoice(names: [String], code: PickerReason.Code) {
    var booth = browsing(limit: 1)
    let choices = names.map { PickerChoice(item: ItemID(rawValue: $0)) }
    let effects = booth.send(.choose(choices), at: 2_000)
    #expect(effects.outcomes == [.failed(PickerReason(code))])
  }

  @Test("can be cancelled while what was chosen is read, and leaves nothing to be waited for")
  func cancelled() {
    var booth = Booth.in(.browsing)
    booth.send(.accept, at: 3_000)
    let candidate = booth.candidate
    let effects = booth.send(.cancel, at: 4_000)
    #expect(effects.outcomes == [.cancelled])
    #expect(effects.contains(.discard(candidate)))
    #expect(booth.send(.saved(candidate), at: 5_000).isEmpty, "the late answer is nobody's")
    var other = Booth.in(.browsing)
    other.send(.accept, at: 3_000)
    other.send(.dismiss, at: 4_000)
    #expect(other.name == .idle)
  }

  @Test("fails when what was chosen cannot be read in time, having said that it is slow")
  func collectTimeout() throws {
    var booth = Booth.in(.browsing) { $0.collectTimeout = .seconds(7) }
    booth.send(.accept, at: 10_000)
    var slow = 0
    var now: Int64 = 10_000
    while booth.name == .saving, now < 60_000 {
      let timer = try #require(booth.machine.timer)
      now = timer.deadline.nanoseconds / 1_000_000
      let effects = booth.send(.timer(timer.token), at: now)
      slow += effects.contains(.announce(.saveIsSlow)) ? 1 : 0
    }
    #expect(booth.machine.state == .failed(PickerReason(.libraryUnavailable)))
    #expect(now == 17_000)
    #expect(slow == 2)
  }

  @Test("whose photos cannot be read fails")
  func unreadable() {
    var booth = Booth.in(.browsing)
    booth.send(.accept, at: 3_000)
    let reason = PickerReason(.libraryUnavailable)
    #expect(
      booth.send(.saveFailed(booth.candidate, reason), at: 4_000).outcomes == [.failed(reason)])
  }
}
