/// The arrangement of a raw picture's samples in memory.
///
/// Source: the kernel's V4L2 documentation, "YUV Formats".
package struct RawLayout: Equatable, Sendable {
  /// The families of arrangements.
  package enum Kind: Equatable, Sendable {
    /// Four bytes for two pixels, with the offsets of the first luma, Cb and Cr among them.
    case packed(luma: Int, blue: Int, red: Int)
    /// A luma plane and a plane of chroma pairs, with the offset of Cb in a pair.
    case semiPlanar(blue: Int)
    /// Three planes, with Cb before or after Cr.
    case planar(blueFirst: Bool)
    /// Luma only.
    case grey
  }

  package var kind: Kind
  /// Whether each plane has its own buffer.
  package var separate = false
  /// The width and height in luma pixels of the area that shares a chroma sample.
  package var unit: PixelSize

  /// The maximum number of bytes per line; larger numbers are clamped to it, so that no calculation
  /// overflows.
  package static let longestLine = 1 << 20

  private init(_ kind: Kind, _ width: Int, _ height: Int, separate: Bool = false) {
    self.kind = kind
    self.separate = separate
    self.unit = PixelSize(width: width, height: height)
  }

  /// Creates the layout of `format`, or returns nil for formats other than raw YUV of 8 bits.
  package init?(_ format: PixelFormat) {
    switch format {
    case .yuyv: self.init(.packed(luma: 0, blue: 1, red: 3), 2, 1)
    case .yvyu: self.init(.packed(luma: 0, blue: 3, red: 1), 2, 1)
    case .uyvy: self.init(.packed(luma: 1, blue: 0, red: 2), 2, 1)
    case .vyuy: self.init(.packed(luma: 1, blue: 2, red: 0), 2, 1)
    case .nv12: self.init(.semiPlanar(blue: 0), 2, 2)
    case .nv21: self.init(.semiPlanar(blue: 1), 2, 2)
    case .nv16: self.init(.semiPlanar(blue: 0), 2, 1)
    case .yuv420: self.init(.planar(blueFirst: true), 2, 2)
    case .yvu420: self.init(.planar(blueFirst: false), 2, 2)
    case .yuv422p: self.init(.planar(blueFirst: true), 2, 1)
    case .grey: self.init(.grey, 1, 1)
    case .nv12Separate: self.init(.semiPlanar(blue: 0), 2, 2, separate: true)
    case .nv21Separate: self.init(.semiPlanar(blue: 1), 2, 2, separate: true)
    case .nv16Separate: self.init(.semiPlanar(blue: 0), 2, 1, separate: true)
    case .yuv420Separate: self.init(.planar(blueFirst: true), 2, 2, separate: true)
    case .yvu420Separate: self.init(.planar(blueFirst: false), 2, 2, separate: true)
    default: return nil
    }
  }

  /// Returns the size of one chroma plane of a picture of `size`, rounded up for odd sizes.
  package func chromaSize(_ size: PixelSize) -> PixelSize {
    PixelSize(
      width: (size.width + unit.width - 1) / unit.width,
      height: (size.height + unit.height - 1) / unit.height)
  }

  /// Returns the minimum number of bytes in a row of the first plane.
  package func rowBytes(_ width: Int) -> Int {
    if case .packed = kind { (width + 1) / 2 * 4 } else { width }
  }

  /// Returns the number of bytes from a row of the first plane to the next, which is the driver's
  /// number clamped to a valid range.
  package func stride(_ image: FrameImage) -> Int {
    max(min(image.bytesPerLine, Self.longestLine), rowBytes(image.size.width))
  }

  /// Returns whether all rows are present; padding after the last row is not required.
  package func isComplete(_ image: FrameImage) -> Bool {
    planes(image) != nil
  }

  private func firstPlaneBytes(_ image: FrameImage) -> Int {
    (image.size.height - 1) * stride(image) + rowBytes(image.size.width)
  }
}

extension FrameImage {
  /// The number of bytes of a complete raw frame with all planes; 0 for formats without a layout.
  package var expectedBytes: Int {
    guard let layout = RawLayout(format) else { return 0 }
    let luma = layout.stride(self) * size.height
    let chroma = layout.chromaSize(size)
    switch layout.kind {
    case .packed, .grey: return luma
    case .semiPlanar, .planar: return luma + 2 * chroma.width * chroma.height
    }
  }
}

