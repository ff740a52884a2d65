import Capture
import Platform

extension ConfigurationKey {
  /// Returns the key for the controls of one camera, a table with the driver's names as keys.
  ///
  /// The controls are known only while the camera is open, so their values are checked then.
  static func controls(
    table: String, cameras: @escaping @Sendable (Configuration) -> [String?],
    at get: @escaping @Sendable (Configuration, String) -> Configuration.Camera,
    set: @escaping @Sendable (inout Configuration, Configuration.Camera, String) -> Void
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: "\(table).controls.*",
      form: "a number, true or false, or a menu entry's name; 'retake cameras' lists them",
      summary: "what a control of the camera is set to each time it is opened"
    ) { config, value, names throws(Refusal) in
      guard let control = names.last, control == CameraControl.name(of: control), !control.isEmpty
      else {
        throw Refusal(
          reason: "is no control's name: small letters, digits and '_', such as 'focus_absolute'")
      }
      let name = names.count > 1 ? names[0] : ""
      if names.count > 1 { try checkNames(config.cameras.keys, name) }
      var camera = get(config, name)
      try checkNames(camera.controls.keys, control)
      camera.controls[control] = try value.controlValue()
      set(&config, camera, name)
    } show: { config, names in
      let name = names.count > 1 ? names[0] : ""
      return names.last.flatMap { get(config, name).controls[$0] }.map { tomlControl($0) }
    } instances: { config in
      cameras(config).flatMap { name in
        get(config, name ?? "").controls.keys.sorted().map { (name.map { [$0] } ?? []) + [$0] }
      }
    }
  }
}

extension TOMLValue {
  func controlValue() throws(ConfigurationKey.Refusal) -> ControlValue {
    switch content {
    case .integer(let number): return .number(number)
    case .boolean(let isOn): return .boolean(isOn)
    case .string(let name) where !name.isEmpty: return .name(name)
    default:
      throw ConfigurationKey.Refusal(
        reason: "must be a whole number, true or false, or a menu entry's name, and is \(kind)")
    }
  }
}

/// Returns a control's value as TOML.
func tomlControl(_ value: ControlValue) -> String {
  switch value {
  case .number(let number): String(number)
  case .boolean(let isOn): isOn ? "true" : "false"
  case .name(let name): tomlString(name)
  }
}
