import Foundation
import PhotoSpots
import PhotoSpotsFoundation

/// Indexes the photos below a file URL.
func index(_ folder: URL, at date: Date) throws -> PhotoIndex {
  guard let path = FilePath(folder) else { throw URLError(.unsupportedURL) }
  return try PhotoIndexer().update(PhotoIndex(), with: [path], now: Instant(date)).index
}

/// Returns the fixes of a phone's valid locations.
func fixes(of locations: [some DeviceLocation]) -> [LocationFix] {
  locations.compactMap { LocationFix($0, device: "phone") }
}
