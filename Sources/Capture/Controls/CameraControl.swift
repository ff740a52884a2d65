/// A setting of a camera, such as exposure, white balance or focus.
public struct CameraControl: Equatable, Sendable {
  /// The kind of values that a control takes; the raw value is its name in JSON.
  public enum Kind: String, Sendable, CaseIterable {
    /// A whole number.
    case integer
    /// On or off.
    case boolean
    /// One of ``CameraControl/items``.
    case menu
    /// One of ``CameraControl/items``, whose names are numbers.
    case integerMenu = "integer-menu"
    /// A set of bits.
    case bitmask
    /// A control without a value; setting it triggers an action.
    case button
    /// A control that one number cannot set: a 64-bit number, text, an array.
    case other
  }

  /// An entry of a menu.
  public struct Item: Equatable, Sendable {
    /// The number of the entry.
    public var value: Int64
    /// The driver's name of the entry.
    public var name: String

    /// Creates an entry.
    public init(value: Int64, name: String) {
      self.value = value
      self.name = name
    }
  }

  /// The kernel's number of the control.
  public var id: UInt32
  /// The name in configurations, such as `white_balance_temperature`.
  public var name: String
  /// The names of the same control in other kernel versions.
  public var otherNames: [String]
  /// The driver's name of the control, such as `White Balance Temperature`.
  public var text: String
  /// The kind of values that the control takes.
  public var kind: Kind
  /// The minimum value.
  public var minimum: Int64
  /// The maximum value.
  public var maximum: Int64
  /// The difference between neighbouring values.
  public var step: UInt64
  /// The value after power-on.
  public var usual: Int64
  /// The entries of a menu.
  public var items: [Item]
  /// The current value; nil if it cannot be read.
  public var value: Int64?
  /// Whether the control is read-only.
  public var isReadOnly: Bool
  /// Whether another control, such as an automatic one, currently disables this control's effect.
  public var isInactive: Bool

  /// Creates a control.
  public init(
    id: UInt32, text: String, kind: Kind, minimum: Int64 = 0, maximum: Int64 = 0, step: UInt64 = 1,
    usual: Int64 = 0, items: [Item] = [], value: Int64? = nil, isReadOnly: Bool = false,
    isInactive: Bool = false
  ) {
    self.id = id
    self.text = text
    self.kind = kind
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.usual = usual
    self.items = items
    self.value = value
    self.isReadOnly = isReadOnly
    self.isInactive = isInactive
    let name = CameraControl.name(of: text)
    self.name = name
    otherNames = (CameraControl.renamed[id] ?? []).filter { $0 != name }
  }

  /// Returns a driver's text as a name of lower-case letters and digits, with every run of other
  /// characters replaced by one `_`.
  public static func name(of text: String) -> String {
    var name = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x30...0x39, 0x61...0x7A: name.unicodeScalars.append(scalar)
      case 0x41...0x5A: name += String(scalar).lowercased()
      default: if !name.isEmpty, !name.hasSuffix("_") { name += "_" }
      }
    }
    while name.hasSuffix("_") { name.removeLast() }
    return name
  }

  // Linux 5.18 renamed these controls, and a configuration should work with both names.
  private static let renamed: [UInt32: [String]] = [
    0x0098_090C: ["white_balance_temperature_auto", "white_balance_automatic"],
    0x0098_0912: ["autogain", "gain_automatic"],
    0x0098_0919: ["hue_auto", "hue_automatic"],
    0x009A_0901: ["exposure_auto", "auto_exposure"],
    0x009A_0902: ["exposure_absolute", "exposure_time_absolute"],
    0x009A_0903: ["exposure_auto_priority", "exposure_dynamic_framerate"],
    0x009A_090A: ["focus_absolute"],
    0x009A_090C: ["focus_auto", "focus_automatic_continuous"],
  ]

  /// Returns whether `name` is a name of this control.
  func isNamed(_ name: String) -> Bool { self.name == name || otherNames.contains(name) }
}

extension CameraControl {
  /// The accepted values in words, such as `from 2800 to 6500 in steps of 10`.
  public var range: String {
    switch kind {
    case .integer:
      return "from \(minimum) to \(maximum)" + (step > 1 ? " in steps of \(step)" : "")
    case .boolean: return "true or false"
    case .menu, .integerMenu:
      return items.map { "\($0.value) (\($0.name))" }.joined(separator: ", ")
    case .bitmask: return "bits of 0x" + String(maximum, radix: 16)
    case .button: return "true, which does it"
    case .other: return "cannot be set here"
    }
  }

  /// Returns the number for the driver; throws an error that states the accepted values.
  func number(for wanted: ControlValue) throws(CaptureError) -> Int64 {
    if isReadOnly { throw refusal("can only be read") }
    switch (kind, wanted) {
    case (.integer, .number(let number)) where (minimum...max(minimum, maximum)).contains(number):
      return rounded(number)
    case (.boolean, .boolean(let isOn)), (.button, .boolean(let isOn)): return isOn ? 1 : 0
    case (.boolean, .number(let number)) where number == 0 || number == 1: return number
    case (.menu, .number(let number)), (.integerMenu, .number(let number)):
      if items.contains(where: { $0.value == number }) { return number }
    case (.menu, .name(let name)), (.integerMenu, .name(let name)):
      if let item = item(named: name) { return item.value }
    case (.bitmask, .number(let number)) where number >= 0 && number & ~maximum == 0: return number
    case (.other, _): throw refusal("cannot be set here")
    default: break
    }
    let list = kind == .menu || kind == .integerMenu ? "one of " : ""
    throw refusal("must be \(list)\(range), and is \(wanted)")
  }

  private func refusal(_ words: String) -> CaptureError {
    CaptureError(.badControl, "the camera's control '\(name)' \(words)", control: name)
  }

  // Drivers round differently, so they get a value that needs no rounding.
  private func rounded(_ number: Int64) -> Int64 {
    guard step > 1, let step = Int64(exactly: step) else { return number }
    let (distance, overflow) = number.subtractingReportingOverflow(minimum)
    guard !overflow else { return number }
    let rest = distance % step
    guard rest > 0 else { return number }
    let lower = number - rest
    guard rest > step / 2, lower <= maximum - step else { return lower }
    return lower + step
  }

  // The name may be `aperture_priority_mode`, `Aperture Priority Mode` or, if it is unambiguous,
  // `aperture`.
  private func item(named name: String) -> Item? {
    let wanted = CameraControl.name(of: name)
    guard !wanted.isEmpty else { return nil }
    if let item = items.first(where: { CameraControl.name(of: $0.name) == wanted }) { return item }
    let starting = items.filter { CameraControl.name(of: $0.name).hasPrefix(wanted) }
    return starting.count == 1 ? starting.first : nil
  }
}
