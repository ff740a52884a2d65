import Imaging
import Platform

/// Opens any bytes as a picture from outside; traps when what comes out is no upright JPEG inside
/// the box.
public func fuzzPictures(_ bytes: UnsafeRawBufferPointer) {
  // A copy of exactly that length, so that a step past the end is noticed.
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { copy.deallocate() }
  copy.copyMemory(from: bytes)
  let file = UnsafeRawBufferPointer(copy)
  var opener = PictureOpener()
  // Little work for each input: bombs are refused by what they claim, as with the real limits.
  opener.workLimit = 1 << 20
  opener.memoryLimit = 8 << 20
  let box = PixelSize(width: 256, height: 256)
  guard let opened = try? opener.open(file, fitting: box, quality: 50) else { return }
  precondition(opened.size.width > 0 && opened.size.height > 0 && opened.count > 0)
  opened.withBytes { made in
    let inspection = JPEGGate.inspect(made)
    precondition(inspection.verdict == .clean && inspection.size == opened.size)
  }
}
