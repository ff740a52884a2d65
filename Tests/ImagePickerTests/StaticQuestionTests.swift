import ImagePicker
import Testing

// The tests run one at a time because they set the host that all pickers share.
@Suite("The static questions", .serialized) @MainActor
struct StaticQuestionTests {
  private func with(_ host: FakeHost?, _ body: @MainActor () async throws -> Void) async rethrows {
    ImagePickerController.host = host
    try await body()
    ImagePickerController.host = nil
  }

  @Test("are answered no, and not determined, without a host")
  func withoutHost() async {
    await with(nil) {
      for source in ImagePickerController.SourceType.allCases {
        #expect(!ImagePickerController.isSourceTypeAvailable(source))
        #expect(ImagePickerController.availableMediaTypes(for: source) == nil)
      }
      #expect(!ImagePickerController.isCameraDeviceAvailable(.rear))
      for resource in ImagePickerController.Resource.allCases {
        #expect(ImagePickerController.authorizationStatus(for: resource) == .notDetermined)
        #expect(await ImagePickerController.requestAccess(for: resource) == .notDetermined)
      }
      let picker = ImagePickerController()
      #expect(picker.cameraDevice == .rear)
      picker.takePicture()
      picker.dismiss()
      #expect(!picker.startVideoCapture())
    }
  }

  @Test("are answered by the host, as things are")
  func withHost() async {
    let host = FakeHost()
    host.problems[.camera] = AccessProblem(subject: "a", object: "b", cause: "c", fix: "d")
    await with(host) {
      #expect(!ImagePickerController.isSourceTypeAvailable(.camera))
      #expect(ImagePickerController.availableMediaTypes(for: .camera) == nil)
      #expect(ImagePickerController.isSourceTypeAvailable(.photoLibrary))
      #expect(ImagePickerController.availableMediaTypes(for: .photoLibrary) == [.image])
      host.problems = [:]
      #expect(ImagePickerController.isSourceTypeAvailable(.camera))
      host.types = []
      #expect(ImagePickerController.availableMediaTypes(for: .camera) == nil)
      #expect(ImagePickerController.isCameraDeviceAvailable("booth"))
      #expect(!ImagePickerController.isCameraDeviceAvailable(.front))
      #expect(host.probes == 0)
      #expect(await ImagePickerController.requestAccess(for: .camera) == .authorized)
      #expect(ImagePickerController.authorizationStatus(for: .camera) == .authorized)
      #expect(host.probes == 1)
    }
  }

  @Test("do not keep the host alive")
  func weakHost() async {
    var host: FakeHost? = FakeHost()
    ImagePickerController.host = host
    #expect(ImagePickerController.isSourceTypeAvailable(.camera) == (host != nil))
    host = nil
    #expect(!ImagePickerController.isSourceTypeAvailable(.camera))
  }
}
