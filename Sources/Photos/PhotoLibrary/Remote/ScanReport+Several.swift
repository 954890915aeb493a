import SystemPackage

extension ScanReport {
  /// Creates the combined report of consecutive scans.
  package init(_ reports: [ScanReport]) {
    self.init()
    for report in reports { add(report) }
  }

  private mutating func add(_ other: ScanReport) {
    files.add(other.files)
    furtherUnreadable += other.furtherUnreadable
    datedByName += other.datedByName
    new += other.new
    changed += other.changed
    moved += other.moved
    removed += other.removed
    entries.add(other.entries)
    unowned += other.unowned
    linkCount += other.linkCount
    replacedByLinks += other.replacedByLinks
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
    splitRoots.merge(other.splitRoots) { _, last in last }
    pseudoFileSystems += other.pseudoFileSystems
    problems += other.problems
    unread += other.unread
    wasCancelled = wasCancelled || other.wasCancelled
  }
}
