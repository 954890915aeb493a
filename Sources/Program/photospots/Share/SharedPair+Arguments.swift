import Encodings
import PhotoLibrary
import ProgramSettings
import Storage
import ThenAndNow

extension SharedPair {
  /// Finds the photos.
  ///
  /// - Parameters:
  ///   - named: The id of a spot; two photos separated by a comma; or two photos. Photos are given
  ///     by their paths, by the names of indexed files, or by their ids on the page.
  ///   - index: The index, which is not needed for paths.
  ///   - radiusMeters: The cluster radius.
  /// - Throws: A `MessageError` if a spot or photo does not exist, or several have the name.
  init(_ named: [String], _ index: IndexArguments, clusterRadius radiusMeters: Double) throws {
    let names = Self.pair(named)
    guard let names else {
      let (photos, spots) = try Self.open(index, radiusMeters)
      let id = try SpotReference.id(
        named[0], in: spots,
        advice: "'\(index.commands().text("spots"))' lists them; to share photos, name two"
      )
      guard let spot = try spots.spot(ofID: id) else { throw MessageError("no such spot") }
      self = try Self(of: spot, photos, by: .confined)
      guard !photos.isCutOff else { throw MessageError.cutOff }
      return
    }
    var (library, spot) = ((PhotoIndex, SpotIndex)?.none, PhotoSpot?.none)
    // Files are found without an index too, or with one that cannot be read.
    var files: PhotoIndex??
    func filesOfIndex() -> PhotoIndex? {
      if files == nil { files = .some(try? index.cache.load()) }
      return files ?? nil
    }
    func photo(_ name: String) throws -> SharedPhoto {
      guard Self.isID(name) else {
        let file = NamedPhotoFile(name, in: filesOfIndex)
        switch file {
        case .typed(let path): return try SharedPhoto(reading: path)
        case .indexed(let path):
          return try SharedPhoto(
            reading: filesOfIndex()?.libraryFile(path) ?? LibraryFile(path))
        case .several:
          throw MessageError(file.list(named: name).joined(separator: "\n"))
        }
      }
      let (photos, spots) = try library ?? Self.open(index, radiusMeters)
      library = (photos, spots)
      guard let number = PhotoNames(of: photos).photo(named: name.lowercased()) else {
        throw MessageError(
          "the index has no photo with the id \(name.escaped), or its file changed")
      }
      let place = SpotPhotos(of: spots)?.spotPlaces()[Int(number)]
      if spot == nil, let place, place >= 0 { spot = spots.spots[Int(place)] }
      return SharedPhoto(photos.shot(at: Int(number)), photos)
    }
    try self.init(try photo(names.0), try photo(names.1), spot)
    if let library, library.0.isCutOff { throw MessageError.cutOff }
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
