import Glibc
import Platform
import Station
import Synchronization
import Trigger

/// The line at the bottom of the terminal, with state, keys, rate and number of saved photos.
///
/// Events appear above the line, each once: the camera in use, saved photos, and the reason for a
/// press without an effect.
struct LiveLine {
  private var lastCount: (frames: Int, time: MonotonicTime)?
  private var rate: Double?
  private var lastText = ""
  private var shownPhotos = 0
  private var shownCamera: String?
  private var shownRefusal: String?

  /// Draws the line over the previous one, if its text has changed.
  mutating func draw(_ status: StationStatus, now: MonotonicTime) {
    measureRate(status.camera.framesPublished, now)
    var lines: [String] = []
    if let mode = status.camera.mode, status.camera.state == "streaming" {
      let camera = "using \(status.camera.name), \(mode)"
      if camera != shownCamera { lines.append(camera) }
      shownCamera = camera
    }
    if status.photos > shownPhotos, let photo = status.lastPhoto {
      lines.append("saved \(photo.path)")
      shownPhotos = status.photos
    }
    let (answers, isGone) = Told.take()
    for answer in answers { lines += words(of: answer, status) }
    if status.lastRefusal != shownRefusal {
      shownRefusal = status.lastRefusal
      if let text = status.lastRefusal, Told.isNew(text) { lines.append(text) }
    }
    let text = fitted(describe(status, now).plain)
    guard text != lastText || !lines.isEmpty || isGone else { return }
    lastText = text
    write(lines.map { "\r\u{1B}[K\($0.plain)\n" }.joined() + "\r\u{1B}[K" + text)
  }

  /// Returns the lines for a key that did nothing.
  private func words(
    of answer: TerminalTrigger.Answer, _ status: StationStatus
  ) -> [String] {
    guard let reply = answer.reply else {
      let key = answer.key.map { "the key \($0)" } ?? "that key"
      return ["\(key) does nothing; \(keys(status).joined(separator: ", "))"]
    }
    guard !reply.isAccepted else { return [] }
    // A reason that the terminal has shown already is not repeated.
    return [Told.isNew(reply.text) ? reply.text : "refused, for the reason above"]
  }

  /// Returns the keys that have an effect in the present state.
  private func keys(_ status: StationStatus) -> [String] {
    let hasMovies = status.movies?.codec != nil
    var keys: [String]
    switch status.state {
    case "idle", "finished", "cancelled", "failed":
      keys = ["Space: photo"] + (hasMovies ? ["m: movie"] : [])
    case "live": keys = ["Space: photo"] + (hasMovies ? ["m: movie"] : []) + ["c: cancel"]
    case "recording": keys = ["m: stop", "c: cancel"]
    case "reviewing":
      keys = ["a: accept", "r: retake", "c: cancel"] + (status.frames == nil ? [] : ["n/p: frame"])
    case "countdown", "capturing", "browsing", "editing": keys = ["c: cancel"]
    default: keys = []
    }
    return keys + ["q: quit"]
  }

  private func describe(_ status: StationStatus, _ now: MonotonicTime) -> String {
    var parts = [status.state.uppercased()]
    let left = status.deadlineNanoseconds.map { Double($0 - now.nanoseconds) / 1e9 }
    switch status.state {
    case "countdown":
      if let left { parts[0] += " \(max(1, Int(left.rounded(.up))))" }
    case "reviewing":
      if let left { parts[0] += " \(max(0, Int(left.rounded(.up)))) s" }
      if let frames = status.frames {
        parts[0] += ", \(frames.chosen + 1) of \(frames.offsetsMilliseconds.count)"
      }
    case "recording":
      let elapsed = Double(status.movies?.elapsedMilliseconds ?? 0) / 1000
      let longest = Double(status.movies?.maximumMilliseconds ?? 0) / 1000
      parts[0] += " \((elapsed * 10).rounded() / 10) of \((longest * 10).rounded() / 10) s"
    default: break
    }
    parts.append(keys(status).joined(separator: ", "))
    if status.camera.state == "streaming" {
      parts.append(rate.map { "\((($0 * 10).rounded() / 10)) fps" } ?? "… fps")
    } else {
      parts.append("\(status.camera.name): \(status.camera.words)")
    }
    if status.library.state != "ok" { parts.append("library: \(status.library.state)") }
    if status.photos > 0 { parts.append("\(status.photos) saved") }
    return parts.joined(separator: "  ·  ")
  }

  // The rate is measured over at least a second, since a rate of 100 ms would flicker.
  private mutating func measureRate(_ frames: Int, _ now: MonotonicTime) {
    guard let last = lastCount else {
      lastCount = (frames, now)
      return
    }
    let time = now - last.time
    guard time >= .seconds(1) else { return }
    rate = Double(frames - last.frames) * 1e9 / Double(time.nanoseconds)
    lastCount = (frames, now)
  }

  /// Cuts the text to the terminal's width, since a wrapped line cannot be drawn over.
  private func fitted(_ text: String) -> String {
    var size = winsize()
    let width = ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1 ? Int(size.ws_col) : 80
    return String(text.prefix(width - 1))
  }

  private func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(1, $0.baseAddress, $0.count) }
  }
}

/// The texts that the terminal has shown above the live line, and the replies to be shown.
enum Told {
  private struct State {
    var texts: [String] = []
    var answers: [TerminalTrigger.Answer] = []
    var isGone = false

    mutating func add(_ text: String) { texts = texts.suffix(15) + [text] }
  }

  private static let state = Mutex(State())
  private static let most = 16

  /// Records a text that was written over the live line.
  static func note(_ text: String) {
    state.withLock { state in
      state.isGone = true
      state.add(text)
    }
  }

  /// Records the reply to a key; drops it when too many replies wait.
  static func add(_ answer: TerminalTrigger.Answer) {
    state.withLock { if $0.answers.count < most { $0.answers.append(answer) } }
  }

  /// Removes and returns the waiting replies, and whether the live line was written over.
  static func take() -> (answers: [TerminalTrigger.Answer], isGone: Bool) {
    state.withLock { state in
      defer { (state.answers, state.isGone) = ([], false) }
      return (state.answers, state.isGone)
    }
  }

  /// Returns whether `text` is in none of the last texts, and records it.
  static func isNew(_ text: String) -> Bool {
    state.withLock { state in
      if state.texts.contains(where: { $0.contains(text) }) { return false }
      state.add(text)
      return true
    }
  }
}
