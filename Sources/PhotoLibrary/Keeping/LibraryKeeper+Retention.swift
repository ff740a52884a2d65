import Platform

extension LibraryKeeper {
  // Limits of one look: copies are read before their photo is deleted, at least `few` of them, and
  // more for `readingTime`.
  private static let few = 16
  private static let readingTime = Duration.seconds(2)

  /// Deletes photos that are too old by the configuration, oldest first.
  ///
  /// Some photos are never deleted: marked ones, foreign ones, those that differ from their row,
  /// and those without a whole copy in every configured directory. The copies are read before the
  /// photo is deleted. A photo's age counts as far as ``ClockHistory`` is certain.
  func retain(_ reading: ClockReading) {
    let begin = LinuxSystemCalls().monotonicTime()
    attempt {
      let entries = try self.catalog.expired(
        self.agePlan(reading), bytes: self.keeping.keepBytes, present: self.configuration.album,
        copies: self.keeping.copies)
      let deletion = PhotoDeletion(catalog: self.catalog)
      var count = 0
      for (position, entry) in entries.enumerated() {
        // Another station may open the library after `stop()`.
        if self.isStopping.load(ordering: .relaxed) { break }
        guard try self.isAsListed(entry) else { continue }
        if !self.keeping.copies.isEmpty {
          let isLate = LinuxSystemCalls().monotonicTime() > begin + LibraryKeeper.readingTime
          if isLate, position >= LibraryKeeper.few { break }
          guard try self.isCopied(entry) else { continue }
        }
        try deletion.delete(entry, withCopies: false)
        count += 1
      }
      if count > 0 { self.log.notice("deleted old photos", [("count", "\(count)")]) }
    }
  }

  // Returns whether the file agrees with its row.
  //
  // The files are the truth, so a row that disagrees decides nothing and is read again.
  private func isAsListed(_ entry: CatalogEntry) throws(LibraryError) -> Bool {
    let photo = entry.photo
    let directory = try catalog.open(album: photo.album)
    var isGone = false
    do throws(SystemError) {
      if let file = try PhotoFile.open(photo.name, in: directory.number, system) {
        if file.bytes == photo.bytes, file.isKept == entry.isKept,
          Catalog.date(file.modified) == entry.modified
        {
          return true
        }
      } else {
        isGone = true
      }
    } catch {
      throw LibraryError(error, at: photo.path)
    }
    if isGone {
      try catalog.remove(album: photo.album, name: photo.name)
    } else {
      try catalog.add(photo, checksum: nil)
    }
    return false
  }

