import CivilTime
import PhotoLibrary
import PhotoMetadata
import Pictures
import Spatial
import SystemPackage
import Towns

/// A photo in a shared picture.
struct SharedPhoto {
  /// The files of the photo, beginning with the one that represents it.
  let files: [FilePath]
  /// The time it was taken.
  let captured: CaptureTime?
  /// The position.
  let coordinate: Coordinate?

  /// The year in the camera's local time.
  var year: Int? {
    captured.flatMap { CivilDateTime($0.instant, utcOffsetMinutes: $0.utcOffsetMinutes ?? 0)?.year }
  }

  /// Creates a shared photo from a photo of the index.
  init(_ shot: PhotoShot) {
    files = shot.files
    (captured, coordinate) = (shot.photo.captured, shot.photo.coordinate)
  }

  /// Reads a photo from a file.
  ///
  /// - Throws: A ``Failure`` if the file does not exist or cannot be read.
  init(reading path: FilePath) throws {
    var reader = MetadataReader()
    do throws(PhotoFileError) {
      let file = try PhotoFile(path)
      let reading = try? reader.read(file.descriptor, count: Int(clamping: file.size))
      guard case .photo(let properties)? = reading else {
        (files, captured, coordinate) = ([path], nil, nil)
        return
      }
      (files, captured, coordinate) = ([path], properties.captured, properties.coordinate)
    } catch {
      switch error {
      case .system(let errno): throw Failure("\(path.escaped): \(errno)")
      case .notRegular: throw Failure("\(path.escaped) is not a file")
      }
    }
  }

  /// The error message for a photo without a picture.
  func failure(_ cause: PictureError) -> Failure {
    let name = files.first.map(\.escaped) ?? "a photo"
    guard cause == .noPicture else { return Failure("\(name): \(cause)") }
    return Failure("\(name): no picture can be made of it; JPEG and RAW photos can be shared")
  }
}

/// The two photos of a shared picture.
struct SharedPair {
  let earlier: SharedPhoto
  let later: SharedPhoto
  /// The names of the place: those of the album and the town.
  let places: [String]

  /// The maximum number of photos tried from each end of a spot until one can be displayed.
  private static let maximumTried = 16
  /// The side in pixels of the picture that is rendered to check that a photo can be displayed.
  private static let trialSide = 96

  /// Finds the photos.
  ///
  /// - Parameters:
  ///   - named: The id of a spot; two photos separated by a comma; or two photos. Photos are given
  ///     by their paths or by their ids on the page.
  ///   - index: The index, which is not needed for paths.
  ///   - radiusMeters: The cluster radius.
  /// - Throws: A ``Failure`` if a spot or photo does not exist.
  init(_ named: [String], _ index: IndexArguments, clusterRadius radiusMeters: Double) throws {
    let names = Self.pair(named)
    guard let names else {
      let (photos, spots) = try Self.open(index, radiusMeters)
      let id = try SpotReference.id(
        named[0], in: spots, advice: "'photospots spots' lists them; separate two photos by a comma"
      )
      guard let spot = try spots.spot(ofID: id) else { throw Failure("no such spot") }
      self = try Self(of: spot, photos)
      guard !photos.isCutOff else { throw Failure.cutOff }
      return
    }
    var (library, spot) = ((PhotoIndex, SpotIndex)?.none, PhotoSpot?.none)
    func photo(_ name: String) throws -> SharedPhoto {
      guard Self.isID(name) else { return try SharedPhoto(reading: Paths.absolute(name)) }
      let (photos, spots) = try library ?? Self.open(index, radiusMeters)
      library = (photos, spots)
      guard let number = PhotoNames(of: photos).photo(named: name.lowercased()) else {
        throw Failure(
          "the index has no photo with the id \(name.escaped), or its file changed")
      }
      let place = SpotPhotos(of: spots)?.spotPlaces()[Int(number)]
      if spot == nil, let place, place >= 0 { spot = spots.spots[Int(place)] }
      return SharedPhoto(photos.shot(at: Int(number)))
    }
    try self.init(try photo(names.0), try photo(names.1), spot)
    if let library, library.0.isCutOff { throw Failure.cutOff }
  }

  /// Orders two photos by time. Undated photos keep the order in which they were given.
  private init(_ first: SharedPhoto, _ second: SharedPhoto, _ spot: PhotoSpot?) throws {
    let isTurned = first.captured.flatMap { first in
      second.captured.map { $0.instant < first.instant }
    }
    (earlier, later) = isTurned == true ? (second, first) : (first, second)
    let town = (earlier.coordinate ?? later.coordinate)
      .flatMap { Gazetteer.world.nearest(to: $0)?.town.name }
    // Never the coordinates: a picture reveals its position only on request.
    places = [spot?.placeName, spot?.town?.town.name, town].compactMap(\.self)
  }

  /// Selects the earliest and the latest dated photo of a spot that can be displayed.
  private init(of spot: PhotoSpot, _ photos: PhotoIndex) throws {
    let dated = spot.members.map { photos.shot(at: Int($0)) }
      .filter { $0.photo.captured != nil }
    func shown(_ shots: some Sequence<PhotoShot>) -> PhotoShot? {
      shots.prefix(Self.maximumTried).first { shot in
        (try? PictureMaking.pixels(of: shot.files, longestSide: Self.trialSide)) != nil
      }
    }
    guard let first = shown(dated), let last = shown(dated.reversed()), first != last else {
      throw Failure(
        "the spot \(spot.id) does not have two dated photos that can be shown; name two photos")
    }
    try self.init(SharedPhoto(first), SharedPhoto(last), spot)
  }

  private static func open(
    _ index: IndexArguments, _ radiusMeters: Double
  ) throws -> (PhotoIndex, SpotIndex) {
    let photos = try index.open(clusterRadius: radiusMeters)
    return (photos, SpotIndex(photos, clusterRadius: radiusMeters))
  }

  /// Returns the two photos that are named; `nil` for a spot.
  ///
  /// A path may itself contain commas. If there are several commas, the text is split where both
  /// parts are existing files.
  private static func pair(_ named: [String]) -> (String, String)? {
    if named.count > 1 { return (named[0], named[1]) }
    let name = named[0]
    let pairs = name.indices.filter { name[$0] == "," }.map { comma in
      (String(name[..<comma]), String(name[name.index(after: comma)...]))
    }
    return pairs.first { isPhoto($0.0) && isPhoto($0.1) } ?? pairs.first
  }

  private static func isPhoto(_ name: String) -> Bool {
    isID(name) || (try? SharedPhoto(reading: Paths.absolute(name))) != nil
  }

  /// Returns whether a text is the page's id of a photo, rather than a file.
  private static func isID(_ name: String) -> Bool {
    name.utf8.count == 16
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "2")...UInt8(ascii: "7"):
          true
        default: false
        }
      }
  }
}
