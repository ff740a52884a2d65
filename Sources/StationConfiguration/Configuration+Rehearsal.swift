import ImagePicker
import KioskServer
import PhotoLibrary

extension Configuration {
  /// Creates and drops everything that a reload hands to the station's parts.
  ///
  /// Tests call this function to check that no accepted configuration causes a crash. The function
  /// opens no file and no device.
  package func rehearse() {
    var machine = PickerMachine(
      configuration: PickerMachine.Configuration(self), conditions: .ready)
    _ = machine.handle(.begin(.init(source: .camera)), at: PickerInstant(nanoseconds: 0))
    _ = machine.handle(.shutter, at: PickerInstant(nanoseconds: 0))
    _ = KioskState.Settings(self)
    _ = LibraryKeeping(self)
    _ = BrowserConfiguration(self)
    _ = LibraryConfiguration(self)
    _ = (panelButtons, panelLamps, web.server)
    for name in [camera.device].compactMap({ $0 }) + fallback { _ = camera(named: name) }
  }
}
