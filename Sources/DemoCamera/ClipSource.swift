import Capture
import Glibc
import Media
import Platform

/// A file of JPEG pictures, sent repeatedly.
final class ClipSource: PictureSource {
  private let path: String
  private let system: any SystemCalls
  private var pictures: [Range<Int>] = []
  private var file: SharedDescriptor?

  private static let largestPicture = 64 << 20

  init(path: String, system: any SystemCalls) {
    self.path = path
    self.system = system
  }

  var identity: CameraIdentity {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return CameraIdentity(name: "clip \(name)", driver: "clip", bus: path, path: path)
  }

  func open() throws(CaptureError) -> CameraMode {
    let file: SharedDescriptor
    do {
      file = SharedDescriptor(try Descriptor(opening: path, flags: O_RDONLY, system: system))
    } catch {
      let fix =
        switch error.errno {
        case ENOENT: "there is no such file; check the path"
        case EACCES: "it may not be read; check its permissions"
        default: "it cannot be opened"
        }
      throw CaptureError(.badClip, "the clip \(path) cannot be used: \(fix)", cause: error)
    }
    let index = try scan(file)
    guard let first = index.pictures.first, first.lowerBound == 0 else {
      throw bad("it does not begin with a JPEG picture; give a file of concatenated JPEG pictures")
    }
    guard let size = index.size, size.width > 0, size.height > 0 else {
      throw bad("its pictures have no size; give a file of concatenated JPEG pictures")
    }
    guard size.isCameraSize else {
      let least = CameraMode.smallestSide
      throw bad("its pictures are \(size), and \(least)x\(least) are needed; give a larger clip")
    }
    let largest = index.pictures.reduce(0) { max($0, $1.count) }
    guard largest <= ClipSource.largestPicture else {
      throw bad("a picture in it has more than 64 MB")
    }
    pictures = index.pictures
    self.file = file
    return CameraMode(format: .mjpeg, size: size, rate: nil, imageBytes: largest)
  }

  private func scan(_ file: SharedDescriptor) throws(CaptureError) -> ClipIndex {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var index = ClipIndex()
    var end = 0
    while true {
      let start = index.position
      let count: Int
      do throws(SystemError) {
        count = try system.readAll(file.number, into: buffer, at: Int64(start), path)
      } catch {
        throw CaptureError(
          .badClip, "the clip \(path) cannot be read; give a file of concatenated JPEG pictures",
          cause: error)
      }
      index.add(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
      end = start + count
      // The rest is at most the beginning of a marker.
      if count < buffer.count { break }
      // The scan ends early for a large file that is no clip.
      if index.size == nil, end >= ClipSource.largestPicture { break }
    }
    index.finish(at: end)
    if end == 0 { throw bad("it is empty; give a file of concatenated JPEG pictures") }
    return index
  }

  private func bad(_ reason: String) -> CaptureError {
    CaptureError(.badClip, "the clip \(path) cannot be used: \(reason)")
  }

  func fill(
    _ number: Int, at time: Duration, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> (bytes: Int, picture: Int) {
    guard let file, !pictures.isEmpty else { return (0, 0) }
    let picture = number % pictures.count
    let range = pictures[picture]
    // A file that was truncated since gives fewer bytes, and the frame check finds the damage.
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(range.count))
    let count = try system.readAll(file.number, into: room, at: Int64(range.lowerBound), path)
    return (count, picture)
  }

  func close() {
    file = nil
    pictures = []
  }
}
