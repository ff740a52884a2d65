import CVideo4Linux
import Media

/// The colour fields of a driver's format, in which zeros stand for the kernel's documented
/// defaults.
///
/// Source: `V4L2_MAP_YCBCR_ENC_DEFAULT` and `V4L2_MAP_QUANTIZATION_DEFAULT` in `videodev2.h`.
struct VideoColours: Equatable {
  var space: UInt32
  var encoding: UInt32
  var quantization: UInt32

  /// Returns the range of raw luma and chroma samples in `format`.
  ///
  /// Grey formats use the full range by default, as bare sensors and vivid do.
  func range(of format: PixelFormat) -> SampleRange {
    switch quantization {
    case V4L2_QUANTIZATION_FULL_RANGE.rawValue: .full
    case V4L2_QUANTIZATION_LIM_RANGE.rawValue: .limited
    default: format == .grey || space == V4L2_COLORSPACE_JPEG.rawValue ? .full : .limited
    }
  }

  /// The weights that converted red, green and blue to luma and chroma.
  var weights: ColorEncoding {
    switch encoding {
    case V4L2_YCBCR_ENC_601.rawValue, V4L2_YCBCR_ENC_XV601.rawValue, 5: return .bt601  // 5: sYCC
    case V4L2_YCBCR_ENC_709.rawValue, V4L2_YCBCR_ENC_XV709.rawValue: return .bt709
    case V4L2_YCBCR_ENC_BT2020.rawValue, V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue: return .bt2020
    default: break
    }
    switch space {
    case V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_DCI_P3.rawValue: return .bt709
    case V4L2_COLORSPACE_BT2020.rawValue: return .bt2020
    default: return .bt601
    }
  }
}
