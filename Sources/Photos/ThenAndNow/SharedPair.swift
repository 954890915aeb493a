import CivilTime
package import Encodings
package import PhotoLibrary
package import PhotoMetadata
package import Pictures
package import Spatial
package import Storage
package import SystemPackage
import Towns

/// A photo in a shared picture.
package struct SharedPhoto {
  /// The files of the photo, beginning with the one that represents it.
  package let files: [LibraryFile]
  /// The time it was taken.
  package let captured: CaptureTime?
  /// The position.
  package let coordinate: Coordinate?

  /// The year in the camera's local time.
  package var year: Int? {
    captured.flatMap { CivilDateTime($0.instant, utcOffsetMinutes: $0.utcOffsetMinutes ?? 0)?.year }
  }

  /// Creates a shared photo from a photo of the index.
  package init(_ shot: PhotoShot, _ index: PhotoIndex) {
    files = shot.files.map(index.libraryFile)
    (captured, coordinate) = (shot.photo.captured, shot.photo.coordinate)
  }

  /// Reads a photo from a file that the user named by its path, which may be a link.
  ///
  /// - Throws: A `MessageError` if the file does not exist or cannot be read.
  package init(reading path: FilePath) throws {
    try self.init(LibraryFile((try? Disk.target(of: path)) ?? path), at: path)
  }

  /// Reads a photo from a file of the library.
  ///
  /// - Throws: A `MessageError` if the file does not exist or cannot be read.
  package init(reading file: LibraryFile) throws {
    try self.init(file, at: file.path)
  }

  private init(_ named: LibraryFile, at path: FilePath) throws {
    var reader = MetadataReader()
    do throws(PhotoFileError) {
      let file = try PhotoFile(named)
      let reading = try? reader.read(file.descriptor, count: Int(clamping: file.size))
      guard case .photo(let properties)? = reading else {
        (files, captured, coordinate) = ([named], nil, nil)
        return
      }
      (files, captured, coordinate) = ([named], properties.captured, properties.coordinate)
    } catch {
      switch error {
      case .system(let errno): throw MessageError("\(path.escaped): \(errno)")
      case .notRegular: throw MessageError("\(path.escaped) is not a file")
      }
    }
  }

  /// The error message for a photo without a picture.
  package func failure(_ cause: PictureError) -> MessageError {
    let name = files.first?.path.escaped ?? "a photo"
    guard cause == .noPicture else { return MessageError("\(name): \(cause)") }
    return MessageError(
      "\(name): no picture can be made of it; JPEG and RAW photos can be shared")
  }
}

/// The two photos of a shared picture.
package struct SharedPair {
  /// The earlier photo.
  package let earlier: SharedPhoto
  /// The later photo.
  package let later: SharedPhoto
  /// The names of the place: those of the album and the town.
  package let places: [String]

  /// The maximum number of photos tried from each end of a spot until one can be displayed.
  private static let maximumTried = 16
  /// The side in pixels of the picture that is rendered to check that a photo can be displayed.
  private static let trialSide = 96

  /// Orders two photos by time. Undated photos keep the order in which they were given.
  package init(_ first: SharedPhoto, _ second: SharedPhoto, _ spot: PhotoSpot?) throws {
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
  ///
  /// - Parameters:
  ///   - spot: The spot.
  ///   - photos: The photos.
  ///   - maker: Makes pictures of photos, to see whether they can be displayed.
  /// - Throws: A `MessageError` if the spot has no two such photos.
  package init(of spot: PhotoSpot, _ photos: PhotoIndex, by maker: PictureMaker) throws {
    let dated = spot.members.map { photos.shot(at: Int($0)) }
      .filter { $0.photo.captured != nil }
    func shown(_ shots: some Sequence<PhotoShot>) -> PhotoShot? {
      shots.prefix(Self.maximumTried).first { shot in
        let files = shot.files.map(photos.libraryFile)
        return
          (try? PictureMaking.pixels(
            of: files, longestSide: Self.trialSide, by: maker)) != nil
      }
    }
    guard let first = shown(dated), let last = shown(dated.reversed()), first != last else {
      throw MessageError(
        "the spot \(spot.id) does not have two dated photos that can be shown; name two photos")
    }
    try self.init(SharedPhoto(first, photos), SharedPhoto(last, photos), spot)
  }
}
