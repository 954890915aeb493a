/// Memory of an index's own, which begins at the start of a cache line and is freed with its last
/// user.
final class IndexMemory: Sendable {
  nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

  /// Takes memory that is filled with zeros.
  init(byteCount: Int) {
    bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }
}
