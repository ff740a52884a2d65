import CLinux
import Platform

/// The keeper's knowledge of the clocks, and the schedule of retention.
extension LibraryKeeper {
  // The unit of all three intervals is seconds.
  private static let interval: Int64 = 60
  /// The time that a battery-backed clock waits for a time source to contradict it.
  private static let patience: Int64 = 900
  private static let day: Int64 = 86_400

  /// Records the clocks and applies retention, at most once a minute.
  func watch() {
    let reading = clock()
    let isDue = state.withLock { state -> Bool in
      if state.begin == nil { state.begin = reading.uptime }
      guard reading.uptime >= state.nextLook ?? reading.uptime else { return false }
      state.nextLook = reading.uptime + LibraryKeeper.interval
      return true
    }
    guard isDue else { return }
    writeDown(reading)
    guard keeping.keepDays != nil || keeping.keepBytes != nil else { return }
    retain(reading)
  }

  /// Records the date of a saved photo.
  func date(_ photo: Photo) {
    guard let number = photo.number, number <= PhotoName.highestOfOthers else { return }
    write(clock(), number: number, album: photo.album, isNew: true)
  }

  // Records albums whose photos have no line, because a power cut lost it or the file is newer.
  // Otherwise records the clocks if their reading differs from the last line.
  private func writeDown(_ reading: ClockReading) {
    attempt {
      var hasWritten = false
      for (name, number) in try self.highestNumbers() {
        let album = name.text
        let known = self.clocks.withLock { $0.highest(of: album) }
        guard number > known else { continue }
        self.write(reading, number: number, album: album)
        hasWritten = true
      }
      guard !hasWritten, self.clocks.withLock({ $0.isNews(reading) }) else { return }
      self.write(reading)
    }
  }

  private func write(
    _ reading: ClockReading, number: Int = 0, album: String = "", isNew: Bool = false
  ) {
    do throws(LibraryError) {
      // Without the mount, the line would go to the disk below.
      try AlbumFolders.checkMount(configuration)
      try clocks.withLock { (clocks) throws(LibraryError) in
        try clocks.add(reading, number: number, album: album, isNew: isNew)
      }
    } catch {
      let isNew = state.withLock { state in
        defer { state.hasToldOfClock = true }
        return !state.hasToldOfClock
      }
      if isNew {
        log.warning("when photos were taken cannot be written down: \(error.operatorMessage)")
      }
    }
  }

  // Returns the highest number of each album; a foreign file with a number above the sequence does
  // not count.
  private func highestNumbers() throws(LibraryError) -> [FileName: Int] {
    var highest = try catalog.highestNumbers()
    var promised: [FileName: Int] = [:]
    do throws(SystemError) {
      let root = try Descriptor(
        opening: configuration.root, flags: clinux_o_directory | clinux_o_path, system: system)
      for album in highest.keys {
        if case .number(let number) = try AlbumSequence.read(album.text, in: root.number, system) {
          promised[album] = number
        }
      }
    } catch {
      throw LibraryError(error, at: configuration.root)
    }
    for (album, most) in promised where most < highest[album] ?? 0 {
      highest[album] = try catalog.highestNumber(in: album.text, upTo: most)
    }
    return highest
  }

  /// Returns the dates that decide which photos are too old now.
  ///
  /// No photo is too old while the present date is uncertain, nor in the first look after the date
  /// became certain or made a step.
  func agePlan(_ reading: ClockReading) -> AgePlan {
    let history = clocks.withLock { $0.history }
    var plan = AgePlan(dates: history.dates(reading))
    guard let days = keeping.keepDays else { return plan }
    let begin = state.withLock { $0.begin } ?? reading.uptime
    let isPatient = reading.uptime - begin >= LibraryKeeper.patience
    let now = history.now(reading, mayRelyOnBattery: isPatient)
    let start = now.map { $0 - reading.uptime }
    let (isSteady, isNews) = state.withLock { state in
      defer { state.start = start }
      let isSteady =
        if let start, let before = state.start {
          abs(start - before) <= ClockHistory.smallStep
        } else { false }
      guard now == nil, isPatient, !state.hasToldOfWaiting else { return (isSteady, false) }
      state.hasToldOfWaiting = true
      return (isSteady, true)
    }
    if isNews {
      log.warning(
        "keep-days deletes nothing: the date is not certain. Connect the station to a network with "
          + "a time server, give it a battery-backed clock, or use keep-size")
    }
    guard isSteady, let now else { return plan }
    plan.now = now
    plan.limit = now - Int64(clamping: min(days, 1 << 30)) * LibraryKeeper.day
    return plan
  }
}

extension Catalog {
  /// Returns the highest number of each album.
  func highestNumbers() throws(LibraryError) -> [FileName: Int] {
    try use { (database) throws(DatabaseError) in
      var highest: [FileName: Int] = [:]
      try database.rows(
        "SELECT album, max(number) FROM photo WHERE number < ? GROUP BY album",
        .integer((PhotoName.highestOfOthers + 1) * 2)
      ) { (row: borrowing Statement) throws(DatabaseError) in
        let album = try row.albumName(0)
        let place = try row.integer(1, in: CatalogLimits.places, "a number")
        highest[FileName(album)] = place / 2
      }
      return highest
    }
  }

  /// Returns the highest number of an album that is at most `number`; 0 if there is none.
  func highestNumber(in album: String, upTo number: Int) throws(LibraryError) -> Int {
    try use { (database) throws(DatabaseError) in
      let place = try database.integer(
        "SELECT max(number) FROM photo WHERE album = ? AND number <= ?", .text(album),
        .integer(number * 2 + 1))
      return (place ?? 0) / 2
    }
  }
}
