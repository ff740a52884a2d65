import Platform

/// The dates of photos, as far as they are certain, from the lines of `.retake.clock`.
///
/// The lines are in the order in which they were written, whatever any clock said, and the numbers
/// of an album only grow. So a photo was taken before every line that has its number or a higher
/// one. The rules for a line's date:
///
/// - **A start of the machine in which a time source set the clock**: The last such line gives the
///   date of the start, and each line's uptime gives that line's date. This corrects a wrong clock
///   in earlier lines of the same start.
/// - **A battery-backed clock**: It dates the lines after the last time source and the last step.
/// - **Any other line**: The line was written before the next line that has a date. That date is
///   the latest possible one.
/// - **A line without such a line after it**: The line has no date, and its photos have no age.
struct ClockHistory: Sendable {
  /// The largest step, in seconds, that counts as the correction of a running clock.
  static let smallStep: Int64 = 60

  private(set) var lines: [ClockLine] = []
  /// Positions in `lines` before which lines are missing or damaged.
  private var gaps: Set<Int> = []

  /// Appends a line; a line that cannot follow the last one counts as damaged.
  mutating func append(_ line: ClockLine) {
    if let last = lines.last {
      guard line.index > last.index else { return addGap() }
      if line.index != last.index + 1 { addGap() }
    }
    lines.append(line)
  }

  /// Records that something between the last line and the next one cannot be read.
  mutating func addGap() { gaps.insert(lines.count) }

  /// The index of the next line.
  var nextIndex: Int { (lines.last?.index ?? 0) + 1 }

  // MARK: - What is right now

  /// Returns the present date if it is certain, else nil.
  ///
  /// The date is certain if a time source vouches for it, or did so since this start of the
  /// machine. With `mayRelyOnBattery` a battery-backed clock that made no step since is enough.
  ///
  /// Unit: seconds since 1970.
  func now(_ reading: ClockReading, mayRelyOnBattery: Bool) -> Int64? {
    if let start = starts(reading)[reading.boot] { return start + reading.uptime }
    guard reading.trust == .battery, mayRelyOnBattery else { return nil }
    let isSteady = lines.allSatisfy { line in
      line.reading.boot != reading.boot
        || abs(line.reading.start - reading.start) <= ClockHistory.smallStep
    }
    return isSteady && gaps.allSatisfy({ $0 < lines.count }) ? reading.time : nil
  }

  // Returns the date of each start of the machine in which a time source set the clock.
  private func starts(_ reading: ClockReading) -> [String: Int64] {
    var starts: [String: Int64] = [:]
    for line in lines where line.reading.trust == .synchronized {
      starts[line.reading.boot] = line.reading.start
    }
    if reading.trust == .synchronized { starts[reading.boot] = reading.start }
    return starts
  }

  // MARK: - Dates

  /// Returns the dates of all lines, as they are known now.
  func dates(_ reading: ClockReading) -> TakenDates {
    let starts = starts(reading)
    let all = lines.map(\.reading) + [reading]
    // The first line that a battery-backed clock may date.
    var boundary = gaps.max() ?? 0
    for (position, one) in all.enumerated() {
      if one.trust == .synchronized { boundary = max(boundary, position + 1) }
      guard position > 0, all[position - 1].boot == one.boot else { continue }
      if abs(all[position - 1].start - one.start) > ClockHistory.smallStep {
        boundary = max(boundary, position)
      }
    }
    // The latest possible date of each line, from the last line to the first.
    var latest = [Int64?](repeating: nil, count: all.count)
    var following: Int64?
    for position in all.indices.reversed() {
      let one = all[position]
      if let start = starts[one.boot] {
        following = start + one.uptime
      } else if one.trust == .battery, position >= boundary {
        following = one.time
      }
      latest[position] = following
    }
    // A later line is at least as new as those before it.
    var (dates, newest, order) = (TakenDates(), Int64.min, Int64.min)
    var ceilings = ceilings()
    for (position, line) in lines.enumerated() {
      if let date = latest[position] {
        newest = max(newest, date)
        order = max(order, newest)
      } else {
        order = max(order, line.reading.time)
      }
      guard line.number > 0 else { continue }
      let number = min(line.number, ceilings[position])
      dates.append(
        TakenDates.Mark(
          number: number, latest: latest[position].map { _ in newest }, order: order,
          position: position, isExact: line.isNew && number == line.number),
        album: line.album)
    }
    ceilings = []
    return dates
  }

