import FoundationEssentials
import ImagePicker
import Testing

@Suite("The picker's values")
struct ValueTests {
  @Test("raw values are those of the contract")
  func rawValues() {
    #expect(ImagePickerController.SourceType.allCases.map(\.rawValue) == [0, 1, 2])
    #expect(ImagePickerController.SourceType(rawValue: 1) == .camera)
    #expect(
      ImagePickerController.MediaType.allCases.map(\.rawValue) == ["public.image", "public.movie"])
    #expect(ImagePickerController.AuthorizationStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
    #expect(ImagePickerController.AuthorizationStatus(rawValue: 4) == .limited)
    #expect(ImagePickerController.CameraFlashMode.allCases.map(\.rawValue) == [-1, 0, 1])
    #expect(ImagePickerController.CameraCaptureMode.allCases.map(\.rawValue) == [0, 1])
    #expect(
      ImagePickerController.InfoKey.allCases.map(\.rawValue) == [
        "mediaType", "originalImage", "editedImage", "cropRect", "imageURL", "mediaURL",
        "mediaMetadata",
      ])
    #expect(ImagePickerController.CameraDevice.front == "front")
  }

  @Test("raw values from the future are survived", arguments: [-1, 5, 99, Int.min, Int.max])
  func unknown(rawValue: Int) throws {
    typealias Status = ImagePickerController.AuthorizationStatus
    #expect(Status(rawValue: rawValue) == nil)
    #expect(Status(surviving: rawValue) == .notDetermined)
    let json = Data("[\(rawValue), 3]".utf8)
    #expect(try JSONDecoder().decode([Status].self, from: json) == [.notDetermined, .authorized])
    #expect(ImagePickerController.SourceType(rawValue: rawValue) == nil)
    #expect(
      ImagePickerController.CameraFlashMode(rawValue: rawValue) == (rawValue == -1 ? .off : nil))
  }

  @Test("a status goes through JSON as its raw value")
  func statusCoding() throws {
    let all = ImagePickerController.AuthorizationStatus.allCases
    let json = try JSONEncoder().encode(all)
    #expect(String(decoding: json, as: UTF8.self) == "[0,1,2,3,4]")
  }

  @Test(
    "a rectangle fits or does not, whatever its numbers",
    arguments: [
      (PixelRect(x: 0, y: 0, width: 3, height: 4), true),
      (PixelRect(x: 1, y: 0, width: 3, height: 4), false),
      (PixelRect(x: 2, y: 3, width: 1, height: 1), true),
      (PixelRect(x: -1, y: 0, width: 1, height: 1), false),
      (PixelRect(x: 0, y: 0, width: 0, height: 1), false),
      (PixelRect(x: .max, y: .max, width: .max, height: .max), false),
      (PixelRect(x: .min, y: .min, width: .min, height: .min), false),
      (PixelRect(x: 0, y: .max, width: 1, height: 1), false),
    ])
  func fits(rect: PixelRect, fits: Bool) {
    #expect(rect.fits(in: PixelSize(width: 3, height: 4)) == fits)
  }

  @Test(
    "quarter turns are brought to 0 through 3",
    arguments: [
      (0, 0), (4, 0), (5, 1), (-1, 3), (Int.max, 3), (Int.min, 0),
    ])
  func turns(turns: Int, normal: Int) {
    #expect(PickerEdit(quarterTurns: turns).quarterTurns == normal)
  }

  @Test("an edit from a page is read as it should be, and goes through JSON")
  func editCoding() throws {
    let read = { try JSONDecoder().decode(PickerEdit.self, from: Data(($0 as String).utf8)) }
    #expect(try read("{}") == PickerEdit())
    #expect(try read("{\"quarterTurns\": -1}") == PickerEdit(quarterTurns: 3))
    let edit = PickerEdit(crop: PixelRect(x: 1, y: 2, width: 3, height: 4), quarterTurns: 2)
    #expect(try JSONDecoder().decode(PickerEdit.self, from: JSONEncoder().encode(edit)) == edit)
  }

  @Test("instants are held at the ends of their range")
  func instants() {
    let last = PickerInstant(nanoseconds: .max)
    #expect(last.advanced(by: .seconds(Int64.max)) == last)
    #expect(PickerInstant.distantPast.advanced(by: .seconds(Int64.min)) == .distantPast)
    #expect(PickerInstant.distantPast.duration(to: last) == .nanoseconds(Int64.max))
    #expect(last.duration(to: .distantPast) == .nanoseconds(Int64.min))
    #expect(PickerInstant(nanoseconds: 5).advanced(by: .nanoseconds(7)).nanoseconds == 12)
  }

  @Test("info holds what is known, under the keys of the contract, and nothing else")
  func info() {
    let still = StillImage(jpegData: Data([1]), size: PixelSize(width: 1, height: 1))
    let url = URL(fileURLWithPath: "/a.jpg")
    let media = PickedMedia(
      originalImage: still, editedImage: still,
      cropRect: PixelRect(x: 0, y: 0, width: 1, height: 1),
      imageURL: url, mediaURL: url, mediaMetadata: ["iso": 100])
    #expect(Set(media.info.keys) == Set(ImagePickerController.InfoKey.allCases))
    #expect((media.info[.mediaMetadata] as? [String: any Sendable])?["iso"] as? Int == 100)
    #expect(media.info[.cropRect] is PixelRect)
    #expect(Array(PickedMedia(mediaType: .movie).info.keys) == [.mediaType])
  }

  @Test("every reason has a sentence for the guest", arguments: PickerReason.Code.allCases)
  func sentences(code: PickerReason.Code) {
    #expect(PickerReason(code).guestMessage.hasSuffix("."))
  }

  @Test("a problem says who, what, why and the fix in one line")
  func problem() {
    let problem = AccessProblem(
      subject: "user retake", object: "/dev/video0", cause: "permission denied",
      fix: "sudo usermod -aG video retake")
    #expect(
      problem.description
        == "user retake cannot use /dev/video0: permission denied. "
        + "Fix: sudo usermod -aG video retake")
    #expect(PickerError.sourceUnavailable(.camera, problem).description == problem.description)
  }
}
