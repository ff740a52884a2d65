import Glibc
import Synchronization
import Testing

@testable import Platform

@Suite struct JournalTests {
  @Test(
    "only the stream that systemd connected is the journal",
    arguments: [
      ("8:1234", true), ("8:1235", false), ("9:1234", false), ("8", false), ("", false),
      ("8:1234:5", false), ("x:y", false),
    ])
  func onlyTheStreamThatSystemdConnectedIsTheJournal(variable: String, isJournal: Bool) {
    #expect(Log.isJournal(variable, device: 8, inode: 1234) == isJournal)
  }

  @Test("without the variable there is no journal") func withoutTheVariableThereIsNoJournal() {
    #expect(!Log.isJournal(nil, device: 0, inode: 0))
  }

  @Test("a line is readable alone and its fields are named")
  func aLineIsReadableAloneAndItsFieldsAreNamed() {
    let lines = Log.journalFields(
      .warning, "station", "not saved", [("session", "7"), ("delta_ms", "1.5"), ("a-ö", "x=y")])
    #expect(
      lines == [
        "MESSAGE=not saved", "PRIORITY=4", "SYSLOG_IDENTIFIER=retake", "RETAKE_CATEGORY=station",
        "RETAKE_SESSION=7", "RETAKE_DELTA_MS=1.5", "RETAKE_A___=x=y",
      ])
  }

  @Test("a field's name stays within what the journal takes")
  func aFieldsNameStaysWithinWhatTheJournalTakes() {
    let lines = Log.journalFields(
      .info, "x", "y", [(String(repeating: "n", count: 200), "v")])
    let name = lines.last.map { $0.prefix { $0 != "=" } } ?? ""
    #expect(name.utf8.count == 64)
  }

  @Test("without systemd nothing is handed over") func withoutSystemdNothingIsHandedOver() {
    #expect(ServiceManager.listeners() == [])
    #expect(ServiceManager.current == nil)
  }

  @Test("what is said is in the words of systemd") func whatIsSaidIsInTheWordsOfSystemd() {
    let said = Said()
    let manager = ServiceManager { said.add($0) }
    manager.isReady("works")
    manager.beat()
    manager.show("still works")
    manager.isStopping()
    #expect(
      said.all == [
        "READY=1\nSTATUS=works", "WATCHDOG=1", "STATUS=still works",
        "STOPPING=1\nSTATUS=stopping",
      ])
  }

  private final class Said: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }
}
