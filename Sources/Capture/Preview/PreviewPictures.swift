import Platform

/// The live pictures of a camera as an asynchronous sequence of the newest picture.
///
/// Pictures that arrive while the consumer works are skipped, so no queue grows. The sequence ends
/// when the camera is stopped or the task is cancelled. Each iterator has a thread of its own,
/// which waits for the camera and copies the picture. Several consumers share one copy.
public struct PreviewPictures: AsyncSequence, Sendable {
  /// A picture, valid as long as it is held.
  public typealias Element = PreviewFrame

  let copier: PreviewCopier

  /// Returns an iterator that begins with the newest picture.
  public func makeAsyncIterator() -> Iterator { Iterator(copier: copier) }

  /// An iterator that waits for pictures newer than its last one.
  public struct Iterator: AsyncIteratorProtocol {
    private let copier: PreviewCopier
    private let waiter = Waiter()
    private var last: FrameID?

    init(copier: PreviewCopier) { self.copier = copier }

    /// Returns the newest picture after the last one; nil when the sequence has ended.
    public mutating func next() async -> PreviewFrame? {
      guard let loop = waiter.loop else { return nil }
      while !Task.isCancelled, !copier.isOver {
        let (copier, known) = (copier, last)
        let found = await loop.run { copier.look(after: known, timeout: Waiter.step) }
        guard let found else { continue }
        last = found.id
        // A frame that cannot be shown is passed over.
        if let picture = found.picture { return picture }
      }
      return nil
    }
  }

  /// The thread of an iterator.
  private final class Waiter: Sendable {
    /// The time after which the wait looks for the end of the sequence.
    static let step = Duration.milliseconds(100)
    /// The thread's loop; nil if the system has no thread left.
    let loop = try? EventLoop("pictures", system: LinuxSystemCalls())

    // The loop is idle, because its only job has a waiting iterator.
    deinit { loop?.stop(within: Waiter.step * 2) }
  }
}

extension PreviewCopier {
  /// The live pictures as an asynchronous sequence.
  public var pictures: PreviewPictures { PreviewPictures(copier: self) }
}
