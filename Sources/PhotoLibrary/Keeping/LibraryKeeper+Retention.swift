import Glibc
import Platform

extension LibraryKeeper {
  private static let interval = Duration.seconds(60)
  // Copies are read before what they are copies of goes: some of them, and more for so long.
  private static let few = 16
  private static let readingTime = Duration.seconds(2)

  /// Deletes what the configuration says is old enough, oldest first.
  ///
  /// Never what is marked to be kept, what came from elsewhere, or what has not a whole copy in
  /// every directory that wants one; they are read before the photo goes.
  /// The clock of a booth cannot be trusted: a photo is as old as the youngest of those with lower
  /// numbers says, and no photo is too old while the clock was just set.
  func retain() {
    let now = LinuxSystemCalls().monotonicTime()
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let isDue = state.withLock { state -> Bool in
      guard now >= state.nextRetention ?? now else { return false }
      state.nextRetention = now + LibraryKeeper.interval
      return true
    }
    guard isDue else { return }
    let offset = Int64(time.tv_sec) - now.nanoseconds / 1_000_000_000
    let wasSet = state.withLock { state in
      defer { state.clockOffset = offset }
      return abs(offset - (state.clockOffset ?? offset)) > 60
    }
    attempt {
      let days = wasSet ? nil : self.keeping.keepDays
      let names = try self.catalog.expired(
        days: days, bytes: self.keeping.keepBytes, now: Int64(time.tv_sec),
        copies: self.keeping.copies)
      guard !names.isEmpty else { return }
      let deletion = PhotoDeletion(catalog: self.catalog)
      var count = 0
      for (position, entry) in names.enumerated() {
        // The library may be another station's from then on.
        if self.isStopping.load(ordering: .relaxed) { break }
        if !self.keeping.copies.isEmpty {
          let isLate = LinuxSystemCalls().monotonicTime() > now + LibraryKeeper.readingTime
          if isLate, position >= LibraryKeeper.few { break }
          guard try self.isCopied(entry) else { continue }
        }
        try deletion.delete(entry, withCopies: false)
        count += 1
      }
      if count > 0 { self.log.notice("deleted old photos", [("count", "\(count)")]) }
    }
  }

  // Whether each directory that wants copies is there now, with a whole one.
  private func isCopied(_ entry: CatalogEntry) throws(LibraryError) -> Bool {
    var checksum = entry.checksum
    if checksum == nil { checksum = try catalog.checksum(of: entry.photo) }
    guard let checksum else { return false }
    let rows = try catalog.copyRows(of: entry)
    let copied = Set(rows.filter { $0.row == .copied }.map(\.target))
    for path in keeping.copies {
      let system = SteppedSystemCalls(system)
      do throws(MediumSilence) {
        // Its disk may not answer, and the catalog's thread has other things to do.
        let hasCopy = try media.worker("retention", for: path).run(media.reading) { [self] _ in
          isWhole(entry, checksum, at: path, knownIn: copied, system)
        }
        guard hasCopy else { return false }
      } catch {
        log.warning("no photo is deleted for its age: \(LibraryError(error).message)")
        return false
      }
    }
    return true
  }

  // Whether the directory is there, known, and has the very bytes.
  private func isWhole(
    _ entry: CatalogEntry, _ checksum: Checksum, at path: String, knownIn targets: Set<String>,
    _ system: any SystemCalls
  ) -> Bool {
    do throws(SystemError) {
      guard let target = try CopyTarget.find(path, system), targets.contains(target.identity)
      else { return false }
      let condition = try target.condition(of: entry, expected: checksum)
      if condition == .changed { note(damaged: entry, in: target) }
      return condition == .whole
    } catch {
      log.warning("no photo is deleted for its age while \(path) cannot be read: \(error.reason)")
      return false
    }
  }

  private func note(damaged entry: CatalogEntry, in target: borrowing CopyTarget) {
    try? catalog.note(.conflict, of: entry.id, in: target.identity)
    log.warning(
      "the copy \(target.path)/\(entry.photo.album)/\(entry.photo.name) is not what was saved: "
        + "move it away, and it is made again; until then the photo stays")
  }
}

extension Catalog {
  /// The photos that retention deletes now, oldest first; some at a time.
  func expired(
    days: Int?, bytes: Int?, now: Int64, copies: [String]
  ) throws(LibraryError) -> [CatalogEntry] {
    let root = root
    return try use { (database) throws(DatabaseError) in
      var surplus = 0
      if let bytes {
        surplus =
          (try database.integer("SELECT sum(bytes) FROM photo WHERE number IS NOT NULL") ?? 0)
          - bytes
      }
      let limit = days.map { now - Int64(clamping: $0) * 86_400 }
      var expired: [CatalogEntry] = []
      var newest: [String: Int64] = [:]
      // Albums one after the other by their first row, which is when they were begun.
      try database.rows(
        """
        SELECT \(CatalogEntry.columns), (SELECT count(DISTINCT target.path) FROM copy JOIN target
          ON target.id = copy.target WHERE copy.photo = photo.id AND copy.state = 1
          AND target.path IN (SELECT value FROM json_each(?)))
        FROM photo WHERE number IS NOT NULL ORDER BY id
        """, .text(Catalog.json(copies))
      ) { row in
        guard expired.count < 100 else { return }
        let entry = CatalogEntry(row, root: root)
        let album = entry.photo.album
        newest[album] = max(newest[album] ?? .min, entry.modified)
        let isOld = limit.map { (newest[album] ?? .max) < $0 } ?? false
        guard isOld || surplus > 0 else { return }
        guard !entry.isKept, row.integer(13) ?? 0 >= copies.count else { return }
        surplus -= entry.photo.bytes
        expired.append(entry)
      }
      return expired
    }
  }

  private static func json(_ paths: [String]) -> String {
    let quoted = paths.map { path in
      "\"" + path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    return "[" + quoted.joined(separator: ",") + "]"
  }
}
