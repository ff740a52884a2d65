import Testing

@testable import ImagePicker

@Suite("A movie")
struct RecordingTests {
  private static func live(
    _ mode: ImagePickerController.CameraCaptureMode = .video,
    longest: Duration? = nil, conditions: PickerMachine.Conditions = .ready
  ) -> Booth {
    var booth = Booth(countdown: .seconds(3), conditions: conditions)
    booth.send(
      .begin(
        PickerMachine.Request(
          mediaTypes: [.image, .movie], captureMode: mode, longestMovie: longest)), at: 1_000)
    return booth
  }

  @Test("begins with the press itself, without a countdown, and has a longest time")
  func begins() {
    var booth = Self.live()
    let effects = booth.send(.shutter, at: 2_000, now: 2_030)
    #expect(effects.recordings == [.milliseconds(2_000)])
    #expect(booth.name == .recording)
    #expect(booth.machine.timer?.deadline == .milliseconds(12_030))
    booth.expire()
    #expect(booth.name == .capturing)
  }

  @Test("is as long as was asked for, but never longer than the configuration allows")
  func longest() {
    for (wanted, deadline) in [(Duration.seconds(4), Int64(6_000)), (.seconds(60), 12_000)] {
      var booth = Self.live(longest: wanted)
      booth.send(.startRecording, at: 2_000)
      #expect(booth.machine.timer?.deadline == .milliseconds(deadline))
    }
  }

  @Test("ends with the next press, or when the program stops it; a bounce does not end it")
  func ends() {
    for event in [PickerMachine.Event.shutter, .stopRecording] {
      var booth = Self.live()
      booth.send(.shutter, at: 2_000)
      #expect(booth.send(.shutter, at: 2_001).isEmpty)
      let candidate = booth.candidate
      let effects = booth.send(event, at: 4_000)
      #expect(effects.contains(.stopRecording(candidate, moment: .milliseconds(4_000))))
      #expect(booth.name == .capturing)
      booth.send(.recordingEnded(candidate, nil), at: 4_100)
      #expect(booth.name == .reviewing)
    }
  }

  @Test("that the program starts needs a session for movies, in the live picture")
  func allowed() {
    var photos = Booth.in(.live)
    #expect(photos.send(.startRecording, at: 2_000).isEmpty)
    var both = Self.live(.photo)
    #expect(both.send(.startRecording, at: 2_000).recordings.count == 1)
    #expect(both.send(.startRecording, at: 9_000).isEmpty)
    var photo = Self.live(.photo)
    photo.send(.shutter, at: 2_000)
    #expect(photo.name == .countdown)
  }

  @Test("is refused without an encoder or room; photos are not")
  func refused() {
    var conditions = PickerMachine.Conditions.ready
    conditions.movies = .unavailable(PickerReason(.moviesUnavailable))
    var booth = Self.live(.photo, conditions: conditions)
    #expect(booth.send(.startRecording, at: 2_000).refusals == [.moviesUnavailable])
    #expect(booth.send(.shutter, at: 4_000).refusals.isEmpty)
    #expect(booth.name == .countdown)
    var closed = Booth(conditions: conditions)
    let request = PickerMachine.Request(mediaTypes: [.movie], captureMode: .video)
    #expect(closed.send(.begin(request), at: 1_000).refusals == [.moviesUnavailable])
  }

  @Test("that ended early is reviewed like others, and the guest is told")
  func cutShort() {
    var booth = Booth.in(.recording)
    let effects = booth.send(
      .recordingEnded(booth.candidate, PickerReason(.movieCutShort)), at: 5_000)
    #expect(booth.name == .reviewing)
    #expect(effects.contains(.announce(.movieCutShort)))
    booth.send(.accept, at: 6_000)
    #expect(booth.name == .saving)
  }

  @Test("goes on when the camera or the disk is lost: the recording says what came of it")
  func losses() {
    for resource in PickerMachine.Condition.Resource.allCases {
      var booth = Booth.in(.recording)
      booth.send(.condition(resource, .unavailable(PickerReason(.stationFault))), at: 5_000)
      #expect(booth.name == .recording)
    }
  }

  @Test("whose answer never comes ends as a failure, and is discarded")
  func watchdog() {
    var booth = Booth.in(.recording)
    let candidate = booth.candidate
    booth.expire()
    let effects = booth.expire()
    #expect(booth.name == .failed)
    #expect(effects.contains(.discard(candidate)))
    #expect(booth.send(.recordingEnded(candidate, nil), at: 90_000).contains(.discard(candidate)))
  }

  @Test("a retake discards it and shows the live picture")
  func retake() {
    var booth = Booth.in(.recording)
    let candidate = booth.candidate
    booth.send(.stopRecording, at: 4_000)
    booth.send(.recordingEnded(candidate, nil), at: 4_100)
    #expect(booth.send(.retake, at: 4_200).contains(.discard(candidate)))
    #expect(booth.name == .live)
  }

  @Test("a photo taken during it shares its fate, and the movie goes on")
  func still() {
    var booth = Booth.in(.recording)
    let candidate = booth.candidate
    let effects = booth.send(.still, at: 4_000)
    guard case .addStill(let of, _, let moment)? = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(of == candidate)
    #expect(moment == .milliseconds(4_000))
    #expect(booth.name == .recording)
    #expect(booth.send(.still, at: 4_300).isEmpty)
  }
}
