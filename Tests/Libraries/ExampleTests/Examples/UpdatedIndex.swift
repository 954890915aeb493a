import CivilTime
import PhotoLibrary
import SystemPackage

/// Brings the index in a file up to date with a folder, reading only new and changed photos.
func update(
  _ cache: PhotoIndexCache, with folder: FilePath, now: Instant
) throws -> ScanReport {
  let lock = try cache.lock()
  let previous = try cache.load() ?? PhotoIndex()
  let (index, report) = try PhotoIndexer().update(previous, with: [folder], now: now)
  try cache.save(index, clusterRadius: 15)
  _ = consume lock
  return report
}
