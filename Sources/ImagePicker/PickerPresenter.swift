/// The holder of a host's single presentation, with its picker or waiting caller, its session and
/// its outcome.
@MainActor public final class PickerPresenter {
  private var current: Presentation?
  /// Outcomes that arrived before `beginSession` returned the session's identifier.
  private var early: [SessionID: PickerDelivery] = [:]
  /// Sessions that returned to `idle` before `beginSession` returned their identifier.
  private var endedEarly: Set<SessionID> = []
  private var waitingForSettlement: [CheckedContinuation<Void, Never>] = []

  /// Creates a presenter that presents nothing.
  public init() {}

  /// Whether a picker is presented or a `pick` is under way.
  public var isOccupied: Bool { current != nil }

  /// The style of the current presentation; nil if there is none.
  public var style: ImagePickerController.PresentationStyle? { current?.style }

  /// The request of the current presentation; nil if there is none.
  public var request: PickRequest? { current?.request }

  /// The session of the current presentation; nil until it has begun.
  public var session: SessionID? { current?.session }

  /// Delivers the session's outcome to the picker's delegate or to the caller of `pick`; later
  /// outcomes of the same session are ignored.
  ///
  /// The outcome of a session that no presentation began (a press in `idle`) is ignored.
  public func deliver(_ delivery: PickerDelivery, of session: SessionID) {
    guard let current else { return }
    guard let own = current.session else {
      early[session] = delivery
      return
    }
    guard own == session, !current.isDelivered else { return }
    hand(delivery)
  }

  /// Records the frames that the session's review offers now, or nil for none, and notifies the
  /// delegate.
  ///
  /// The delegate is notified once of each change to an offer.
  public func offer(_ frames: ReviewFrames?, of session: SessionID) {
    guard let own = current?.session, own == session, current?.frames != frames else { return }
    current?.frames = frames
    guard let frames, current?.isDismissed == false, let picker = current?.client.controller else {
      return
    }
    picker.delegate?.imagePickerController(picker, didOffer: frames)
  }

  /// Ends the presentation of a session that has returned to `idle`, even if its delegate did not
  /// dismiss the picker.
  public func sessionEnded(_ session: SessionID) {
    guard let current else { return }
    guard let own = current.session else {
      endedEarly.insert(session)
      return
    }
    guard own == session else { return }
    if !current.isDelivered { hand(.cancelled) }
    if self.current?.session == session { settle() }
  }

  /// Ends the current presentation as cancelled, because the host stops.
  ///
  /// The host first waits for the outcome of a save in progress.
  public func shutDown() {
    guard current != nil else { return }
    if current?.isDelivered == false { hand(.cancelled) }
    settle()
  }
}

extension PickerPresenter {
  func present(
    _ picker: ImagePickerController, as style: ImagePickerController.PresentationStyle,
    on host: any ImagePickerHost
  ) async throws(PickerError) {
    try await begin(.controller(picker), picker.request, as: style, on: host)
  }

  func pick(
    _ request: PickRequest, as style: ImagePickerController.PresentationStyle,
    on host: any ImagePickerHost
  ) async throws(PickerError) -> PickerResult {
    if Task.isCancelled { return .cancelled }
    let waiter = PickWaiter()
    try await begin(.waiter(waiter), request, as: style, on: host)
    let delivery = await withTaskCancellationHandler {
      await waiter.delivery()
    } onCancel: {
      Task { @MainActor [weak self, weak host] in self?.cancel(waiter, on: host) }
    }
    switch delivery {
    case .finished(let media): return .finished(media)
    case .cancelled: return .cancelled
    case .failed(let reason): throw PickerError.sessionFailed(reason)
    }
  }

  func isPresenting(_ picker: ImagePickerController) -> Bool {
    guard let current, !current.isDismissed else { return false }
    return current.client.controller === picker
  }

  func frames(of picker: ImagePickerController) -> ReviewFrames? {
    isPresenting(picker) ? current?.frames : nil
  }

  func session(of picker: ImagePickerController) -> SessionID? {
    isPresenting(picker) ? current?.session : nil
  }

