import Glibc
import Media
import Platform

/// One complete JPEG picture for viewers, shared by all of them.
///
/// It belongs to nobody else and never changes while somebody holds it.
public final class PreviewFrame: @unchecked Sendable {
  // Unchecked: written by ``PreviewCopier`` only while it holds the one reference.

  /// The number of the frame that it was made from.
  public fileprivate(set) var id: FrameID = 0
  /// When that frame was taken.
  public fileprivate(set) var timestamp = MonotonicTime(nanoseconds: 0)
  /// The size of the picture, before any turning.
  public fileprivate(set) var size = PixelSize(width: 0, height: 0)
  /// How many bytes the picture has.
  public fileprivate(set) var count = 0
  private var storage: UnsafeMutableRawBufferPointer

  fileprivate init() { storage = .allocate(byteCount: 64 << 10, alignment: 64) }

  deinit { storage.deallocate() }

  /// The picture's bytes, for as long as the object is held.
  public var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage).prefix(count))
  }

  /// Lends the bytes as one part, for `writev(2)`.
  func withParts(_ body: (UnsafeBufferPointer<iovec>) -> Void) {
    let part = iovec(iov_base: storage.baseAddress, iov_len: count)
    withUnsafePointer(to: part) { body(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  /// Room for at least `wanted` bytes; what was there is lost.
  fileprivate func room(for wanted: Int) -> UnsafeMutableRawBufferPointer {
    if storage.count < wanted {
      storage.deallocate()
      // Some air, so that the next larger picture fits, too.
      storage = .allocate(byteCount: wanted + wanted / 2, alignment: 64)
    }
    return storage
  }
}

/// Writes a frame that is no JPEG as a JPEG picture into the buffer; gives its bytes, nil when it
/// cannot.
///
/// Called on a viewer's thread.
public typealias PreviewEncoder = @Sendable (FrameImage, UnsafeMutableRawBufferPointer) -> Int?

/// Makes the picture that viewers see: at most one copy of a frame however many there are, and
/// none when nobody looks.
///
/// It runs on the viewers' threads and holds a frame only while it copies or lends.
public final class PreviewCopier: @unchecked Sendable {
  // Unchecked: everything is touched under the monitor's lock only.
  private let ring: FrameRing
  private let counter: Counter
  private let tables: [UInt8]
  private let monitor = Monitor()
  private var latest: PreviewFrame?
  private var spares: [PreviewFrame] = []
  private var encoder: PreviewEncoder?
  private var converter: FrameConverter?
  /// The last frames that viewers got, for whoever learns later that one was damaged.
  private var shown: [FrameID] = []
  private static let shownLimit = 64

  init(ring: FrameRing, counter: Counter, tables: [UInt8]) {
    self.ring = ring
    self.counter = counter
    self.tables = tables
    spares.reserveCapacity(8)
    shown.reserveCapacity(PreviewCopier.shownLimit)
  }

  /// Sets what makes pictures of frames that are no JPEG; without it they are not shown.
  public func setEncoder(_ encoder: PreviewEncoder?) {
    monitor.lock()
    self.encoder = encoder
    monitor.unlock()
  }

  /// The newest picture, complete and repaired; nil when there is none newer than `last`.
  public func newest(after last: FrameID? = nil) -> PreviewFrame? {
    guard let lease = ring.newest(), lease.frame.id != last else { return nil }
    return picture(of: lease)
  }

  /// Lends the newest picture to `body`, repaired and not copied; false when there is none newer than
  /// `last`.
  ///
  /// The camera's buffer is held until `body` returns, so `body` must not wait. A frame that is no
  /// JPEG is made into a picture first.
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

  /// Waits for a picture newer than `last`, or until `timeout` is over.
  ///
  /// It blocks its thread: call it from a worker.
  public func next(after last: FrameID?, timeout: Duration) -> PreviewFrame? {
    guard let lease = ring.frame(after: last, timeout: timeout) else { return nil }
    return picture(of: lease)
  }

  /// Whether a viewer has got that frame, of the last ones.
  func hasShown(_ id: FrameID) -> Bool {
    monitor.lock()
    defer { monitor.unlock() }
    return shown.contains(id)
  }

  private func picture(of lease: borrowing FrameLease) -> PreviewFrame? {
    let frame = lease.frame
    monitor.lock()
    defer { monitor.unlock() }
    // A viewer that came late gets what the others already have.
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

  // With the lock held.
  private func noteShown(_ id: FrameID) {
    guard shown.last != id else { return }
    if shown.count == PreviewCopier.shownLimit { shown.removeFirst() }
    shown.append(id)
  }

  // One that no viewer holds any more, or a new one.
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
  /// Copies the picture, and repairs it on the way as the inspection says: Huffman tables are put
  /// in, EOI is added.
  ///
  /// Gives the bytes written; nil when they do not fit.
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
