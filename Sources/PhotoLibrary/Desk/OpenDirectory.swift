import Platform

/// An open directory that closures can hold, which they cannot do with a `Descriptor` in Swift 6.0.
final class OpenDirectory {
  private let folder: Descriptor

  init(_ folder: consuming Descriptor) { self.folder = folder }

  /// Valid as long as this object lives.
  var number: Int32 { folder.number }
}
