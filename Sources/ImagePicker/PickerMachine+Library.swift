// Choosing and cropping photos of a library.
extension PickerMachine {
  mutating func select(_ item: ItemID, _ turn: inout Turn) {
    guard case .browsing(var choices) = state, let session else { return }
    guard !choices.contains(where: { $0.item == item }) else { return extend(&turn) }
    guard make(room: &choices, limit: session.request.selectionLimit) else {
      return turn.emit(.refuse(PickerReason(.selectionLimitReached)))
    }
    choices.append(PickerChoice(item: item))
    browse(choices, &turn)
  }

  mutating func deselect(_ item: ItemID, _ turn: inout Turn) {
    switch state {
    case .browsing(var choices):
      choices.removeAll { $0.item == item }
      browse(choices, &turn)
    case .editing(let edited, let edit, var choices):
      choices.removeAll { $0.item == item }
      if edited == item { return browse(choices, &turn) }
      let next = State.editing(item: edited, edit: edit, choices: choices)
      enter(next, deadline: leaving(after: .zero, from: turn.now), &turn)
    default: return
    }
  }

  mutating func openEditor(_ item: ItemID, _ turn: inout Turn) {
    guard case .browsing(let choices) = state, let session, session.request.allowsEditing else {
      return
    }
    let chosen = choices.first { $0.item == item }
    var others = choices
    guard chosen != nil || make(room: &others, limit: session.request.selectionLimit) else {
      return turn.emit(.refuse(PickerReason(.selectionLimitReached)))
    }
    let next = State.editing(item: item, edit: chosen?.edit, choices: choices)
    enter(next, deadline: leaving(after: .zero, from: turn.now), &turn)
  }

  mutating func back(_ turn: inout Turn) {
    guard case .editing(_, _, let choices) = state else { return }
    browse(choices, &turn)
  }

  /// Returns to the library with the edited item chosen, which keeps its position in the order.
  mutating func keep(
    _ item: ItemID, _ edit: PickerEdit?, _ choices: [PickerChoice], _ turn: inout Turn
  ) {
    var choices = choices
    if let index = choices.firstIndex(where: { $0.item == item }) {
      choices[index].edit = edit
    } else {
      guard make(room: &choices, limit: session?.request.selectionLimit ?? 0) else { return }
      choices.append(PickerChoice(item: item, edit: edit))
    }
    browse(choices, &turn)
  }

  mutating func confirm(_ choices: [PickerChoice], _ turn: inout Turn) {
    guard let session else { return }
    if choices.isEmpty { return turn.emit(.refuse(PickerReason(.nothingSelected))) }
    let candidate = newCandidate()
    collectEnd = turn.now.advanced(by: max(.seconds(1), configuration.collectTimeout))
    enter(.saving(candidate, slow: false), deadline: slowDeadline(from: turn.now), &turn)
    turn.emit(.collect(candidate, session: session.id, choices: choices))
  }

  mutating func choose(_ choices: [PickerChoice], _ turn: inout Turn) {
    guard case .browsing = state, let session else { return }
    let limit = session.request.selectionLimit
    if choices.isEmpty { return end(.failed(PickerReason(.nothingSelected)), &turn) }
    if limit > 0, choices.count > limit {
      return end(.failed(PickerReason(.selectionLimitReached)), &turn)
    }
    confirm(choices, &turn)
  }

  private mutating func browse(_ choices: [PickerChoice], _ turn: inout Turn) {
    enter(.browsing(choices), deadline: leaving(after: .zero, from: turn.now), &turn)
  }

  /// Returns whether one more item may be chosen.
  ///
  /// With a limit of one, this removes the old choice so that the new one replaces it.
  private func make(room choices: inout [PickerChoice], limit: Int) -> Bool {
    if limit == 1 { choices.removeAll() }
    return limit <= 0 || choices.count < limit
  }
}
