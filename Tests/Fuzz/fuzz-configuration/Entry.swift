import FuzzTargets

/// Runs the target on one input; libFuzzer calls this function.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzzConfiguration(UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}
