import Capture
import Media
import Platform
import StationTestSupport
import Testing

@testable import DemoCamera

@Suite struct ClipTests {
  @Test("pictures are found wherever the file is split")
  func picturesAreFoundWhereverTheFileIsSplit() {
    let padded = samplePicture(2) + [0, 0, 0, 0xD9]
    let cut = Array(samplePicture(3).dropLast(40))
    let bytes = samplePicture(1) + padded + cut + samplePicture(4)
    for piece in [1, 2, 3, 7, 64, bytes.count] {
      var index = ClipIndex()
      var end = 0
      while end < bytes.count {
        end = min(end + piece, bytes.count)
        Array(bytes[index.position..<end]).withUnsafeBytes { index.add($0) }
      }
      index.finish(at: bytes.count)
      let whole = samplePicture().count
      #expect(index.pictures.map(\.count) == [whole, padded.count, cut.count, whole])
      #expect(index.size == PixelSize(width: 64, height: 48))
    }
  }

  @Test("a segment that goes on behind the file belongs to its picture")
  func aSegmentThatGoesOnBehindTheFileBelongsToItsPicture() {
    let bytes = samplePicture(1) + [0xFF, 0xD8, 0xFF, 0xE1, 0x40, 0, 1, 2, 3]
    for piece in [1, 5, bytes.count] {
      var index = ClipIndex()
      var end = 0
      while end < bytes.count {
        end = min(end + piece, bytes.count)
        Array(bytes[index.position..<end]).withUnsafeBytes { index.add($0) }
      }
      index.finish(at: bytes.count)
      #expect(index.pictures.last == samplePicture().count..<bytes.count)
    }
  }

  @Test("a camera without pictures for its name says what to do")
  func aCameraWithoutPicturesForItsNameSaysWhatToDo() throws {
    let camera = try Camera(.demo, gate: plainGate)
    try camera.start()
    do {
      try camera.waitUntilStreaming(timeout: .seconds(10))
      Issue.record("it streams")
    } catch {
      #expect(error.code == .noCamera)
      #expect(error.message.contains("sources: .demo"))
    }
    camera.stop()
  }

  @Test(
    "a file that is no clip is refused in words",
    arguments: [
      ("", "empty"), ("hello, this is no picture at all", "does not begin with a JPEG"),
    ])
  func aFileThatIsNoClipIsRefusedInWords(_ text: String, _ words: String) throws {
    let file = TemporaryFile(Array(text.utf8))
    let source = ClipSource(path: file.path, system: LinuxSystemCalls())
    do {
      _ = try source.open()
      Issue.record("it was taken")
    } catch {
      #expect(error.code == .badClip)
      #expect(error.message.contains(words))
      #expect(error.message.contains(file.path))
    }
  }

  @Test(
    "a clip of too small pictures is refused in words",
    arguments: [(1, 4000), (4000, 1), (15, 16), (16, 15)])
  func aClipOfTooSmallPicturesIsRefusedInWords(_ width: Int, _ height: Int) throws {
    let file = TemporaryFile(samplePicture(1, size: PixelSize(width: width, height: height)))
    let source = ClipSource(path: file.path, system: LinuxSystemCalls())
    do {
      _ = try source.open()
      Issue.record("it was taken")
    } catch {
      #expect(error.code == .badClip)
      #expect(error.message.contains("\(width)x\(height), and 16x16 are needed"))
    }
  }

  @Test("a missing file and a directory are refused in words")
  func aMissingFileAndADirectoryAreRefusedInWords() {
    for (path, words) in [("/nonexistent/clip", "no such file"), ("/tmp", "cannot be read")] {
      do {
        _ = try ClipSource(path: path, system: LinuxSystemCalls()).open()
        Issue.record("\(path) was taken")
      } catch {
        #expect(error.code == .badClip)
        #expect(error.message.contains(words), "\(error)")
      }
    }
  }

  @Test("a clip streams through the camera on its thread")
  func aClipStreamsThroughTheCameraOnItsThread() throws {
    let file = TemporaryFile(samplePicture(1) + samplePicture(2))
    var options = CameraOptions()
    options.wish.rate = FrameRate(frames: 500) ?? .thirty
    let camera = try Camera(.clip(file.path), options: options, gate: plainGate, sources: .demo)
    try camera.start()
    try camera.waitUntilStreaming(timeout: .seconds(10))
    #expect(camera.granted?.size == PixelSize(width: 64, height: 48))
    let preview = try #require(camera.preview.next(after: nil, timeout: .seconds(10)))
    #expect(Array(preview.bytes.prefix(2)) == [0xFF, 0xD8])
    camera.stop()
    #expect(camera.state == .stopped)
    #expect(camera.counts.published > 0)
    #expect(camera.ring.count == 0)
  }

  @Test("the demo camera streams") func theDemoCameraStreams() throws {
    let camera = try Camera(.demo, gate: plainGate, sources: .demo)
    try camera.start()
    try camera.waitUntilStreaming(timeout: .seconds(10))
    #expect(camera.granted?.size == DemoScene.size)
    #expect(camera.identity?.name == "demo")
    let moment = LinuxSystemCalls().monotonicTime()
    guard let lease = camera.ring.frame(nearest: moment, timeout: .seconds(10)) else {
      Issue.record("no frame")
      return
    }
    #expect(lease.frame.image.bytes.prefix(2).elementsEqual([0xFF, 0xD8]))
    camera.stop()
    #expect(lease.frame.image.bytes.prefix(2).elementsEqual([0xFF, 0xD8]))
  }
}
