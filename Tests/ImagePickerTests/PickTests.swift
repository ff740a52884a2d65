import ImagePicker
import Testing

@Suite("An asynchronous pick") @MainActor
struct PickTests {
  let host = FakeHost()

  private func start(_ request: PickRequest = PickRequest(source: .camera)) async -> Task<
    PickerResult, any Error
  > {
    let task = Task { try await self.host.pick(request, as: .headless) }
    while host.machine.session == nil { await Task.yield() }
    return task
  }

  private func names(_ result: PickerResult) -> [String]? {
    guard case .finished(let media) = result else { return nil }
    return media.compactMap { $0.imageURL?.lastPathComponent }
  }

  @Test("returns what was picked, in the order chosen")
  func finished() async throws {
    let task = await start()
    host.advance(to: .finished)
    #expect(try await names(task.value) == ["IMG_1.jpg", "second.jpg"])
    #expect(!host.presenter.isOccupied)
  }

  @Test("returns that the guest gave up")
  func cancelled() async throws {
    let task = await start()
    host.input(.cancel)
    #expect(try await names(task.value) == nil)
  }

  @Test("throws why the session failed")
  func failed() async throws {
    let task = await start()
    let problem = AccessProblem(subject: "w", object: "x", cause: "y", fix: "z")
    host.input(.fault(PickerReason(.stationFault, problem: problem)))
    let error = await failure { _ = try await task.value }
    #expect(error?.code == .sessionFailed)
    #expect(error?.fix == "z")
  }

  @Test(
    "is cancelled with its task, in any state that can be",
    arguments: [
      PickerMachine.State.Name.live, .capturing, .reviewing,
    ])
  func taskCancelled(state: PickerMachine.State.Name) async throws {
    let task = await start()
    host.advance(to: state)
    task.cancel()
    #expect(try await names(task.value) == nil)
    #expect(host.machine.state == .cancelled)
  }

  @Test("whose task is cancelled during the save reports what was saved")
  func cancelledDuringSave() async throws {
    let task = await start()
    host.advance(to: .saving)
    task.cancel()
    for _ in 0..<20 { await Task.yield() }
    #expect(host.machine.state.name == .saving)
    host.advance(to: .finished)
    #expect(try await names(task.value)?.count == 2)
  }

  @Test("whose task is cancelled already presents nothing")
  func cancelledBefore() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await self.host.pick(PickRequest(source: .camera))
    }
    #expect(try await names(task.value) == nil)
    #expect(host.machine.session == nil)
  }

  @Test("cancelled while its session begins is cancelled when that has begun")
  func cancelledWhileBeginning() async throws {
    host.beforeBegun = { withUnsafeCurrentTask { $0?.cancel() } }
    let task = Task { try await self.host.pick(PickRequest(source: .camera)) }
    #expect(try await names(task.value) == nil)
    #expect(host.machine.state == .cancelled)
  }

  @Test(
    "is validated like a controller",
    arguments: [
      (-1, PickerError.Code.selectionLimitInvalid), (Int.min, .selectionLimitInvalid),
    ])
  func validated(limit: Int, code: PickerError.Code) async {
    let request = PickRequest(source: .photoLibrary, selectionLimit: limit)
    #expect(await failure { _ = try await self.host.pick(request) }?.code == code)
  }

  @Test("ends when the host stops")
  func shutDown() async throws {
    let task = await start()
    host.presenter.shutDown()
    #expect(try await names(task.value) == nil)
  }
}
