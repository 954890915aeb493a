import CivilTime
import Encodings
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotMap
import Storage
import SystemPackage

/// The photos that are worth looking back at: of a week in other years, of places not photographed
/// for years, and of the newest album.
struct Memories {
  let library: ServedLibrary
  let now: Instant

  /// The most spots, areas and pictures of each kind.
  private static let longest = (week: 3, unseen: 3, album: 6)
  /// Half a year: photos that are newer are of this year's week.
  private static let otherYearSeconds = 183 * 86_400.0
  /// Two years without a photo.
  private static let unseenSeconds = 730 * 86_400.0
  /// The most days that photos of one week are apart.
  private static let weekSeconds = Double(2 * SpotFilter.daysAround + 1) * 86_400
  /// The zoom at which a pin is an area of some kilometres.
  static let areaZoom = 8.0

  /// The newest album.
  struct Album {
    /// The folder's name, as the filter takes it.
    let name: String
    /// The folder's name for people.
    let title: String
    /// The number of photos.
    let photoCount: Int
    /// The spots of its photos.
    let spots: MappedSpots
    /// The newest photos, newest first.
    let newest: [Int32]
  }

  /// Finds the spots with photos of a week in other years.
  ///
  /// - Parameter week: The spots with photos of the week.
  /// - Returns: Those with the most photos first, each with a photo of the latest such year.
  func ofWeek(_ week: MappedSpots) -> [(place: Int, photo: Int32)] {
    var found: [(place: Int, photo: Int32)] = []
    for place in week.listed(week.allPlaces) where found.count < Self.longest.week {
      let old = week.photos(ofPlace: place).filter {
        age(of: $0).map { $0 >= Self.otherYearSeconds } ?? false
      }
      guard let newest = old.compactMap(age).min() else { continue }
      let latest = old.filter { (age(of: $0) ?? .infinity) <= newest + Self.weekSeconds }
      let shown = latest.filter { !isPoor($0) }
      guard let photo = library.photos?.cover(of: shown.isEmpty ? latest : shown) else { continue }
      found.append((place, photo))
    }
    return found
  }

  /// Finds the areas whose latest photo is at least two years old.
  ///
  /// - Parameter filter: The filter of the photos.
  /// - Returns: The areas, the oldest first, each with its latest time of capture.
  func unseen(_ filter: SpotFilter) -> [(cluster: ClusterLevel.Cluster, last: CaptureTime)] {
    let level = library.level(Self.areaZoom, filter)
    let mapped = library.spots(passing: filter)
    let areas = level.clusters(in: .world).compactMap { cluster in
      last(of: level.places(ofPin: cluster), mapped).map { (cluster: cluster, last: $0) }
    }
    let old = areas.filter { now.seconds(since: $0.last.instant) >= Self.unseenSeconds }
    return Array(old.sorted { $0.last.instant < $1.last.instant }.prefix(Self.longest.unseen))
  }

  /// Finds the album of the latest photo that is in one whose name people gave.
  ///
  /// - Parameter filter: The filter of the photos.
  /// - Returns: The album; `nil` if there is none.
  func newestAlbum(_ filter: SpotFilter) -> Album? {
    let all = library.spots(passing: filter)
    var latest: [Int32: (instant: Instant, photo: Int32)] = [:]
    for photo in photos(of: all) {
      guard let captured = library.photos?.captured(of: photo)?.instant,
        let folder = library.photos?.folder(of: photo)
      else { continue }
      if let known = latest[folder], known.instant >= captured { continue }
      latest[folder] = (captured, photo)
    }
    let folders = latest.values.sorted {
      ($0.instant, $0.photo) > ($1.instant, $1.photo)
    }
    for folder in folders {
      guard let album = library.index.shot(at: Int(folder.photo)).photo.album,
        let title = PlaceName.name(ofAlbum: album.bytes)
      else { continue }
      var filter = filter
      filter.album = NameText.text(of: album.bytes)
      let spots = library.spots(passing: filter)
      let newest = photos(of: spots).map { (instant: captured($0), photo: $0) }
        .sorted { ($0.instant, $0.photo) > ($1.instant, $1.photo) }.map(\.photo)
      let shown = newest.filter { !isPoor($0) }
      return Album(
        name: filter.album ?? title, title: title, photoCount: spots.photoCount, spots: spots,
        newest: Array(shown.prefix(Self.longest.album)))
    }
    return nil
  }

  private func photos(of mapped: MappedSpots) -> [Int32] {
    mapped.allPlaces.flatMap(mapped.photos(ofPlace:))
  }

  private func last(of places: [Int], _ mapped: MappedSpots) -> CaptureTime? {
    places.lazy.flatMap(mapped.photos(ofPlace:)).compactMap { library.photos?.captured(of: $0) }
      .max { $0.instant < $1.instant }
  }

  /// Returns the time of capture; the earliest instant for an undated photo.
  private func captured(_ photo: Int32) -> Instant {
    library.photos?.captured(of: photo)?.instant ?? Instant(millisecondsSince1970: .min)
  }

  private func age(of photo: Int32) -> Double? {
    library.photos?.captured(of: photo).map { now.seconds(since: $0.instant) }
  }

  private func isPoor(_ photo: Int32) -> Bool {
    library.poorPhotos.contains(library.name(ofPhoto: photo))
  }
}
