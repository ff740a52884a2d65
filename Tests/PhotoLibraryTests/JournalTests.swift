import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

struct JournalTests {
  private func line(
    _ event: SessionRecord.Event, _ session: UInt64?, day: Int = 0,
    _ change: (inout SessionRecord) -> Void = { _ in }
  ) -> SessionRecord {
    var record = SessionRecord(
      event: event, run: "0000abcd", session: session,
      time: 1_796_000_000_000 + Int64(day) * 86_400_000, uptime: 12)
    change(&record)
    return record
  }

  private func append(_ sandbox: Sandbox, _ records: [SessionRecord]) throws {
    let journal = try SessionJournal.open(root: sandbox.root, sandbox.system)
    for record in records { try journal.append(record) }
  }

  @Test("every press is accounted for, day by day, also one that a power cut ended")
  func counts() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open()
    try append(
      sandbox,
      [
        line(.began, 1),
        line(.ended, 1) {
          ($0.outcome, $0.by, $0.retakes, $0.delta) = (.saved, .guest, 2, -3.5)
        },
        line(.began, 2), line(.ended, 2) { ($0.outcome, $0.by) = (.saved, .timeout) },
        line(.began, 3), line(.ended, 3) { ($0.outcome, $0.by) = (.cancelled, .timeout) },
        line(.began, 4),
        line(.began, 1, day: 1) { $0.run = "0000abce" },
        line(.ended, 1, day: 1) {
          ($0.run, $0.outcome, $0.reason) = ("0000abce", .failed, "captureFailed")
        },
        line(.refused, nil, day: 1) { $0.reason = "storageFull" },
      ])
    let statistics = try SessionStatistics(root: sandbox.root)
    #expect(statistics.days.map(\.day) == ["2026-11-30", "2026-12-01"])
    var first = SessionStatistics.Day(day: "2026-11-30")
    (first.sessions, first.saved, first.savedByTimeout, first.retakes) = (4, 2, 1, 2)
    (first.cancelled, first.cancelledByTimeout, first.interrupted) = (1, 1, 1)
    #expect(statistics.days.first == first)
    let total = statistics.total
    #expect(total.sessions == 5)
    #expect(total.failed == 1)
    #expect(total.refused == 1)
    #expect(total.reasons == ["captureFailed": 1, "storageFull": 1])
    #expect(statistics.tornLines == 0)
  }

  @Test("a line torn at any byte costs that line only")
  func torn() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open()
    try append(sandbox, [line(.began, 1), line(.refused, nil)])
    let path = SessionJournal.path(sandbox.root)
    let whole = try Sandbox.read(path)
    let first = try #require(whole.firstIndex(of: 0x0A))
    for cut in (first + 1)..<whole.count {
      for tail in [[], [UInt8](repeating: 0, count: 100)] {
        try Sandbox.write(Array(whole[..<cut]) + tail, to: path)
        try append(sandbox, [line(.began, 2)])
        let statistics = try SessionStatistics(root: sandbox.root)
        #expect(statistics.total.sessions == 2, "cut at \(cut)")
        #expect(statistics.tornLines <= 1)
      }
    }
  }

  @Test("a line that cannot be written is an error, and the next is whole")
  func fails() throws {
    for (call, error) in [("write", ENOSPC), ("fdatasync", EIO), ("open", EROFS)] {
      let sandbox = try Sandbox()
      _ = try sandbox.open()
      sandbox.system.shortenWrites(to: 20)
      sandbox.system.fail(call, at: call == "write" ? 3 : 1, with: error)
      #expect(code { try append(sandbox, [line(.began, 1)]) } != nil, "\(call)")
      sandbox.system.heal()
      try append(sandbox, [line(.began, 2)])
      let statistics = try SessionStatistics(root: sandbox.root)
      #expect(statistics.total.sessions == (call == "fdatasync" ? 2 : 1), "\(call)")
    }
  }

  @Test("days are those of the calendar")
  func days() {
    let expected: [(Int64, String)] = [
      (0, "1970-01-01"), (-1, "1969-12-31"), (951_782_400, "2000-02-29"),
      (1_709_164_800, "2024-02-29"), (1_709_251_200, "2024-03-01"), (4_102_444_799, "2099-12-31"),
    ]
    for (seconds, name) in expected { #expect(SessionStatistics.name(seconds * 1000) == name) }
    _ = SessionStatistics.name(.max)
    _ = SessionStatistics.name(.min)
  }
}
