/// The outcome of one session, which may arrive before or after the caller starts to wait for it.
@MainActor final class PickWaiter {
  private var result: PickerDelivery?
  private var continuation: CheckedContinuation<PickerDelivery, Never>?

  func resolve(_ delivery: PickerDelivery) {
    guard result == nil else { return }
    result = delivery
    continuation?.resume(returning: delivery)
    continuation = nil
  }

  func delivery() async -> PickerDelivery {
    if let result { return result }
    return await withCheckedContinuation { continuation = $0 }
  }
}
