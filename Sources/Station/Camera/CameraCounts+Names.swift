import Capture
import Media

extension CameraCounts {
  /// Damaged frames by the reason's name, without those that never were.
  var damageByReason: [String: Int] {
    var result: [String: Int] = [:]
    for reason in FrameDamage.allCases where damaged(reason) > 0 {
      result[reason.rawValue] = damaged(reason)
    }
    return result
  }

  /// What decoders found, by its name, without what never was.
  var decoderFaults: [String: Int] {
    var result: [String: Int] = [:]
    for kind in DecoderFault.allCases where decoderFaults(kind) > 0 {
      result[kind.rawValue] = decoderFaults(kind)
    }
    return result
  }
}
