import ImagePicker
import Platform
import StationConfiguration
import Trigger

/// The station's buttons and lamps.
///
/// The state lives on the station's loop.
actor PanelPart: LoopActor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let system: any SystemCalls
  private nonisolated let published = Published<Panel?>(nil)
  private nonisolated let flash = Published(ImagePickerController.CameraFlashMode.auto)
  private var panel: Panel? {
    didSet { published.publish(panel) }
  }
  private var scene: LampScene?

  init(loop: EventLoop, system: any SystemCalls) {
    self.loop = loop
    self.system = system
  }

  /// The state of buttons and lamps; callable from any thread.
  nonisolated var report: PanelReport { PanelReport(published.current) }

  /// The flash mode, which the next ``show(_:)`` applies; callable from any thread.
  nonisolated var flashMode: ImagePickerController.CameraFlashMode {
    get { flash.current }
    set { flash.publish(newValue) }
  }

  /// Opens the configured buttons and lamps.
  func open(_ configuration: Configuration, handler: @escaping TriggerHandler) async {
    guard !(configuration.buttons.isEmpty && configuration.lamps.isEmpty) else { return }
    let opened = Panel(configuration, loop: loop, system: system, handler: handler)
    panel = opened
    await opened.start()
  }

  /// Closes the open buttons and lamps.
  func close() async {
    let open = panel
    (panel, scene) = (nil, nil)
    await open?.stop()
  }

  /// Shows the picker's state on the lamps, and tells the buttons about a review.
  func show(_ machine: PickerMachine) {
    var scene = LampScene(machine, before: scene, now: system.monotonicTime())
    scene.isFlashAllowed = flashMode != .off
    self.scene = scene
    var isReview = false
    if case .reviewing = machine.state { isReview = true }
    panel?.show(scene, isReview: isReview)
  }
}
