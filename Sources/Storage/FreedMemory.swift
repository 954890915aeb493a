import CAllocator

/// Memory that was freed, and that the C library keeps for what comes.
package enum FreedMemory {
  /// Gives it back to the system: after work that took far more than what follows will.
  package static func giveBack() { allocatorGiveBack() }
}
