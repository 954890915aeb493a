/// Heap memory for an index, aligned to a cache line and freed with its last reference.
final class IndexMemory: Sendable {
  nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

  /// Allocates memory filled with zeros.
  init(byteCount: Int) {
    bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }
}
