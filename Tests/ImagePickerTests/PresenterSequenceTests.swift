import ImagePicker
import Testing

/// Programs that present, dismiss, forget and cancel in any order, over guests who press anything.
@Suite("The presenter under generated sequences") @MainActor
struct PresenterSequenceTests {
  /// A delegate that counts its calls and may dismiss the picker.
  final class Counter: ImagePickerControllerDelegate {
    var outcomes = 0
    var dismisses = true

    func imagePickerController(
      _ picker: ImagePickerController,
      didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: Any]
    ) { hear(picker) }

    func imagePickerControllerDidCancel(_ picker: ImagePickerController) { hear(picker) }

    private func hear(_ picker: ImagePickerController) {
      outcomes += 1
      if dismisses { picker.dismiss() }
    }
  }

  @Test("every presentation has one outcome at most, and the station is free in the end")
  func sequences() async throws {
    let seed = SplitMix.runSeed
    print("presenter sequences: RETAKE_SEED=\(seed)")
    var random = SplitMix(seed: seed)
    var presented = 0
    for _ in 0..<150 {
      let host = FakeHost()
      var counters: [Counter] = []
      var picks: [Task<PickerResult, any Error>] = []
      var picker: ImagePickerController?
      for _ in 0..<60 {
        switch random.below(9) {
        case 0:
          // A save in progress would rightly hold up a presentation after a dismissal.
          guard host.machine.state.name != .saving else { break }
          let (next, counter) = (ImagePickerController(host: host), Counter())
          next.sourceType = random.pick([.camera, .photoLibrary])
          next.delegate = counter
          counter.dismisses = random.chance(60)
          let error = await failure { try await host.present(next) }
          guard error == nil else {
            #expect(error?.code == .alreadyPresenting, "RETAKE_SEED=\(seed)")
            break
          }
          presented += 1
          picker = next
          if random.chance(80) { counters.append(counter) }
        case 1: picker?.dismiss()
        case 2: picker?.takePicture()
        case 3: host.input(.cancel)
        case 4: host.expire()
        case 5: host.input(.fault(PickerReason(.stationFault)))
        case 6:
          picks.append(Task { try await host.pick(PickRequest(source: .camera)) })
          await Task.yield()
        case 7: if !picks.isEmpty { random.pick(picks).cancel() }
        default: host.advance(to: random.pick([.capturing, .reviewing, .saving, .finished]))
        }
        for _ in 0..<random.below(4) { await Task.yield() }
        #expect(counters.allSatisfy { $0.outcomes <= 1 }, "RETAKE_SEED=\(seed)")
      }
      // The picks that still wait must end, as the guests' sessions do.
      for pick in picks { pick.cancel() }
      for _ in 0..<400 {
        host.advance(to: .finished)
        host.expire()
        host.input(.cancel)
        await Task.yield()
      }
      #expect(!host.presenter.isOccupied, "RETAKE_SEED=\(seed)")
      #expect(host.machine.state == .idle, "RETAKE_SEED=\(seed)")
      for pick in picks { _ = await pick.result }
      #expect(counters.allSatisfy { $0.outcomes <= 1 }, "RETAKE_SEED=\(seed)")
    }
    #expect(presented > 200)
  }
}
