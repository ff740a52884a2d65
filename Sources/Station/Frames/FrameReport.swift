import ImagePicker

/// The frames that the present review offers, for people and programs.
public struct FrameReport: Equatable, Sendable, Encodable {
  /// The distance of each frame from the wanted moment, in order; negative values are earlier.
  ///
  /// Unit: milliseconds.
  public var offsetsMilliseconds: [Double]
  /// The index of the frame nearest to the moment.
  public var nearest: Int
  /// The index of the frame that an accept keeps.
  public var chosen: Int

  /// Creates the report of the frames that `state` offers; `nil` when it offers none.
  init?(_ state: PickerMachine.State?) {
    guard let frames = state?.frames else { return nil }
    offsetsMilliseconds = frames.offsets.map { ($0.milliseconds * 1000).rounded() / 1000 }
    nearest = frames.nearest
    chosen = frames.chosen
  }
}
