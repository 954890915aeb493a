import CAllocator

/// Control over freed memory that the C library keeps for reuse.
package enum FreedMemory {
  /// The size in bytes from which freed blocks are returned to the system at once.
  private static let largeBytes: CInt = 256 << 10

  /// Returns freed memory to the system; call it after work with an unusually high memory use.
  package static func returnToSystem() { allocatorTrim() }

  /// Makes the process return large blocks of memory to the system as soon as they are freed.
  ///
  /// By default, glibc does so for blocks of 128 KiB and more only until the first such block is
  /// freed. It then raises the threshold and allocates large blocks from the heaps of threads,
  /// whose free ends ``returnToSystem()`` does not return. Intended for processes that are idle
  /// most of the time.
  package static func returnLargePiecesAtOnce() { allocatorSetMapThreshold(largeBytes) }
}
