import CLinux
import CVideo4Linux
import Glibc
import Media
import Platform

/// V4L2's requests, with the order that videobuf2 enforces.
extension ScriptedCamera {
  private static let names: [(UInt, String)] = [
    (cv4l2_querycap, "VIDIOC_QUERYCAP"), (cv4l2_enum_fmt, "VIDIOC_ENUM_FMT"),
    (cv4l2_enum_framesizes, "VIDIOC_ENUM_FRAMESIZES"),
    (cv4l2_enum_frameintervals, "VIDIOC_ENUM_FRAMEINTERVALS"), (cv4l2_g_fmt, "VIDIOC_G_FMT"),
    (cv4l2_s_fmt, "VIDIOC_S_FMT"), (cv4l2_try_fmt, "VIDIOC_TRY_FMT"),
    (cv4l2_g_parm, "VIDIOC_G_PARM"), (cv4l2_s_parm, "VIDIOC_S_PARM"),
    (cv4l2_reqbufs, "VIDIOC_REQBUFS"), (cv4l2_querybuf, "VIDIOC_QUERYBUF"),
    (cv4l2_qbuf, "VIDIOC_QBUF"), (cv4l2_dqbuf, "VIDIOC_DQBUF"),
    (cv4l2_streamon, "VIDIOC_STREAMON"), (cv4l2_streamoff, "VIDIOC_STREAMOFF"),
    (cv4l2_g_input, "VIDIOC_G_INPUT"), (cv4l2_enuminput, "VIDIOC_ENUMINPUT"),
    (cv4l2_query_dv_timings, "VIDIOC_QUERY_DV_TIMINGS"),
    (cv4l2_s_dv_timings, "VIDIOC_S_DV_TIMINGS"),
    (cv4l2_subscribe_event, "VIDIOC_SUBSCRIBE_EVENT"), (cv4l2_dqevent, "VIDIOC_DQEVENT"),
    (cv4l2_query_ext_ctrl, "VIDIOC_QUERY_EXT_CTRL"), (cv4l2_queryctrl, "VIDIOC_QUERYCTRL"),
    (cv4l2_querymenu, "VIDIOC_QUERYMENU"), (cv4l2_g_ctrl, "VIDIOC_G_CTRL"),
    (cv4l2_s_ctrl, "VIDIOC_S_CTRL"),
  ]

  static func name(of request: UInt) -> String {
    names.first { $0.0 == request }?.1 ?? "ioctl"
  }

  var bufferType: UInt32 {
    isMultiplanar
      ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
  }

  /// The events that `poll` returns for the camera.
  var readiness: Int32 {
    guard isPlugged else { return POLLERR | POLLHUP | POLLPRI }
    var events: Int32 = self.events > 0 ? POLLPRI : 0
    if isAlwaysUrgent { events |= POLLPRI | POLLOUT }
    if !isStreaming || hasFailed {
      events |= POLLERR
    } else if !done.isEmpty {
      events |= POLLIN
    }
    return events
  }

