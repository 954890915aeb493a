#if Postgres
  import CivilTime
  import PhotoMetadata
  import Spatial
  import TestSupport

  @testable import PhotoLibrary

  /// A photo of an index, without a file.
  struct TestPhoto {
    /// The path below `/photos`.
    var path: String
    var coordinate: Coordinate
    var captured: CaptureTime?
    var rating: Int8?
    var isFavorite = false

    fileprivate var folder: String {
      "/photos/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }
    fileprivate var name: String { String(path.split(separator: "/").last ?? "") }
  }

  extension PhotoIndex {
    /// Creates an index of photos without files.
    init(_ photos: [TestPhoto]) {
      self.init()
      let folders = Dictionary(grouping: photos, by: \.folder)
        .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (folder, photos) in folders {
        self.folders.append(Array(folder.utf8))
        for photo in photos.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
          appendFile(
            name: Array(photo.name.utf8), status: FileStatus(size: 1, modified: 0, inode: 0),
            outcome: .located,
            photo: PhotoTable.Photo(
              facts: PhotoFacts(
                file: FileID(0), captured: photo.captured, rating: photo.rating,
                isFavorite: photo.isFavorite),
              coordinate: photo.coordinate, source: .exif))
        }
      }
      findShots()
    }
  }

  /// A place at which cells of a clustering meet, with photos metres to kilometres around it.
  struct TestPlace {
    let latitude: Double
    let longitude: Double

    /// Places inside a cell, on corners and edges of cells, at the antimeridian, at the latitudes
    /// where a row is a single cell, and at both poles.
    static let all = [
      TestPlace(latitude: 48.86, longitude: 2.35), TestPlace(latitude: 0, longitude: 0),
      TestPlace(latitude: 48.8549, longitude: 2.2951), TestPlace(latitude: 10, longitude: 180),
      TestPlace(latitude: -16.8, longitude: 179.995), TestPlace(latitude: 70, longitude: -180),
      TestPlace(latitude: 89, longitude: 12), TestPlace(latitude: 88.9999, longitude: 180),
      TestPlace(latitude: -89, longitude: -0.005), TestPlace(latitude: 89.9999, longitude: 120),
      TestPlace(latitude: 90, longitude: 0), TestPlace(latitude: -89.99995, longitude: 10),
    ]

    /// Returns a random position near the place, rounded like those of cameras.
    func position(
      withinMeters spread: Double, _ generator: inout SeededGenerator
    ) -> Coordinate {
      let north = Double.random(in: -spread...spread, using: &generator)
      let east = Double.random(in: -spread...spread, using: &generator)
      var latitude = latitude + north / 111_195
      var longitude =
        longitude + east / (111_195 * max((90 - abs(self.latitude)) * .pi / 180, 1e-6))
      if abs(self.latitude) < 89 { longitude = self.longitude + east / 78_000 }
      if latitude > 90 { (latitude, longitude) = (180 - latitude, longitude + 180) }
      if latitude < -90 { (latitude, longitude) = (-180 - latitude, longitude + 180) }
      longitude = longitude.remainder(dividingBy: 360)
      // Hundredths of an arc second; some on a cell's edge, some 1e-12° beside it.
      latitude = (latitude * 360_000).rounded() / 360_000
      longitude = (longitude * 360_000).rounded() / 360_000
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: latitude = (latitude * 100).rounded() / 100
      case 1: longitude = (longitude * 100).rounded() / 100
      case 2: longitude = (longitude * 100).rounded() / 100 - 1e-12
      case 3 where abs(longitude) > 179.9: longitude = longitude < 0 ? -180 : 180
      default: break
      }
      let nearest = min(max(latitude, -90), 90)
      return Coordinate(latitude: nearest, longitude: min(max(longitude, -180), 180))!
    }

    /// Returns photos around the place: some undated, rated or favourites, some with equal times
    /// or positions, and some files of the same shot.
    func photos(
      _ count: Int, withinMeters spread: Double, prefix: String = "",
      _ generator: inout SeededGenerator
    ) -> [TestPhoto] {
      var photos: [TestPhoto] = []
      while photos.count < count {
        let number = photos.count
        let folder = ["2019 Siena", "DCIM/100CANON", "DCIM-2", "b"].randomElement(using: &generator)
        var photo = TestPhoto(
          path: "\(prefix)\(folder ?? "")/IMG_\(number).JPG",
          coordinate: position(withinMeters: spread, &generator))
        if number % 9 != 0 {
          photo.captured = CaptureTime(
            instant: Instant(
              secondsSince1970: 1_700_000_000
                + Int64.random(in: 0...Int64(count), using: &generator)),
            utcOffsetMinutes: [nil, 120, -330].randomElement(using: &generator) ?? nil)
        }
        if number % 6 == 5, let other = photos.randomElement(using: &generator) {
          photo.coordinate = other.coordinate
        }
        if number % 5 == 0 { photo.rating = Int8(number / 5 % 6) }
        photo.isFavorite = number % 11 == 0
        photos.append(photo)
        // Adds a RAW file of the same shot, or makes the photo a RAW file.
        if number % 8 == 3 {
          var raw = photo
          raw.path = String(photo.path.dropLast(3)) + "CR2"
          photos.append(raw)
        } else if number % 8 == 4 {
          photos[photos.count - 1].path = String(photo.path.dropLast(3)) + "CR2"
        }
      }
      return photos
    }
  }
#endif
