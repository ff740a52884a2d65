import Platform
import StationConfiguration

/// The configuration in use, the next one, and the faults of either.
///
/// The state lives on the station's loop; ``current`` serves other threads.
actor StationSettings: LoopActor {
  /// The state that other threads see.
  struct View: Sendable {
    /// The configuration in use.
    var configuration: Configuration
    /// A configuration that was read again and is used after the present session.
    var next: Configuration?
    /// The fault of the configuration, in words; while there is one, the station opens nothing.
    var problem: String?
    /// The fault of the last reload, after which the previous configuration stays in use.
    var refused: String?
  }

  /// The replacement of a configuration by another.
  struct Change: Sendable {
    var old: Configuration
    var new: Configuration
    /// Whether the old configuration was faulty, so that nothing was opened with it.
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

  /// The state as last published; callable from any thread.
  nonisolated var current: View { published.current }

  /// Uses `next` from the next session on.
  func propose(_ next: Configuration) { view.next = next }

  /// Uses `read` from the next session on, and clears the fault of the last reload.
  func accept(_ read: Configuration) {
    view.next = read
    view.refused = nil
  }

  /// Records the fault of a configuration that was read again.
  ///
  /// Returns whether the station still waits for a first usable configuration; then the fault
  /// replaces the earlier one.
  func refuse(_ problem: String) -> Bool {
    guard view.problem != nil else {
      view.refused = problem
      return false
    }
    // The fault at the start may have been replaced by another fault.
    view.problem = problem
    return true
  }

  /// Makes the station wait for another configuration.
  func wait(because problem: String) { view.problem = problem }

  /// Brings the next configuration into use; returns `nil` when there is none.
  func takeNext() -> Change? {
    guard let next = view.next else { return nil }
    let change = Change(old: view.configuration, new: next, isFirst: view.problem != nil)
    view = View(configuration: next, refused: view.refused)
    return change
  }
}