  // swift-format-ignore: one case for each request
  func perform(
    _ request: UInt, _ name: String, _ argument: UnsafeMutableRawPointer, _ fd: Int32,
    _ now: MonotonicTime
  ) -> Int32 {
    guard isPlugged else { return -ENODEV }
    if let error = failures[name] { return -error }
    func with<Value>(_ type: Value.Type, _ body: (inout Value) -> Int32) -> Int32 {
      body(&argument.assumingMemoryBound(to: type).pointee)
    }
    switch name {
    case "VIDIOC_QUERYCAP": return with(v4l2_capability.self, queryCapabilities)
    case "VIDIOC_ENUM_FMT": return with(v4l2_fmtdesc.self, enumerateFormats)
    case "VIDIOC_ENUM_FRAMESIZES": return with(v4l2_frmsizeenum.self, enumerateSizes)
    case "VIDIOC_ENUM_FRAMEINTERVALS": return with(v4l2_frmivalenum.self, enumerateRates)
    case "VIDIOC_G_FMT":
      return with(v4l2_format.self) {
        guard $0.type == bufferType else { return -EINVAL }
        describe(&$0)
        return 0
      }
    case "VIDIOC_S_FMT": return with(v4l2_format.self) { setFormat(&$0, fd) }
    case "VIDIOC_G_PARM", "VIDIOC_S_PARM":
      return with(v4l2_streamparm.self) { rates(&$0, isSetting: name == "VIDIOC_S_PARM") }
    case "VIDIOC_REQBUFS": return with(v4l2_requestbuffers.self) { requestBuffers(&$0, fd) }
    case "VIDIOC_QUERYBUF": return with(v4l2_buffer.self, queryBuffer)
    case "VIDIOC_QBUF": return with(v4l2_buffer.self) { queueBuffer(&$0, fd) }
    case "VIDIOC_DQBUF": return with(v4l2_buffer.self) { dequeueBuffer(&$0, fd) }
    case "VIDIOC_STREAMON": return with(UInt32.self) { streamOn($0, fd, now) }
    case "VIDIOC_STREAMOFF":
      return with(UInt32.self) {
        guard $0 == bufferType else { return -EINVAL }
        guard owner == fd || owner == nil else { return -EBUSY }
        stopStreaming()
        return 0
      }
    case "VIDIOC_G_INPUT":
      return with(Int32.self) {
        $0 = 0; return 0
      }
    case "VIDIOC_ENUMINPUT":
      return with(v4l2_input.self) {
        guard $0.index == 0 else { return -EINVAL }
        $0.status = inputStatus
        $0.capabilities = timings == nil ? 0 : UInt32(V4L2_IN_CAP_DV_TIMINGS)
        return 0
      }
    case "VIDIOC_QUERY_DV_TIMINGS": return with(v4l2_dv_timings.self, queryTimings)
    case "VIDIOC_S_DV_TIMINGS": return with(v4l2_dv_timings.self, setTimings)
    case "VIDIOC_QUERY_EXT_CTRL": return with(v4l2_query_ext_ctrl.self, queryControl)
    case "VIDIOC_QUERYCTRL": return with(v4l2_queryctrl.self, queryOldControl)
    case "VIDIOC_QUERYMENU": return with(v4l2_querymenu.self, queryMenu)
    case "VIDIOC_G_CTRL": return with(v4l2_control.self, getControl)
    case "VIDIOC_S_CTRL": return with(v4l2_control.self) { setControl($0) }
    case "VIDIOC_SUBSCRIBE_EVENT": return 0
    case "VIDIOC_DQEVENT":
      return with(v4l2_event.self) {
        guard events > 0 else { return -ENOENT }
        events -= 1
        $0.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
        return 0
      }
    default: return -ENOTTY
    }
  }

  // MARK: What it is and has

  func put<Field>(_ text: String, _ field: inout Field) {
    withUnsafeMutableBytes(of: &field) { bytes in
      let limit = bytes.count - 1
      bytes.copyBytes(from: text.utf8.prefix(limit))
    }
  }

  private func queryCapabilities(_ answer: inout v4l2_capability) -> Int32 {
    answer = v4l2_capability()
    put(driver, &answer.driver)
    put(card, &answer.card)
    put(bus, &answer.bus_info)
    answer.capabilities = capabilities
    answer.device_caps = deviceCapabilities
    return 0
  }

  private func enumerateFormats(_ answer: inout v4l2_fmtdesc) -> Int32 {
    guard answer.type == bufferType, Int(answer.index) < formats.count else { return -EINVAL }
    let format = formats[Int(answer.index)].format
    answer.pixelformat = format.rawValue
    answer.flags = format.isJPEG ? UInt32(V4L2_FMT_FLAG_COMPRESSED) : 0
    put(format.description, &answer.description)
    return 0
  }

  private func enumerateSizes(_ answer: inout v4l2_frmsizeenum) -> Int32 {
    guard let format = formats.first(where: { $0.format.rawValue == answer.pixel_format }),
      Int(answer.index) < format.sizes.count
    else { return -EINVAL }
    let size = format.sizes[Int(answer.index)].0
    answer.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
    answer.discrete = v4l2_frmsize_discrete(
      width: UInt32(size.width), height: UInt32(size.height))
    return 0
  }

  private func enumerateRates(_ answer: inout v4l2_frmivalenum) -> Int32 {
    let size = PixelSize(width: Int(answer.width), height: Int(answer.height))
    guard let format = formats.first(where: { $0.format.rawValue == answer.pixel_format }),
      let rates = format.sizes.first(where: { $0.0 == size })?.1, Int(answer.index) < rates.count
    else { return -EINVAL }
    answer.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
    answer.discrete = v4l2_fract(numerator: 1, denominator: rates[Int(answer.index)])
    return 0
  }

  // MARK: Negotiation

