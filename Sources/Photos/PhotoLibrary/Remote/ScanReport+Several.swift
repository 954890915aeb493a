import SystemPackage

extension ScanReport {
  /// Creates the combined report of consecutive scans.
  package init(_ reports: [ScanReport]) {
    self.init()
    for report in reports { add(report) }
  }

  private mutating func add(_ other: ScanReport) {
    scanned += other.scanned
    located += other.located
    withoutPosition += other.withoutPosition
    datedByName += other.datedByName
    malformed += other.malformed
    unreadable += other.unreadable
    new += other.new
    changed += other.changed
    moved += other.moved
    removed += other.removed
    notPhotos += other.notPhotos
    entries.add(other.entries)
    unowned += other.unowned
    unsettled += other.unsettled
    filesRead += other.filesRead
    bytesRead += other.bytesRead
    staleRoots += other.staleRoots
    staleProblems.merge(other.staleProblems) { _, last in last }
    staleReasons.merge(other.staleReasons) { _, last in last }
    droppedPositions += other.droppedPositions
    lostPositions += other.lostPositions
    heldBack.merge(other.heldBack) { _, last in last }
    movedRoots += other.movedRoots
    pseudoFileSystems += other.pseudoFileSystems
    problems += other.problems
    unread += other.unread
    wasCancelled = wasCancelled || other.wasCancelled
  }
}
