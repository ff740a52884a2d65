import Imaging
import Media

/// Passes any bytes to the frame gate; traps if the result is impossible.
///
/// The first byte chooses the size that the camera seems to have granted.
public func fuzzGate(_ bytes: UnsafeRawBufferPointer) {
  guard let choice = bytes.first else { return }
  let sizes: [PixelSize?] = [
    nil, PixelSize(width: 32, height: 32), PixelSize(width: 64, height: 48),
  ]
  let expected = sizes[Int(choice) % sizes.count]
  // A copy of exactly that length, so that a step past the end is noticed.
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count - 1, alignment: 1)
  defer { copy.deallocate() }
  copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
  let frame = UnsafeRawBufferPointer(copy)
  let inspection = JPEGGate.inspect(frame, expected: expected)
  precondition(inspection.picture.lowerBound >= 0 && inspection.picture.upperBound <= frame.count)
  guard inspection.isUsable else { return }
  precondition(inspection.picture.count >= 4)
  precondition(frame[inspection.picture.lowerBound] == 0xFF)
  precondition(frame[inspection.picture.lowerBound + 1] == 0xD8)
  if let offset = inspection.tablesOffset { precondition(inspection.picture.contains(offset)) }
  if let expected { precondition(inspection.size == expected) }
  precondition(inspection.size.width > 0 && inspection.size.height > 0)
  // The same bytes give the same verdict.
  precondition(JPEGGate.inspect(frame, expected: expected) == inspection)
}