  private func describe(_ answer: inout v4l2_format) {
    let planes = current?.planes(size) ?? [0]
    let padding = current?.rowPadding ?? 0
    let line = format.isJPEG ? 0 : UInt32((planes[0] / max(size.height, 1)) + padding)
    if isMultiplanar {
      answer.fmt.pix_mp = v4l2_pix_format_mplane()
      answer.fmt.pix_mp.width = UInt32(size.width)
      answer.fmt.pix_mp.height = UInt32(size.height)
      answer.fmt.pix_mp.pixelformat = format.rawValue
      answer.fmt.pix_mp.num_planes = UInt8(planes.count)
      answer.fmt.pix_mp.colorspace = colorspace
      answer.fmt.pix_mp.ycbcr_enc = UInt8(truncatingIfNeeded: encoding)
      answer.fmt.pix_mp.quantization = UInt8(truncatingIfNeeded: quantization)
      withUnsafeMutableBytes(of: &answer.fmt.pix_mp.plane_fmt) { bytes in
        let all = bytes.assumingMemoryBound(to: v4l2_plane_pix_format.self)
        for (index, count) in planes.prefix(8).enumerated() {
          all[index].sizeimage = UInt32(count)
          all[index].bytesperline = line
        }
      }
    } else {
      answer.fmt.pix = v4l2_pix_format()
      answer.fmt.pix.width = UInt32(size.width)
      answer.fmt.pix.height = UInt32(size.height)
      answer.fmt.pix.pixelformat = format.rawValue
      answer.fmt.pix.bytesperline = line
      answer.fmt.pix.colorspace = colorspace
      answer.fmt.pix.ycbcr_enc = encoding
      answer.fmt.pix.quantization = quantization
      answer.fmt.pix.priv = hasColours ? UInt32(V4L2_PIX_FMT_PRIV_MAGIC) : 0
      answer.fmt.pix.sizeimage = UInt32(planes[0] + padding * size.height)
    }
  }

  private func queryTimings(_ answer: inout v4l2_dv_timings) -> Int32 {
    guard let timings else { return -ENOTTY }
    switch timings {
    case .failure(let error): return -error.errno
    case .success(let size):
      answer = v4l2_dv_timings()
      answer.bt.width = UInt32(size.width)
      answer.bt.height = UInt32(size.height)
      return 0
    }
  }

  private func setTimings(_ request: inout v4l2_dv_timings) -> Int32 {
    guard timings != nil else { return -ENOTTY }
    guard buffers.isEmpty else { return -EBUSY }
    size = PixelSize(width: Int(request.bt.width), height: Int(request.bt.height))
    forcedSize = size
    return 0
  }

  private func setFormat(_ request: inout v4l2_format, _ fd: Int32) -> Int32 {
    guard request.type == bufferType else { return -EINVAL }
    guard buffers.isEmpty else { return -EBUSY }
    let (code, width, height) =
      isMultiplanar
      ? (request.fmt.pix_mp.pixelformat, request.fmt.pix_mp.width, request.fmt.pix_mp.height)
      : (request.fmt.pix.pixelformat, request.fmt.pix.width, request.fmt.pix.height)
    // Drivers do not refuse a size, but use the nearest.
    let chosen = formats.first { $0.format.rawValue == code } ?? formats[0]
    format = chosen.format
    func distance(_ size: PixelSize) -> Int {
      abs(size.width - Int(width)) + abs(size.height - Int(height))
    }
    let nearest = chosen.sizes.map(\.0).min { distance($0) < distance($1) }
    size = forcedSize ?? nearest ?? size
    rate = chosen.sizes.first { $0.0 == size }?.1.first ?? 30
    describe(&request)
    return 0
  }

  private func rates(_ parameters: inout v4l2_streamparm, isSetting: Bool) -> Int32 {
    guard hasRates else { return -ENOTTY }
    guard parameters.type == bufferType else { return -EINVAL }
    if isSetting {
      guard buffers.isEmpty || !isStreaming else { return -EBUSY }
      let time = parameters.parm.capture.timeperframe
      let rates = current?.sizes.first { $0.0 == size }?.1 ?? []
      if time.numerator > 0, !rates.isEmpty {
        let wanted = Int(time.denominator / time.numerator)
        rate = rates.min { abs(Int($0) - wanted) < abs(Int($1) - wanted) } ?? rate
      }
    }
    parameters.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
    parameters.parm.capture.timeperframe = v4l2_fract(numerator: 1, denominator: rate)
    return 0
  }

  // MARK: Buffers

