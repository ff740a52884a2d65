import Platform

/// A descriptor with several holders, closed when the last one goes.
package final class SharedDescriptor: @unchecked Sendable {
  // Unchecked: nothing of it ever changes.
  package let descriptor: Descriptor

  package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  package var number: Int32 { descriptor.number }
  package var system: any SystemCalls { descriptor.system }
}
