import Capture
import Media

extension CameraCounts {
  /// The counts of damaged frames by reason, without reasons whose count is zero.
  var damageByReason: [String: Int] {
    var result: [String: Int] = [:]
    for reason in FrameDamage.allCases where damaged(reason) > 0 {
      result[reason.rawValue] = damaged(reason)
    }
    return result
  }

  /// The counts of decoder faults by name, without faults whose count is zero.
  var decoderFaults: [String: Int] {
    var result: [String: Int] = [:]
    for kind in DecoderFault.allCases where decoderFaults(kind) > 0 {
      result[kind.rawValue] = decoderFaults(kind)
    }
    return result
  }
}
