import Platform

/// A descriptor with several holders, which is closed when the last one releases it.
package final class SharedDescriptor: @unchecked Sendable {
  // Unchecked because the object never changes.
  package let descriptor: Descriptor

  package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  package var number: Int32 { descriptor.number }
  package var system: any SystemCalls { descriptor.system }
}