extension PixelFormat {
  /// Multi-planar NV12 (`NM12`).
  package static let nv12Separate = PixelFormat(rawValue: 0x3231_4D4E)
  /// Multi-planar NV21 (`NM21`).
  package static let nv21Separate = PixelFormat(rawValue: 0x3132_4D4E)
  /// Multi-planar NV16 (`NM16`).
  package static let nv16Separate = PixelFormat(rawValue: 0x3631_4D4E)
  /// Multi-planar 4:2:0 (`YM12`).
  package static let yuv420Separate = PixelFormat(rawValue: 0x3231_4D59)
  /// Multi-planar 4:2:0, Cr before Cb (`YM21`).
  package static let yvu420Separate = PixelFormat(rawValue: 0x3132_4D59)
}

extension RawLayout {
  /// Returns the planes of a picture, or nil if bytes are missing.
  package func planes(_ image: FrameImage) -> SamplePlanes? {
    guard (1...65535).contains(image.size.width), (1...65535).contains(image.size.height),
      image.bytes.count >= firstPlaneBytes(image)
    else { return nil }
    let stride = stride(image)
    let chroma = chromaSize(image.size)

    func plane(
      _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ step: Int, _ stride: Int, _ size: PixelSize
    ) -> SamplePlane? {
      let last = offset + (size.height - 1) * stride + (size.width - 1) * step
      guard offset >= 0, stride >= 0, last < bytes.count, let start = bytes.baseAddress else {
        return nil
      }
      return SamplePlane(
        start: (start + offset).assumingMemoryBound(to: UInt8.self), step: step, stride: stride,
        size: size)
    }

    switch kind {
    case .grey:
      guard let luma = plane(image.bytes, 0, 1, stride, image.size) else { return nil }
      return SamplePlanes(luma)
    case .packed(let luma, let blue, let red):
      guard let luma = plane(image.bytes, luma, 2, stride, image.size),
        let blue = plane(image.bytes, blue, 4, stride, chroma),
        let red = plane(image.bytes, red, 4, stride, chroma)
      else { return nil }
      return SamplePlanes(luma, blue: blue, red: red)
    case .semiPlanar(let blue):
      let second = separate ? image.second?.bytes : image.bytes
      let offset = separate ? 0 : stride * image.size.height
      let pitch = separate ? min(image.second?.bytesPerLine ?? 0, Self.longestLine) : stride
      guard let second, let luma = plane(image.bytes, 0, 1, stride, image.size),
        let blue = plane(second, offset + blue, 2, max(pitch, chroma.width * 2), chroma),
        let red = plane(
          second, offset + 1 - self.blueOffset, 2, max(pitch, chroma.width * 2), chroma)
      else { return nil }
      return SamplePlanes(luma, blue: blue, red: red)
    case .planar(let blueFirst):
      var first: SamplePlane?
      var second: SamplePlane?
      if separate {
        guard let a = image.second, let b = image.third else { return nil }
        first = plane(
          a.bytes, 0, 1, max(min(a.bytesPerLine, Self.longestLine), chroma.width), chroma)
        second = plane(
          b.bytes, 0, 1, max(min(b.bytesPerLine, Self.longestLine), chroma.width), chroma)
      } else {
        // By the kernel's rule, a chroma line takes half the bytes of a luma line, including
        // padding.
        let pitch = max(stride / 2, chroma.width)
        let offset = stride * image.size.height
        first = plane(image.bytes, offset, 1, pitch, chroma)
        second = plane(image.bytes, offset + pitch * chroma.height, 1, pitch, chroma)
      }
      guard let luma = plane(image.bytes, 0, 1, stride, image.size), let first, let second else {
        return nil
      }
      return blueFirst
        ? SamplePlanes(luma, blue: first, red: second)
        : SamplePlanes(luma, blue: second, red: first)
    }
  }

  private var blueOffset: Int { if case .semiPlanar(let blue) = kind { blue } else { 0 } }
}
