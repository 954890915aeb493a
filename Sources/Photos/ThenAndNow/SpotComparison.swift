import Alignment
import PhotoLibrary
import Pictures
import Storage

/// A comparison of the photos of one spot, each of which is read at most once.
struct SpotComparison {
  /// The name of a photo, its number in an index, and that index.
  typealias Photo = (name: String, number: Int32, index: PhotoIndex)

  private let cache: CacheFolder
  private let maker: PictureMaker
  private let monitor: PairMonitor
  private let photo: (_ place: Int) -> Photo
  /// The pictures requested so far, by the photo's index among the candidates; `nil` if a photo has
  /// none.
  private var pictures: [Int: GreyPicture?] = [:]
  /// The most recently compared view.
  private var view: (place: Int, aligner: Aligner)?

  init(
    pictures cache: CacheFolder, maker: PictureMaker, monitor: PairMonitor,
    photo: @escaping (_ place: Int) -> Photo
  ) {
    (self.cache, self.maker, self.monitor, self.photo) = (cache, maker, monitor, photo)
  }

  /// Compares two photos, given as indices of candidates; `nil` if one has no picture.
  mutating func verdict(earlier: Int, later: Int) -> PairVerdict? {
    guard let old = picture(earlier), let new = picture(later) else { return nil }
    let size = ComparedSize(width: old.width, height: old.height)
    let aligner: Aligner
    if let view, view.place == earlier {
      aligner = view.aligner
    } else {
      aligner = Aligner(ComparedPicture(of: old, size: size))
      view = (earlier, aligner)
    }
    monitor.update { $0.compared += 1 }
    return PairVerdict(aligner.placement(in: ComparedPicture(of: new, size: size)))
  }

  private mutating func picture(_ place: Int) -> GreyPicture? {
    if let known = pictures[place] { return known }
    let picture = keptPicture(photo(place))
    pictures[place] = .some(picture)
    return picture
  }

  /// Returns the picture of a photo from the cache, or decodes it; counts a photo without a
  /// picture.
  private func keptPicture(_ photo: Photo) -> GreyPicture? {
    let file = photo.name + ".grey"
    if let bytes = cache.read(file, limit: KeptPicture.longestFile)?.bytes {
      if let picture = KeptPicture.picture(bytes) { return picture }
      cache.remove(file)
    }
    let picture: GreyPicture
    do throws(PictureError) {
      guard let seen = try decodedPicture(photo) else {
        monitor.update { $0.damaged += 1 }
        return nil
      }
      picture = seen
    } catch {
      monitor.update { progress in
        switch error {
        case .gone: progress.gone += 1
        case .unreadable: progress.unreadable += 1
        case .noPicture, .noDecoder, .busy, .cancelled, .crashed, .slow, .unavailable:
          progress.withoutPicture += 1
        }
      }
      return nil
    }
    cache.keep(KeptPicture.bytes(of: picture), as: file)
    return picture
  }

  /// Decodes a photo as a small grey picture; returns `nil` if it is damaged or too uniform to
  /// be compared, and throws `gone` if its file has changed since it was indexed.
  private func decodedPicture(_ photo: Photo) throws(PictureError) -> GreyPicture? {
    let files = photo.index.libraryFiles(ofPhoto: Int(photo.number))
    // The name identifies the content of the file when it was indexed, so a changed file cannot be
    // used.
    if let file = files.first, file.stamp != nil, !Disk.holds(file) { throw .gone }
    let pixels = try PictureMaking.pixels(
      of: files, longestSide: KeptPicture.longestSide, by: maker)
    let picture = GreyPicture(width: pixels.width, height: pixels.height, rgb: pixels.rgb)
    guard let picture, !pixels.isCutOff else { return nil }
    let size = ComparedSize(width: picture.width, height: picture.height)
    return ComparedPicture(of: picture, size: size).isBlank ? nil : picture
  }
}
