import ImagePicker
import Platform
import Synchronization

extension Station {
  /// Ends the session, closes everything and ends the threads; a save under way is finished first.
  ///
  /// Afterwards another station can open the library. The call returns within ``stopLimit``, and
  /// abandons a thread that hangs in a disk or a driver.
  ///
  /// A stopped station cannot be started again, and further calls do nothing.
  public func stop() async {
    guard life.beginStop() else { return }
    reporter.current?.end()
    await withCheckedContinuation { continuation in
      let end = OneResume(continuation)
      let task = Task {
        await closeAll()
        end.resume()
      }
      AbandonableWorker.deadlines?.schedule(at: LinuxSystemCalls().monotonicTime() + Self.stopLimit)
      {
        [log] in
        guard end.resume() else { return }
        log.error("something hangs, and is not waited for any longer")
        task.cancel()
      }
    }
    life.askToEnd()
  }

  /// The maximum time of ``stop()``.
  public static let stopLimit = Duration.seconds(25)
  /// The maximum time that ``stop()`` waits for a save under way.
  private static let lastSave = Duration.seconds(12)
  /// The maximum time that ``stop()`` waits for each other thread.
  private static let lastJob = Duration.seconds(1)

  private func closeAll() async {
    life.willStop()
    let open = triggers.current
    triggers.publish(OpenTriggers())
    open.terminal?.restore()
    await page.close()
    await core.dismiss()
    await endPresentations()
    await panel.close()
    let empty = Studio(configuration)
    await core.updateStudio { $0 = empty }
    let recorder = await movies.abandon()
    let camera = await camera.close()
    await library.end()
    store.dropAll()
    // Joining blocks, so a separate thread does it.
    await withCheckedContinuation { continuation in
      let close: @Sendable () -> Void = { [self] in
        open.socket?.stop()
        movies.close(recorder, within: Self.lastJob)
        // The worker runs its queued jobs, so a save is finished.
        if !worker.stop(within: Self.lastSave) {
          log.error("the library's disk does not answer: what is being saved may be lost")
        }
        reader.stop(within: Self.lastJob)
        looker.stop(within: Self.lastJob)
        camera?.stop(within: Self.lastJob * 2)
        store.close()
        loop.stop(within: Self.lastJob)
        library.close()  // last, so that the keeper records the others' work
        media.close()
        withExtendedLifetime(open.signals) {}
        continuation.resume()
      }
      if let thread = try? Thread("stop", close) { thread.detach() } else { close() }
    }
  }
}

/// A continuation that can be resumed from two places, and resumes once.
private final class OneResume: Sendable {
  private let continuation: Mutex<CheckedContinuation<Void, Never>?>

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

  /// Resumes the continuation; returns false when it was resumed before.
  @discardableResult
  func resume() -> Bool {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume()
    return waiting != nil
  }
}