  // Returns whether each configured directory is present and has a whole copy.
  private func isCopied(_ entry: CatalogEntry) throws(LibraryError) -> Bool {
    var checksum = entry.checksum
    if checksum == nil { checksum = try catalog.checksum(of: entry.photo) }
    guard let checksum else { return false }
    let rows = try catalog.copyRows(of: entry)
    let copied = Set(rows.filter { $0.row == .copied }.map(\.target))
    for path in keeping.copies {
      let system = SteppedSystemCalls(system)
      do throws(MediumSilence) {
        // The target's disk may not answer, so a worker thread waits for it instead of the keeper's
        // thread.
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

  // Returns whether the directory is present, is known, and has the same bytes.
  private func isWhole(
    _ entry: CatalogEntry, _ checksum: Checksum, at path: String, knownIn targets: Set<String>,
    _ system: any SystemCalls
  ) -> Bool {
    do throws(SystemError) {
      let found = try CopyTarget.find(path, besides: catalog.root, system)
      guard let target = found, targets.contains(target.identity) else { return false }
      let condition = try target.condition(of: entry, expected: checksum)
      if condition == .changed || condition == .original { note(damaged: entry, in: target) }
      return condition == .whole
    } catch {
      log.warning("no photo is deleted for its age while \(path) cannot be read: \(error.reason)")
      return false
    }
  }

  private func note(damaged entry: CatalogEntry, in target: borrowing CopyTarget) {
    try? catalog.note(.conflict, of: entry.id, in: target.identity)
    log.warning(
      "the copy \(target.place(of: entry.photo)) is not what was saved: "
        + "move it away, and it is made again; until then the photo stays")
  }
}

/// The dates that decide about the photos' age in one look.
struct AgePlan: Sendable {
  /// The dates of the photos.
  var dates: TakenDates
  /// The limit before which photos are too old; nil if the present date is uncertain.
  ///
  /// Unit: seconds since 1970.
  var limit: Int64?
  /// The present date, if it is certain.
  ///
  /// Unit: seconds since 1970.
  var now: Int64?
}

extension Catalog {
  /// The maximum number of photos that one look deletes.
  private static let most = 100

  private struct Candidate {
    var entry: CatalogEntry
    var isPresent: Bool
    var order: TakenDates.Order

    // Photos of the current album are deleted last.
    func comes(before other: Candidate) -> Bool {
      if isPresent != other.isPresent { return !isPresent }
      if order != other.order { return order < other.order }
      let (album, another) = (FileName(entry.photo.album), FileName(other.entry.photo.album))
      if album != another { return album < another }
      return PhotoName.comes(other.entry.photo.name, before: entry.photo.name)
    }
  }

  /// Returns the photos that retention deletes now, oldest first, at most 100 of them.
  ///
  /// The order is that in which the photos were taken, independent of the catalog's rows. The lines
  /// of the clock decide it, or the files' own dates if there are no such lines.
  func expired(
    _ plan: AgePlan, bytes: Int?, present: String, copies: [String]
  ) throws(LibraryError) -> [CatalogEntry] {
    let root = root
    return try use { (database) throws(DatabaseError) in
      var surplus = 0
      if let bytes {
        let all = try database.size("number IS NOT NULL")[1]
        surplus = max(0, all - max(0, bytes))
      }
      var albums: [String] = []
      try database.rows("SELECT DISTINCT album FROM photo") {
        (row: borrowing Statement) throws(DatabaseError) in
        let album = try row.albumName(0)
        albums.append(album)
      }
      var (old, others) = ([Candidate](), [Candidate]())
      for album in albums {
        let oldest = plan.limit.map { plan.dates.highest(in: album, before: $0) } ?? 0
        guard surplus > 0 || oldest > 0 else { continue }
        // A file's own date cannot make a photo older, and a date in the future is ignored.
        var newest = Int64.min
        try database.rows(
          """
          SELECT \(CatalogEntry.columns), (SELECT count(DISTINCT target.path) FROM copy JOIN target
            ON target.id = copy.target WHERE copy.photo = photo.id AND copy.state = 1
            AND target.path IN (SELECT value FROM json_each(?)))
          FROM photo WHERE album = ? AND number <= ? ORDER BY number
          """, .text(Catalog.json(copies)), .text(album),
          .integer(surplus > 0 ? CatalogLimits.places.upperBound : oldest * 2 + 1)
        ) { (row: borrowing Statement) throws(DatabaseError) in
          let entry = try CatalogEntry(row, root: root)
          let number = entry.photo.number ?? 0
          if entry.modified <= plan.now ?? .max { newest = max(newest, entry.modified) }
          guard !entry.isKept, row.integer(13) ?? 0 >= copies.count else { return }
          let isOld = number <= oldest && newest < plan.limit ?? .min
          guard isOld || surplus > 0 else { return }
          let candidate = Candidate(
            entry: entry, isPresent: album.hasBytes(of: present),
            order: plan.dates.order(of: number, in: album, modified: newest))
          if isOld { old.append(candidate) } else { others.append(candidate) }
          if old.count > 20 * Catalog.most { old = Catalog.first(of: old) }
          if others.count > 20 * Catalog.most { others = Catalog.first(of: others) }
        }
      }
      var expired = Catalog.first(of: old).map(\.entry)
      for entry in expired { surplus -= entry.photo.bytes }
      for candidate in Catalog.first(of: others) {
        guard surplus > 0, expired.count < Catalog.most else { break }
        surplus -= candidate.entry.photo.bytes
        expired.append(candidate.entry)
      }
      return expired
    }
  }

  private static func first(of candidates: [Candidate]) -> [Candidate] {
    Array(candidates.sorted { $0.comes(before: $1) }.prefix(most))
  }

  static func json(_ paths: [String]) -> String {
    let quoted = paths.map { path in
      "\"" + path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    return "[" + quoted.joined(separator: ",") + "]"
  }
}
