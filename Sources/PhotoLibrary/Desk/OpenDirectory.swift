import Platform

/// An open directory that closures and other threads can hold, which they cannot do with a
/// `Descriptor` in Swift 6.0.
final class OpenDirectory: @unchecked Sendable {
  // Unchecked: the descriptor is the same from the beginning to the end.
  private let folder: Descriptor

  init(_ folder: consuming Descriptor) { self.folder = folder }

  /// Valid as long as this object lives.
  var number: Int32 { folder.number }
}
