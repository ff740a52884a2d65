import Glibc
import Platform

/// Checks of older copies, because a stick may return with fewer files than it left with.
extension Copier {
  /// The time between two checks of all copies while their directory stays.
  static let checkInterval = Duration.seconds(15 * 60)
  // The maximum time of one part of a check.
  private static let checkTime = Duration.milliseconds(200)

  /// The progress of a check.
  struct Check: Sendable {
    /// The device number of the checked disk.
    var device: UInt
    /// The last row that was checked.
    var last: Int64 = 0
    var due: MonotonicTime
  }

  /// Checks the sizes of some copies, if a check is due; missing and truncated copies are made
  /// again.
  ///
  /// A copy that cannot be checked counts as failed, and the check goes on with the others. Returns
  /// whether the counts may have changed, and the failure that ended the check.
  func check(
    _ target: borrowing CopyTarget
  ) throws(LibraryError) -> (isNews: Bool, failure: CopyFailure?) {
    var status = stat()
    guard system.fstat(target.folder.number, &status) >= 0 else { return (false, nil) }
    let now = system.monotonicTime()
    let key = key(target.identity)
    let device = UInt(status.st_dev)
    let known = state.withLock { $0.checks[key] }
    var check = known ?? Check(device: device, due: now)
    if check.device != device { check = Check(device: device, due: now) }
    guard now >= check.due else { return (false, nil) }
    var lost = 0
    var failures = 0
    var failure: CopyFailure?
    var isOver = false
    while mayGoOn, !isOver, failure == nil, failures < Copier.maximumFailures,
      system.monotonicTime() < now + Copier.checkTime
    {
      let rows = try catalog.copied(in: target.identity, after: check.last, limit: 64)
      isOver = rows.isEmpty
      for (entry, row) in rows {
        var verdict = Verdict.fine
        do throws(SystemError) {
          verdict = try judge(entry, row, target)
          failures = 0
        } catch {
          let side: CopyFailure.Side = error.path == entry.photo.path ? .photo : .target
          let fault = CopyFailure(side, error, at: target.place(of: entry.photo))
          if fault.isCancelled { return (false, nil) }
          if fault.endsRound { failure = fault }
          failures += 1
          verdict = failure == nil ? .failed : .fine
          record(fault, key)
          if failures == 1 { log.warning("not looked at, and tried again: \(fault.words)") }
        }
        switch verdict {
        case .fine: break
        case .lost:
          try catalog.forgetCopy(of: entry.id, in: target.identity)
          lost += 1
        case .replaced: try catalog.note(.conflict, of: entry.id, in: target.identity)
        case .failed: try catalog.note(.failed, of: entry.id, in: target.identity)
        }
        // The next part of the check starts after this row.
        check.last = entry.id
        guard failure == nil, failures < Copier.maximumFailures else { break }
      }
    }
    if isOver {
      check.last = 0
      check.due = now + Copier.checkInterval
    }
    let (done, isNews) = (check, lost > 0 || isOver || failures > 0)
    state.withLock { state in
      state.checks[key] = done
      // The next run starts at the first row, which also finds copies that were away at their turn.
      if isNews { state.caughtUp[key] = nil }
    }
    if lost > 0 {
      log.warning(
        "\(lost) copies in \(target.path) are missing or cut, and are made again: unplug a stick "
          + "only some seconds after the last photo")
    }
    return (isNews, failure)
  }

  private enum Verdict {
    case fine
    case lost
    case replaced
    case failed
  }

  // Determines the state of a copy, and removes the rest of a truncated one.
  private func judge(
    _ entry: CatalogEntry, _ row: CopyRow, _ target: borrowing CopyTarget
  ) throws(SystemError) -> Verdict {
    switch (row, try target.condition(of: entry)) {
    case (_, .missing): .lost
    case (.copied, .original): .replaced
    case (_, .original): .fine
    case (.copied, .resized), (_, .resized(0)):
      try target.clear(entry, library: catalog.root, mayGoOn: { self.mayGoOn }) ? .lost : .fine
    case (.copied, .changed): .replaced
    default: .fine
    }
  }
}
