import Platform
import StationConfiguration

/// The configuration that is in use, the one that waits, and what is wrong with either.
///
/// Its state lives on the station's loop; ``current`` is for other threads.
actor StationSettings: LoopActor {
  /// How the configuration stands.
  struct View: Sendable {
    /// What the station works with.
    var configuration: Configuration
    /// Read again, and waiting for the end of the session.
    var next: Configuration?
    /// What is wrong with the configuration, in words; nothing is opened while that is so.
    var problem: String?
    /// What is wrong with the one that was read last, while the one before stays in use.
    var refused: String?
  }

  /// One configuration in the place of another.
  struct Change: Sendable {
    var old: Configuration
    var new: Configuration
    /// Whether nothing was opened with the old one, since it was wrong.
    var isFirst: Bool
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let published: Published<View>
  private var view: View {
    didSet { published.publish(view) }
  }

  init(_ configuration: Configuration, loop: EventLoop) {
    self.loop = loop
    view = View(configuration: configuration)
    published = Published(View(configuration: configuration))
  }

  /// How it stands, from any thread.
  nonisolated var current: View { published.current }

  /// Has `next` used from the next session on.
  func propose(_ next: Configuration) { view.next = next }

  /// Has what was read used from the next session on; what was refused before is forgotten.
  func accept(_ read: Configuration) {
    view.next = read
    view.refused = nil
  }

  /// Notes what is wrong with what was read.
  ///
  /// Returns whether the station waits for another configuration, of which that is told then.
  func refuse(_ problem: String) -> Bool {
    guard view.problem != nil else {
      view.refused = problem
      return false
    }
    // What was wrong at the start may be wrong in another way now.
    view.problem = problem
    return true
  }

  /// Has everything wait for another configuration.
  func wait(because problem: String) { view.problem = problem }

  /// Brings the configuration that waits into use; nil: none does.
  func takeNext() -> Change? {
    guard let next = view.next else { return nil }
    let change = Change(old: view.configuration, new: next, isFirst: view.problem != nil)
    view = View(configuration: next, refused: view.refused)
    return change
  }
}
