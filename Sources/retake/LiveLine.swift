import Glibc
import Platform
import Station
import Synchronization

/// The line at the bottom of the terminal: state, countdown, camera, rate, the last photo.
struct LiveLine {
  /// Whether something else was written over it.
  static let isGone = Atomic<Bool>(false)

  private var lastCount: (frames: Int, time: MonotonicTime)?
  private var rate: Double?
  private var lastText = ""
  private var shownPhotos = 0
  private var shownRefusal: String?

  /// Draws it over the one before, if it says something else.
  mutating func draw(_ status: StationStatus, now: MonotonicTime) {
    measureRate(status.camera.framesPublished, now)
    var lines = ""
    if status.photos > shownPhotos, let photo = status.lastPhoto {
      lines += "\r\u{1B}[Ksaved \(photo.path.plain)\n"
      shownPhotos = status.photos
    }
    if status.lastRefusal != shownRefusal {
      shownRefusal = status.lastRefusal
      if let text = status.lastRefusal { lines += "\r\u{1B}[K\(text.plain)\n" }
    }
    let text = fitted(describe(status, now).plain)
    let isGone = LiveLine.isGone.exchange(false, ordering: .relaxed)
    guard text != lastText || !lines.isEmpty || isGone else { return }
    lastText = text
    write(lines + "\r\u{1B}[K" + text)
  }

  private func describe(_ status: StationStatus, _ now: MonotonicTime) -> String {
    var parts = [status.state.uppercased()]
    let left = status.deadlineNanoseconds.map { Double($0 - now.nanoseconds) / 1e9 }
    switch status.state {
    case "countdown":
      if let left { parts[0] += " \(max(1, Int(left.rounded(.up))))" }
    case "reviewing":
      parts.append("a accept, r retake, c cancel")
      if let frames = status.frames {
        parts.append("frame \(frames.chosen + 1) of \(frames.offsetsMilliseconds.count): n, p")
      }
      if let left { parts.append("\(max(0, Int(left.rounded(.up)))) s left") }
    case "idle", "live":
      parts.append(status.movies?.codec == nil ? "Space: shutter" : "Space: shutter, m: movie")
    case "recording":
      let elapsed = Double(status.movies?.elapsedMilliseconds ?? 0) / 1000
      let longest = Double(status.movies?.maximumMilliseconds ?? 0) / 1000
      parts[0] += " \((elapsed * 10).rounded() / 10) of \((longest * 10).rounded() / 10) s"
      parts.append("m: stop")
    default: break
    }
    if status.camera.state == "streaming" {
      let fps = rate.map { "\((($0 * 10).rounded() / 10)) fps" } ?? "… fps"
      parts.append("\(status.camera.name) \(fps)")
    } else {
      parts.append("\(status.camera.name): \(status.camera.words)")
    }
    if status.library.state != "ok" { parts.append("library: \(status.library.state)") }
    if status.photos > 0 { parts.append("\(status.photos) saved") }
    return parts.joined(separator: "  ·  ")
  }

  // Over a second or so: at 100 ms a rate would flicker.
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

  /// Cut to the terminal's width: a line that wraps cannot be drawn over.
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
