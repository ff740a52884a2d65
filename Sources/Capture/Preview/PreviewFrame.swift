import Glibc
import Media
import Platform

/// One complete JPEG picture for viewers, shared by all of them.
///
/// The picture has its own memory and never changes while a viewer holds it.
public final class PreviewFrame: @unchecked Sendable {
  // Unchecked because ``PreviewCopier`` writes only while it holds the sole reference.

  /// The number of the frame that the picture was made from.
  public fileprivate(set) var id: FrameID = 0
  /// The time at which that frame was taken.
  public fileprivate(set) var timestamp = MonotonicTime(nanoseconds: 0)
  /// The size of the picture in pixels, before any turning.
  public fileprivate(set) var size = PixelSize(width: 0, height: 0)
  /// The number of bytes of the picture.
  public fileprivate(set) var count = 0
  private var storage: UnsafeMutableRawBufferPointer

  fileprivate init() { storage = .allocate(byteCount: 64 << 10, alignment: 64) }

  deinit { storage.deallocate() }

  /// The picture's bytes, valid as long as the object is held.
  public var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage).prefix(count))
  }

  /// Calls `body` with the bytes as one part, for `writev(2)`.
  func withParts(_ body: (UnsafeBufferPointer<iovec>) -> Void) {
    let part = iovec(iov_base: storage.baseAddress, iov_len: count)
    withUnsafePointer(to: part) { body(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  /// Returns room for at least `wanted` bytes; earlier contents are lost.
  fileprivate func room(for wanted: Int) -> UnsafeMutableRawBufferPointer {
    if storage.count < wanted {
      storage.deallocate()
      // The extra half leaves room for a larger next picture.
      storage = .allocate(byteCount: wanted + wanted / 2, alignment: 64)
    }
    return storage
  }
}

/// A function that encodes a raw frame as a JPEG picture into the buffer and returns the number of
/// bytes, or nil if it cannot.
///
/// The function is called on a viewer's thread.
public typealias RawFrameEncoder = @Sendable (FrameImage, UnsafeMutableRawBufferPointer) -> Int?

/// A maker of the pictures for viewers, which copies each frame at most once for all of them and no
/// frame without a viewer.
///
/// The copier runs on the viewers' threads and holds a frame only while it copies or lends it.
public final class PreviewCopier: @unchecked Sendable {
  // Unchecked because the variables are accessed only under the monitor's lock.
  private let ring: FrameRing
  private let counter: Counter
  private let tables: [UInt8]
  private let isStopped: @Sendable () -> Bool
  private let monitor = Monitor()
  private var latest: PreviewFrame?
  private var spares: [PreviewFrame] = []
  private var encoder: RawFrameEncoder?
  private var converter: FrameConverter?
  /// The numbers of the last frames that viewers received, to tell whether a frame that proves
  /// damaged was shown.
  private var shown: [FrameID] = []
  private static let shownLimit = 64

  init(
    ring: FrameRing, counter: Counter, tables: [UInt8],
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) {
    self.ring = ring
    self.counter = counter
    self.tables = tables
    self.isStopped = isStopped
    spares.reserveCapacity(8)
    shown.reserveCapacity(PreviewCopier.shownLimit)
  }

  /// Sets the encoder of raw frames; without one, raw frames are not shown.
  public func setEncoder(_ encoder: RawFrameEncoder?) {
    monitor.lock()
    self.encoder = encoder
    monitor.unlock()
  }

  /// Returns the newest picture, complete and repaired, or nil if there is none newer than `last`.
  public func newest(after last: FrameID? = nil) -> PreviewFrame? {
    guard let lease = ring.newest(), lease.frame.id != last else { return nil }
    return picture(of: lease)
  }

  /// Calls `body` with the newest picture, repaired and not copied; returns false if there is none
  /// newer than `last`.
  ///
  /// The camera's buffer is held until `body` returns, so `body` must not wait. A raw frame is
  /// encoded first.
  public func lend(after last: FrameID? = nil, _ body: (PreviewLoan) -> Void) -> Bool {
    guard let lease = ring.newest(), lease.frame.id != last else { return false }
    let frame = lease.frame
    guard frame.image.format.isJPEG else {
      guard let made = picture(of: lease) else { return false }
      made.withParts { parts in
        body(PreviewLoan(id: made.id, timestamp: made.timestamp, parts: parts) { made })
      }
      return true
    }
    monitor.lock()
    noteShown(frame.id)
    monitor.unlock()
    tables.withUnsafeBytes { tables in
      frame.inspection.withPictureParts(of: frame.image.bytes, tables: tables) { parts in
        let loan = PreviewLoan(id: frame.id, timestamp: frame.timestamp, parts: parts) { [self] in
          picture(of: frame.lease())
        }
        body(loan)
      }
    }
    return true
  }

  /// Whether the camera was stopped, after which no picture arrives.
  var isOver: Bool { isStopped() }

  /// Waits for a frame newer than `last`; returns its number with its picture, or nil after
  /// `timeout`.
  ///
  /// The picture is nil if the frame cannot be shown. The number is the picture's own, because a
  /// late viewer gets the picture that the others already have.
  func look(after last: FrameID?, timeout: Duration) -> (id: FrameID, picture: PreviewFrame?)? {
    guard let lease = ring.frame(after: last, timeout: timeout) else { return nil }
    let id = lease.frame.id
    let made = picture(of: lease)
    return (max(id, made?.id ?? id), made)
  }

  /// Waits for a picture newer than `last` and returns it, or returns nil after `timeout`.
  ///
  /// The call blocks its thread, so it belongs on a worker; asynchronous code uses ``pictures``.
  @available(*, noasync, message: "this call blocks; iterate over 'pictures'")
  public func next(after last: FrameID?, timeout: Duration) -> PreviewFrame? {
    guard let lease = ring.frame(after: last, timeout: timeout) else { return nil }
    return picture(of: lease)
  }

  /// Returns whether a viewer received that frame, which is known for the last 64 frames.
  func hasShown(_ id: FrameID) -> Bool {
    monitor.lock()
    defer { monitor.unlock() }
    return shown.contains(id)
  }

  private func picture(of lease: borrowing FrameLease) -> PreviewFrame? {
    let frame = lease.frame
    monitor.lock()
    defer { monitor.unlock() }
    // A late viewer gets the picture that the others already have.
    if let latest, latest.id >= frame.id { return latest }
    let target = spare()
    guard let count = write(frame, to: target) else {
      spares.append(target)
      return nil
    }
    target.id = frame.id
    target.timestamp = frame.timestamp
    target.size = frame.inspection.size
    target.count = count
    noteShown(frame.id)
    if let latest, spares.count < 8 { spares.append(latest) }
    latest = target
    counter.add {
      $0.framesCopied += 1
      $0.bytesCopied += count
    }
    return target
  }

  // The caller holds the lock.
  private func noteShown(_ id: FrameID) {
    guard shown.last != id else { return }
    if shown.count == PreviewCopier.shownLimit { shown.removeFirst() }
    shown.append(id)
  }

  // Returns a picture that no viewer holds any more, or a new one.
  private func spare() -> PreviewFrame {
    for index in spares.indices where isKnownUniquelyReferenced(&spares[index]) {
      return spares.remove(at: index)
    }
    return PreviewFrame()
  }

  private func write(_ frame: Frame, to target: PreviewFrame) -> Int? {
    var image = frame.image
    guard image.format.isJPEG else {
      guard let encoder else { return nil }
      if ConvertibleFormats.contains(image.format) {
        if converter == nil { converter = FrameConverter() }
        guard let converted = try? converter?.convert(image) else { return nil }
        image = converted
      }
      let pixels = image.size.width.multipliedReportingOverflow(by: image.size.height)
      guard !pixels.overflow, (1...(1 << 26)).contains(pixels.partialValue) else { return nil }
      return encoder(image, target.room(for: pixels.partialValue + (64 << 10)))
    }
    let room = target.room(for: frame.inspection.picture.count + tables.count + 2)
    return frame.inspection.copyPicture(from: image.bytes, tables: tables, into: room)
  }
}

extension FrameInspection {
  /// Copies the picture and repairs it as the inspection says, by inserting Huffman tables and
  /// adding EOI.
  ///
  /// Returns the number of bytes written, or nil if they do not fit.
  func copyPicture(
    from bytes: UnsafeRawBufferPointer, tables: [UInt8], into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard picture.lowerBound >= 0, picture.upperBound <= bytes.count else { return nil }
    return tables.withUnsafeBytes { tables in
      withPictureParts(of: bytes, tables: tables) { parts in
        var count = 0
        for part in parts {
          guard part.iov_len <= target.count - count else { return nil }
          UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(
            from: UnsafeRawBufferPointer(start: part.iov_base, count: part.iov_len))
          count += part.iov_len
        }
        return count
      }
    }
  }
}
