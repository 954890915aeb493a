package import CivilTime
package import Interchange
package import SpotWatcher
import SystemPackage

/// What the files of a state folder say, from their bytes and without a disk: for tests that read
/// millions of them.
package enum StateDocuments {
  /// What follows from a journal.
  package struct Journal {
    /// What it says of the past.
    package let history: [HistoryEntry]
    /// What a watcher goes on with.
    package let state: WatcherState
    /// The journal without what is not needed any more.
    package let compacted: [UInt8]
  }

  /// Reads a journal.
  ///
  /// - Throws: `AlertStateError` where it is none, or of a later version.
  package static func journal(
    _ bytes: [UInt8], now: Instant
  ) throws(AlertStateError) -> Journal {
    let radius = WatcherSettings().clusterRadiusMeters
    let contents = try JournalContents(bytes, path: "journal")
    return Journal(
      history: contents.history, state: contents.watcherState(clusterRadiusMeters: radius),
      compacted: contents.compacted(
        now: now, clusterRadiusMeters: radius, limits: JournalLimits()))
  }

  /// Reads what can be read of a log of devices, and writes it anew.
  package static func devices(
    _ bytes: [UInt8]
  ) -> (reports: [DeviceReport], written: [UInt8], isDamaged: Bool) {
    let contents = DeviceLog.list.contents(in: bytes) { reader throws(JSONError) in
      try DeviceReport(from: &reader)
    }
    let written = DeviceLog.list.document(contents.elements) { $1.write(to: &$0) }
    return (contents.elements, written, contents.damage != nil)
  }

  /// Reads a list of muted spots, and writes it anew.
  ///
  /// - Throws: `JSONError` where it is none.
  package static func mutes(
    _ bytes: [UInt8]
  ) throws(JSONError) -> (spots: [MutedSpot], written: [UInt8]) {
    let spots = try MuteList.list.elements(in: bytes, MuteList.mute)
    return (spots, MuteList.list.document(spots) { MuteList.write($1, to: &$0) })
  }
}
