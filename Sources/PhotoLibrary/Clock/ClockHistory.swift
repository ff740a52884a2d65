import Platform

/// When photos were taken, as far as it is certain, from the lines of `.retake.clock`.
///
/// The lines are in the order in which they were written, whatever any clock said, and the numbers
/// of an album only grow. So a photo was taken before every line that has its number or a higher
/// one. The rules for a line's date:
///
/// - **A start of the machine in which a time source set the clock**: its last such line gives the
///   date of the start, and each line's uptime gives that line's date. A wrong clock before is
///   corrected by that.
/// - **A battery-backed clock** dates lines behind the last time source and behind the last step.
/// - **Any other line** was written before the next line that has a date. That date is the latest
///   that can be true.
/// - **A line without such a line behind it** has no date, and its photos have no age.
struct ClockHistory: Sendable {
  /// A step of this many seconds, or fewer, is a clock that is being corrected.
  static let smallStep: Int64 = 60

  private(set) var lines: [ClockLine] = []
  /// Places in `lines` that lines are missing before, or that damaged ones are before.
  private var gaps: Set<Int> = []

  /// Adds what was read or written; a line that cannot follow the last one counts as damaged.
  mutating func append(_ line: ClockLine) {
    if let last = lines.last {
      guard line.index > last.index else { return addGap() }
      if line.index != last.index + 1 { addGap() }
    }
    lines.append(line)
  }

  /// Notes that something between the last line and the next one cannot be read.
  mutating func addGap() { gaps.insert(lines.count) }

  /// The index that the next line gets.
  var nextIndex: Int { (lines.last?.index ?? 0) + 1 }

  // MARK: - What is right now

  /// The present date, if it is certain: a time source vouches for it, or did since this start of
  /// the machine, or a battery-backed clock does that made no step since.
  ///
  /// `mayRely` says whether a battery-backed clock is enough.
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

  // The date of each start of the machine in which a time source set the clock.
  private func starts(_ reading: ClockReading) -> [String: Int64] {
    var starts: [String: Int64] = [:]
    for line in lines where line.reading.trust == .synchronized {
      starts[line.reading.boot] = line.reading.start
    }
    if reading.trust == .synchronized { starts[reading.boot] = reading.start }
    return starts
  }

  // MARK: - Dates

  /// Dates for all lines, as they are known now.
  func dates(_ reading: ClockReading) -> TakenDates {
    let starts = starts(reading)
    let all = lines.map(\.reading) + [reading]
    // Where battery-backed clocks begin to count.
    var boundary = gaps.max() ?? 0
    for (position, one) in all.enumerated() {
      if one.trust == .synchronized { boundary = max(boundary, position + 1) }
      guard position > 0, all[position - 1].boot == one.boot else { continue }
      if abs(all[position - 1].start - one.start) > ClockHistory.smallStep {
        boundary = max(boundary, position)
      }
    }
    // The latest that each can be, from the last to the first.
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
    // A later line is no older than those before it.
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

  // The highest number that each line can speak of: one that was given later was not there yet.
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

  /// The most lines that are kept; a line has about a hundred bytes.
  static let mostLines = 10_000

  /// A shorter history, if this one is too long: every second line of the older half is dropped.
  ///
  /// A photo whose line is dropped counts as taken when the next line was written. The steps of a
  /// clock may be among what is dropped, so no battery-backed clock vouches for an older line.
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

/// When the photos of each album were taken.
struct TakenDates: Sendable {
  /// That the photos up to a number were there.
  struct Mark: Sendable, Hashable {
    var number: Int
    /// The latest date that can be true; nil: no date is certain.
    ///
    /// Unit: seconds since 1970.
    var latest: Int64?
    /// For the order of photos only.
    ///
    /// Unit: seconds since 1970, by clocks that may be wrong.
    var order: Int64
    /// The line's place among all.
    var position: Int
    /// Whether the line was written for this very number.
    var isExact: Bool
  }

  /// What puts photos of different albums in the order in which they were taken.
  struct Order: Sendable, Hashable, Comparable {
    var time: Int64
    var position: Int
    var modified: Int64

    static func < (lhs: Order, rhs: Order) -> Bool {
      (lhs.time, lhs.position, lhs.modified) < (rhs.time, rhs.position, rhs.modified)
    }
  }

  /// By album, in the order of the lines, so that numbers and dates only grow.
  private(set) var marks: [FileName: [Mark]] = [:]

  mutating func append(_ mark: Mark, album: String) {
    marks[FileName(album), default: []].append(mark)
  }

  /// The highest number of which it is certain that its photo was taken before a date; 0: none.
  func highest(in album: String, before date: Int64) -> Int {
    var highest = 0
    for mark in marks[FileName(album)] ?? [] {
      guard let latest = mark.latest, latest < date else { break }
      highest = max(highest, mark.number)
    }
    return highest
  }

  /// Where a photo stands in the order of all.
  ///
  /// `modified` is the latest date of the files with its number or a lower one.
  func order(of number: Int, in album: String, modified: Int64) -> Order {
    let marks = marks[FileName(album)] ?? []
    // The first that has the number or a higher one.
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