  private func requestBuffers(_ request: inout v4l2_requestbuffers, _ fd: Int32) -> Int32 {
    guard request.type == bufferType, request.memory == V4L2_MEMORY_MMAP.rawValue else {
      return -EINVAL
    }
    guard owner == nil || owner == fd else { return -EBUSY }
    if isStreaming { return -EBUSY }
    if !allowsOrphans, buffers.contains(where: { $0.mapped.contains(true) }) { return -EBUSY }
    buffers = []
    guard request.count > 0 else {
      owner = nil
      return 0
    }
    let count = min(max(request.count, grants.lowerBound), grants.upperBound)
    let planes = current?.planes(size) ?? [0]
    let padding = (current?.rowPadding ?? 0) * size.height
    buffers = (0..<Int(count)).map { _ in
      let buffer = Buffer()
      // A buffer has no memory until it is mapped; only the length is used.
      buffer.planes = planes.map {
        UnsafeMutableRawBufferPointer(
          start: UnsafeMutableRawPointer(bitPattern: 4096), count: $0 + padding)
      }
      buffer.mapped = planes.map { _ in false }
      return buffer
    }
    owner = fd
    request.count = count
    return 0
  }

  private func fill(_ answer: inout v4l2_buffer, _ index: Int) -> Int32 {
    let buffer = buffers[index]
    if isMultiplanar {
      guard let planes = answer.m.planes, Int(answer.length) >= buffer.planes.count else {
        return -EINVAL
      }
      for (number, plane) in buffer.planes.enumerated() {
        planes[number].length = UInt32(plane.count)
        planes[number].m.mem_offset = UInt32(index << 16 | number << 12)
        planes[number].data_offset = 0
        planes[number].bytesused =
          buffer.details.claimedBytes
          ?? UInt32(number < buffer.used.count ? buffer.used[number] : 0)
      }
      answer.length = UInt32(buffer.planes.count)
    } else {
      answer.length = UInt32(buffer.planes[0].count)
      answer.m.offset = UInt32(index << 16)
      answer.bytesused = buffer.details.claimedBytes ?? UInt32(buffer.used.first ?? 0)
    }
    return 0
  }

  private func queryBuffer(_ answer: inout v4l2_buffer) -> Int32 {
    guard answer.type == bufferType, Int(answer.index) < buffers.count else { return -EINVAL }
    return fill(&answer, Int(answer.index))
  }

  private func queueBuffer(_ request: inout v4l2_buffer, _ fd: Int32) -> Int32 {
    guard owner == fd else { return -EBUSY }
    guard request.type == bufferType, request.memory == V4L2_MEMORY_MMAP.rawValue,
      Int(request.index) < buffers.count
    else { return -EINVAL }
    let buffer = buffers[Int(request.index)]
    if isMultiplanar, request.m.planes == nil || Int(request.length) < buffer.planes.count {
      return -EINVAL
    }
    guard buffer.state == .dequeued else { return -EINVAL }
    buffer.state = .queued
    queue.append(Int(request.index))
    return 0
  }

  private func dequeueBuffer(_ answer: inout v4l2_buffer, _ fd: Int32) -> Int32 {
    guard owner == fd else { return -EBUSY }
    guard answer.type == bufferType, isStreaming else { return -EINVAL }
    if hasFailed { return -EIO }
    guard let index = done.first else { return -EAGAIN }
    let result = fill(&answer, index)
    guard result == 0 else { return result }
    done.removeFirst()
    let buffer = buffers[index]
    buffer.state = .dequeued
    answer.index = buffer.details.index ?? UInt32(index)
    answer.sequence = buffer.sequence
    answer.flags = buffer.details.clock
    if buffer.details.errorFlag { answer.flags |= UInt32(V4L2_BUF_FLAG_ERROR) }
    answer.timestamp.tv_sec = Int(buffer.time.nanoseconds / 1_000_000_000)
    answer.timestamp.tv_usec = Int(buffer.time.nanoseconds % 1_000_000_000 / 1000)
    return 0
  }

  private func streamOn(_ type: UInt32, _ fd: Int32, _ now: MonotonicTime) -> Int32 {
    guard type == bufferType, !buffers.isEmpty else { return -EINVAL }
    guard owner == fd else { return -EBUSY }
    guard !isStreaming else { return 0 }
    isStreaming = true
    if forgetsControls {
      for index in controls.indices { controls[index].value = controls[index].usual }
    }
    started = now
    lastPeriod = period
    next = 0
    sequence = 0
    onStart?(starts)
    starts += 1
    return 0
  }
}
