import ImagePicker

/// The frames that the review under way offers, for people and programs.
public struct FrameReport: Equatable, Sendable, Encodable {
  /// How much later than the wanted moment each was taken, in order; negative: earlier.
  public var offsetsMilliseconds: [Double]
  /// The index of the one nearest to that moment.
  public var nearest: Int
  /// The index of the one that an accept keeps.
  public var chosen: Int

  /// Makes the report of what `state` offers; nil where it offers nothing.
  init?(_ state: PickerMachine.State?) {
    guard let frames = state?.frames else { return nil }
    offsetsMilliseconds = frames.offsets.map { ($0.milliseconds * 1000).rounded() / 1000 }
    nearest = frames.nearest
    chosen = frames.chosen
  }
}
