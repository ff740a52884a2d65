import Imaging
import Media

/// Opens any bytes as an imported picture; traps if the result is not an upright JPEG inside the
/// box.
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
  edit(file)
  let box = PixelSize(width: 256, height: 256)
  guard let opened = try? opener.open(file, fitting: box, quality: 50) else { return }
  precondition(opened.size.width > 0 && opened.size.height > 0 && opened.count > 0)
  opened.withBytes { made in
    let inspection = JPEGGate.inspect(made)
    precondition(inspection.verdict == .clean && inspection.size == opened.size)
  }
}

/// Cuts out a part that depends on the bytes; traps if the part does not have the size of its box.
private func edit(_ file: UnsafeRawBufferPointer) {
  guard let size = try? PictureEditor.size(of: file) else { return }
  let last = file.count - 1
  // Any number, small ones too.
  func number(_ place: Int, _ limit: Int) -> Int {
    (Int(file[last - place % file.count]) << 8 | Int(file[place % file.count])) % max(1, limit)
  }
  let (x, y) = (number(3, size.width), number(11, size.height))
  let crop = PixelRect(
    x: x, y: y, width: 1 + number(17, size.width - x), height: 1 + number(23, size.height - y))
  let turns = number(29, 4)
  var editor = PictureEditor(quality: 50)
  editor.memoryLimit = 4 << 20
  guard size.width * size.height <= 1 << 20,
    let still = try? editor.edited(file, crop: crop, turns: turns)
  else { return }
  let wanted = turns % 2 == 0 ? crop.size : crop.size.turned
  precondition(still.size == wanted)
  still.withPicture { made in
    let inspection = JPEGGate.inspect(made)
    precondition(inspection.verdict == .clean && inspection.size == wanted)
  }
}
