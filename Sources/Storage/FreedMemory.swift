import CAllocator

/// Memory that was freed, and that the C library keeps for what comes.
package enum FreedMemory {
  /// The size in bytes from which memory is returned at once.
  private static let largeBytes: CInt = 256 << 10

  /// Gives it back to the system: after work that took far more than what follows will.
  package static func giveBack() { allocatorGiveBack() }

  /// Has large pieces of memory returned to the system as soon as they are freed, from now on in
  /// the whole process.
  ///
  /// glibc does so for pieces of 128 KiB and more until the first of them is freed; from then on it
  /// takes longer ones from the heaps of the threads, the ends of which ``giveBack()`` leaves. For
  /// processes that rest most of the time.
  package static func returnLargePiecesAtOnce() { allocatorKeepApart(largeBytes) }
}
