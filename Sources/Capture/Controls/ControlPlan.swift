import Platform

/// The numbers to set in a camera's controls, in the order in which the camera accepts them.
struct ControlPlan: Equatable {
  struct Step: Equatable {
    var control: CameraControl
    var number: Int64
  }

  private(set) var steps: [Step] = []

  /// Finds the controls that `wishes` name, and checks the values; throws for an unknown control or
  /// an invalid value.
  init(
    _ wishes: [String: ControlValue], for controls: [CameraControl]
  ) throws(CaptureError) {
    for name in wishes.keys.sorted() {
      guard let wanted = wishes[name] else { continue }
      guard let control = controls.first(where: { $0.isNamed(name) }) else {
        throw ControlPlan.unknown(name, controls)
      }
      do throws(CaptureError) {
        steps.append(Step(control: control, number: try control.number(for: wanted)))
      } catch {
        // The error carries the name as it was written, with which the file's line is found.
        var error = error
        error.control = name
        throw error
      }
    }
    // Switches come first, because a manual value is refused while its automatic control is on.
    steps.sort { $0.control.rank < $1.control.rank }
  }

  private static func unknown(_ name: String, _ controls: [CameraControl]) -> CaptureError {
    let names = controls.filter { $0.kind != .other && !$0.isReadOnly }.map(\.name)
    let near = nearestNames(
      to: name, among: names + controls.flatMap { $0.otherNames }, limit: 3)
    let hint: String
    if names.isEmpty {
      hint = "it has none"
    } else if near.isEmpty {
      hint = "it has \(names.joined(separator: ", "))"
    } else {
      hint = "the nearest " + (near.count == 1 ? "is " : "are ") + near.joined(separator: ", ")
    }
    return CaptureError(
      .badControl, "the camera has no control '\(name)'; \(hint)", control: name)
  }

  /// Sets the controls and returns the steps that the driver refused, with the errors.
  ///
  /// A refused step is tried again after the others, in case one of them blocked it. Throws only if
  /// the device is gone.
  func apply(
    _ set: (UInt32, Int64) throws(SystemError) -> Void
  ) throws(SystemError) -> [(Step, SystemError)] {
    var waiting = steps
    while true {
      var refused: [(Step, SystemError)] = []
      for step in waiting {
        do throws(SystemError) {
          try set(step.control.id, step.number)
        } catch {
          if error.isGone { throw error }
          refused.append((step, error))
        }
      }
      if refused.isEmpty || refused.count == waiting.count { return refused }
      waiting = refused.map(\.0)
    }
  }
}

extension CameraControl {
  fileprivate var rank: (Int, UInt32) {
    let isSwitch = kind == .boolean || kind == .menu || kind == .integerMenu
    return (isSwitch ? 0 : 1, id)
  }
}
