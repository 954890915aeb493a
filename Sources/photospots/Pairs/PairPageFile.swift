import Interchange
import PhotoLibrary
import Pictures
import Storage
import SystemPackage
import ThenAndNow
import Thumbnails

/// An HTML file with a page of pairs.
struct PairPageFile {
  /// The maximum number of pairs on a page.
  static let maximumPairs = 60
  /// The size in bytes from which no more pairs are added to a page.
  private static let maximumBytes = 48 << 20
  /// The longer side of a picture in pixels.
  private static let longestSide = 960
  private static let signature = FileSignature(tokens: PairPage.signature)

  private let path: FilePath

  /// Throws a ``Failure`` if the path exists and is not such a page.
  init(path: FilePath) throws {
    self.path = path
    guard try Disk.mayReplace(path, of: Self.signature) else {
      throw Failure(
        "\(path.escaped) exists and is not a page of pairs; choose another file with --html")
    }
  }

  /// Writes the page of pairs, leaving out pairs whose pictures are missing.
  func write(_ listing: PairListing) throws {
    var page = PairPage()
    var tried = 0
    for pair in listing.pairs {
      guard !Interruption.isRequested else {
        throw Failure("interrupted before the page \(path.escaped) was written")
      }
      if page.count == Self.maximumPairs || page.pictureBytes > Self.maximumBytes { break }
      tried += 1
      if let entry = Self.entry(pair, listing) { page.add(entry) }
    }
    let bytes = page.bytes(omitted: listing.pairs.count - tried)
    do throws(Errno) {
      if let uncertainty = try Disk.replace(path, of: Self.signature, with: bytes) {
        StandardError.writeLine(
          "photospots: \(path.escaped) is written, but may not survive a crash: \(uncertainty)")
      }
    } catch { throw Failure("the page \(path.escaped) cannot be written: \(error)") }
    let count = page.count == 1 ? "1 pair" : "\(page.count) pairs"
    StandardError.note("\(count) on the page \(path.escaped)")
  }

  private static func entry(_ pair: FoundPair, _ listing: PairListing) -> PairPage.Entry? {
    guard let earlier = photo(pair.earlier, listing), let later = photo(pair.later, listing) else {
      return nil
    }
    return PairPage.Entry(
      title: listing.spots.spots[pair.spot].placeName ?? "", earlier: earlier, later: later,
      years: Fixed.text(PairListing.years(pair), decimals: 1), isRecreation: pair.isRecreation,
      verdict: pair.verdict)
  }

  private static func photo(_ photo: Int32, _ listing: PairListing) -> PairPage.Entry.Photo? {
    let shot = listing.index.shot(at: Int(photo))
    guard
      let pixels = try? PictureMaking.pixels(of: shot.files, longestSide: longestSide),
      let jpeg = Thumbnail.jpeg(of: pixels)
    else { return nil }
    return PairPage.Entry.Photo(
      day: PairListing.day(shot.photo),
      name: NameText.text(of: shot.photo.path.lastComponent?.bytes ?? []), jpeg: jpeg,
      width: pixels.width, height: pixels.height)
  }
}
