import Alignment
import Caching
import PhotoLibrary
import Pictures
import SystemPackage
import Thumbnails

/// A comparison of the photos of one spot, each of which is read at most once.
struct SpotComparison {
  /// The name of a photo, its number in an index, and that index.
  typealias Photo = (name: String, number: Int32, index: PhotoIndex)

  private let cache: CacheFolder
  private let monitor: PairMonitor
  private let photo: (_ place: Int) -> Photo
  /// The pictures requested so far, by the photo's index among the candidates; `nil` if a photo has
  /// none.
  private var pictures: [Int: GreyPicture?] = [:]
  /// The most recently compared view.
  private var view: (place: Int, aligner: Aligner)?

  init(
    pictures cache: CacheFolder, monitor: PairMonitor, photo: @escaping (_ place: Int) -> Photo
  ) {
    (self.cache, self.monitor, self.photo) = (cache, monitor, photo)
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
    let picture: GreyPicture?
    do throws(PictureError) {
      picture = try Self.decodedPicture(photo)
    } catch {
      monitor.update { progress in
        switch error {
        case .gone: progress.gone += 1
        case .unreadable: progress.unreadable += 1
        case .noPicture, .busy, .cancelled: progress.withoutPicture += 1
        }
      }
      return nil
    }
    if let picture { cache.keep(KeptPicture.bytes(of: picture), as: file) }
    return picture
  }

  /// Decodes a photo as a small grey picture; throws `gone` if its file has changed since it was
  /// indexed.
  private static func decodedPicture(_ photo: Photo) throws(PictureError) -> GreyPicture? {
    let files = photo.index.shot(at: Int(photo.number)).files
    // The name identifies the content of the file when it was indexed, so a changed file cannot be
    // used.
    if let stamp = photo.index.stamp(ofPhoto: photo.number), let file = files.first,
      !stamp.holds(for: file)
    {
      throw .gone
    }
    let pixels = try PictureMaking.pixels(of: files, longestSide: KeptPicture.longestSide)
    return GreyPicture(width: pixels.width, height: pixels.height, rgb: pixels.rgb)
  }
}
