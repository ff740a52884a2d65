import Platform

/// A descriptor with several holders, closed when the last one goes.
final class SharedDescriptor: @unchecked Sendable {
  // Unchecked: nothing of it ever changes.
  let descriptor: Descriptor

  init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  var number: Int32 { descriptor.number }
  var system: any SystemCalls { descriptor.system }
}
