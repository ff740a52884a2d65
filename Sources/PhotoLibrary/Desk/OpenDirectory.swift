import Platform

/// An open directory that closures and other threads can share, unlike a `Descriptor` in Swift 6.0.
final class OpenDirectory: @unchecked Sendable {
  // Unchecked: the descriptor never changes.
  private let folder: Descriptor

  init(_ folder: consuming Descriptor) { self.folder = folder }

  /// The descriptor's number, valid while this object lives.
  var number: Int32 { folder.number }
}