  func dismiss(_ picker: ImagePickerController, on host: any ImagePickerHost) {
    guard isPresenting(picker) else { return }
    current?.isDismissed = true
    let session = current?.session
    if current?.isDelivered == true { settle() }
    if let session { host.send(.dismiss, session: session) }
  }

  private func cancel(_ waiter: PickWaiter, on host: (any ImagePickerHost)?) {
    guard let current, let session = current.session, !current.isDelivered,
      current.client.waiter === waiter
    else { return }
    host?.send(.cancel, session: session)
  }
}

extension PickerPresenter {
  private func begin(
    _ client: Client, _ request: PickRequest,
    as style: ImagePickerController.PresentationStyle, on host: any ImagePickerHost
  ) async throws(PickerError) {
    while let current, current.isDismissed { await settlement() }
    guard current == nil else { throw PickerError.alreadyPresenting }
    try request.validate(on: host)
    current = Presentation(client: client, request: request, style: style)
    client.controller?.presentingHost = host
    defer {
      early.removeAll()
      endedEarly.removeAll()
    }
    let session: SessionID
    do {
      session = try await host.beginSession(request, as: style)
    } catch {
      if isUp(client) { settle() }
      throw error
    }
    guard isUp(client) else {
      // The host was shut down while the session began.
      return host.send(.dismiss, session: session)
    }
    current?.session = session
    if let delivery = early[session] {
      hand(delivery)
    } else if current?.isDismissed == true {
      host.send(.dismiss, session: session)
    }
    if endedEarly.contains(session), isUp(client) { sessionEnded(session) }
  }

  private func isUp(_ client: Client) -> Bool {
    current?.client.isSame(as: client) ?? false
  }

  private func hand(_ delivery: PickerDelivery) {
    guard let presentation = current else { return }
    current?.isDelivered = true
    switch presentation.client {
    case .waiter(let waiter):
      settle()
      waiter.resolve(delivery)
    case .controller(let picker):
      let delegate = picker.delegate
      // The presentation ends before the delegate is called, so that the delegate may present again
      // at once.
      if presentation.isDismissed || delegate == nil { settle() }
      tell(delegate, picker, delivery, dismissed: presentation.isDismissed)
    }
  }

  private func tell(
    _ delegate: (any ImagePickerControllerDelegate)?, _ picker: ImagePickerController,
    _ delivery: PickerDelivery, dismissed: Bool
  ) {
    switch delivery {
    case .finished(let media):
      delegate?.imagePickerController(picker, didFinishPicking: media)
    case .cancelled:
      // As in UIKit, the code that dismissed the picker is not notified of the cancellation.
      if !dismissed { delegate?.imagePickerControllerDidCancel(picker) }
    case .failed(let reason):
      delegate?.imagePickerController(picker, didFailWith: .sessionFailed(reason))
    }
  }

  private func settle() {
    current?.client.controller?.presentingHost = nil
    current = nil
    let waiting = waitingForSettlement
    waitingForSettlement = []
    for continuation in waiting { continuation.resume() }
  }

  private func settlement() async {
    await withCheckedContinuation { waitingForSettlement.append($0) }
  }
}

extension PickerPresenter {
  /// The picker or the waiting caller that a presentation belongs to.
  private enum Client {
    case controller(ImagePickerController)
    case waiter(PickWaiter)

    var controller: ImagePickerController? {
      if case .controller(let controller) = self { controller } else { nil }
    }

    var waiter: PickWaiter? {
      if case .waiter(let waiter) = self { waiter } else { nil }
    }

    func isSame(as other: Client) -> Bool {
      switch (self, other) {
      case (.controller(let one), .controller(let two)): one === two
      case (.waiter(let one), .waiter(let two)): one === two
      default: false
      }
    }
  }

  private struct Presentation {
    let client: Client
    let request: PickRequest
    let style: ImagePickerController.PresentationStyle
    var session: SessionID?
    /// The frames that the session's review offers.
    var frames: ReviewFrames?
    var isDismissed = false
    var isDelivered = false
  }
}