  // Returns the highest number that each line can mean; a higher one was given later.
  private func ceilings() -> [Int] {
    var (result, lowest) = ([Int](repeating: .max, count: lines.count), [FileName: Int]())
    for position in lines.indices.reversed() where lines[position].number > 0 {
      let line = lines[position]
      result[position] = lowest[FileName(line.album)] ?? .max
      lowest[FileName(line.album)] = min(result[position], line.number - 1)
    }
    return result
  }

  // MARK: - Keeping it small

  /// The maximum number of lines; a line has about a hundred bytes.
  static let mostLines = 10_000

  /// Returns a shorter history without every second line of the older half, if this one is too
  /// long.
  ///
  /// A photo whose line is dropped counts as taken when the next line was written. The dropped
  /// lines may include steps of a clock, so the older lines no longer rely on a battery-backed
  /// clock.
  func thinned() -> ClockHistory? {
    guard lines.count > ClockHistory.mostLines else { return nil }
    let half = lines.count / 2
    var result = ClockHistory()
    for (position, line) in lines.enumerated() {
      var line = line
      if position < half {
        let isLastOfStart = lines[position + 1].reading.boot != line.reading.boot
        guard isLastOfStart || position % 2 == 1 else { continue }
        if line.reading.trust == .battery { line.reading.trust = .none }
      }
      if gaps.contains(position) { result.addGap() }
      line.index = result.nextIndex
      result.append(line)
    }
    return result
  }
}

/// The dates of the photos of each album.
struct TakenDates: Sendable {
  /// A line's statement that the photos up to a number existed.
  struct Mark: Sendable, Hashable {
    var number: Int
    /// The latest possible date; nil if no date is certain.
    ///
    /// Unit: seconds since 1970.
    var latest: Int64?
    /// A date for the order of photos only.
    ///
    /// Unit: seconds since 1970, by clocks that may be wrong.
    var order: Int64
    /// The line's position among all.
    var position: Int
    /// Whether the line was written for this very number.
    var isExact: Bool
  }

  /// The order in which photos of different albums were taken.
  struct Order: Sendable, Hashable, Comparable {
    var time: Int64
    var position: Int
    var modified: Int64

    static func < (lhs: Order, rhs: Order) -> Bool {
      (lhs.time, lhs.position, lhs.modified) < (rhs.time, rhs.position, rhs.modified)
    }
  }

  /// The marks by album, in the order of the lines, so that numbers and dates only grow.
  private(set) var marks: [FileName: [Mark]] = [:]

  mutating func append(_ mark: Mark, album: String) {
    marks[FileName(album), default: []].append(mark)
  }

  /// Returns the highest number whose photo was certainly taken before a date; 0 if there is none.
  func highest(in album: String, before date: Int64) -> Int {
    var highest = 0
    for mark in marks[FileName(album)] ?? [] {
      guard let latest = mark.latest, latest < date else { break }
      highest = max(highest, mark.number)
    }
    return highest
  }

  /// Returns a photo's position in the order of all.
  ///
  /// `modified` is the latest date of the files with its number or a lower one.
  func order(of number: Int, in album: String, modified: Int64) -> Order {
    let marks = marks[FileName(album)] ?? []
    // Finds the first mark that has the number or a higher one.
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].number < number { low = middle + 1 } else { high = middle }
    }
    let before = low > 0 ? marks[low - 1] : nil
    guard low < marks.count else {
      return Order(
        time: max(modified, before?.order ?? .min), position: before?.position ?? -1,
        modified: modified)
    }
    let mark = marks[low]
    if mark.isExact, mark.number == number {
      return Order(time: mark.order, position: mark.position, modified: modified)
    }
    return Order(
      time: max(before?.order ?? .min, min(modified, mark.order)),
      position: before?.position ?? -1, modified: modified)
  }
}
