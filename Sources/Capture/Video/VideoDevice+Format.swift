import CVideo4Linux
import Media
import Platform

extension VideoDevice {
  /// Requests a format and a size, and returns the mode that the driver granted.
  func setFormat(_ format: PixelFormat, _ size: PixelSize) throws(SystemError) -> CameraMode {
    var request = v4l2_format()
    request.type = capability.bufferType
    if capability.isMultiplanar {
      request.fmt.pix_mp.pixelformat = format.rawValue
      request.fmt.pix_mp.width = UInt32(size.width)
      request.fmt.pix_mp.height = UInt32(size.height)
      request.fmt.pix_mp.field = V4L2_FIELD_NONE.rawValue
    } else {
      request.fmt.pix.pixelformat = format.rawValue
      request.fmt.pix.width = UInt32(size.width)
      request.fmt.pix.height = UInt32(size.height)
      request.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    }
    try call(cv4l2_s_fmt, "VIDIOC_S_FMT", &request)
    guard let granted = mode(request) else {
      throw SystemError(errno: Errno.invalid, call: "VIDIOC_S_FMT", path: path)
    }
    return granted.withWholePairs
  }

  /// Returns the mode in a driver's answer, or nil if the answer is invalid.
  func mode(_ answer: v4l2_format) -> CameraMode? {
    let width: UInt32
    let height: UInt32
    let format: PixelFormat
    let line: UInt32
    let bytes: UInt32
    let colours: VideoColours
    if capability.isMultiplanar {
      let pix = answer.fmt.pix_mp
      (width, height) = (pix.width, pix.height)
      format = PixelFormat(rawValue: pix.pixelformat)
      line = pix.plane_fmt.0.bytesperline
      bytes = pix.plane_fmt.0.sizeimage
      colours = VideoColours(
        space: pix.colorspace, encoding: UInt32(pix.ycbcr_enc),
        quantization: UInt32(pix.quantization))
    } else {
      let pix = answer.fmt.pix
      (width, height) = (pix.width, pix.height)
      format = PixelFormat(rawValue: pix.pixelformat)
      line = pix.bytesperline
      bytes = pix.sizeimage
      // Drivers that are older than these fields leave undefined values in them.
      let isKnown = pix.priv == UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
      colours = VideoColours(
        space: pix.colorspace, encoding: isKnown ? pix.ycbcr_enc : 0,
        quantization: isKnown ? pix.quantization : 0)
    }
    guard (1...65535).contains(width), (1...65535).contains(height) else { return nil }
    return CameraMode(
      format: format, size: PixelSize(width: Int(width), height: Int(height)), rate: nil,
      bytesPerLine: format.isJPEG ? 0 : Int(line), imageBytes: Int(bytes),
      range: colours.range(of: format), encoding: colours.weights)
  }

  /// Returns the bytes per line of each plane of the current format; empty for single-planar
  /// devices.
  func planeLines() -> [Int] {
    guard capability.isMultiplanar else { return [] }
    var answer = v4l2_format()
    answer.type = capability.bufferType
    guard tries(cv4l2_g_fmt, &answer) else { return [] }
    let planes = answer.fmt.pix_mp.plane_fmt
    let lines = [planes.0.bytesperline, planes.1.bytesperline, planes.2.bytesperline]
    return lines.prefix(Int(answer.fmt.pix_mp.num_planes)).map { Int($0) }
  }

  /// Requests a rate if the driver supports that, and returns the rate in effect.
  func setRate(_ rate: FrameRate?) -> FrameRate? {
    var parameters = v4l2_streamparm()
    parameters.type = capability.bufferType
    guard tries(cv4l2_g_parm, &parameters) else { return nil }
    let canSet = parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
    if let rate, canSet {
      var request = v4l2_streamparm()
      request.type = capability.bufferType
      request.parm.capture.timeperframe.numerator = rate.seconds
      request.parm.capture.timeperframe.denominator = rate.frames
      if tries(cv4l2_s_parm, &request) { parameters = request }
    }
    return FrameRate(interval: parameters.parm.capture.timeperframe)
  }
}
