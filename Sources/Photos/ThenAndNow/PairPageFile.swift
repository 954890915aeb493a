import Encodings
package import PhotoLibrary
import PhotoMetadata
package import Pictures
import Storage
package import SystemPackage

/// An HTML file with a page of pairs.
package struct PairPageFile {
  /// The maximum number of pairs on a page.
  package static let maximumPairs = 60
  /// The size in bytes from which no more pairs are added to a page.
  private static let maximumBytes = 48 << 20
  private static let signature = FileSignature(tokens: PairPage.signature)

  /// The path of the file.
  package let path: FilePath

  /// Creates access to a file.
  ///
  /// - Throws: A `MessageError` if the path exists and is not such a page.
  package init(path: FilePath) throws {
    self.path = path
    guard try Disk.mayReplace(path, of: Self.signature) else {
      throw MessageError(
        "\(path.escaped) exists and is not a page of pairs; choose another file with --html")
    }
  }

  /// Writes the page of pairs, leaving out pairs whose pictures are missing.
  ///
  /// - Parameters:
  ///   - pairs: The pairs, the best first.
  ///   - index: The photos.
  ///   - spots: The spots of the pairs.
  ///   - maker: Makes the pictures.
  ///   - isCancelled: Returns whether to end without a page.
  /// - Returns: The number of pairs on the page, and a reason why it may not survive a crash.
  /// - Throws: A `MessageError` if the page cannot be written, or was cancelled.
  package func write(
    _ pairs: [FoundPair], of index: PhotoIndex, _ spots: SpotIndex, by maker: PictureMaker,
    isCancelled: () -> Bool
  ) throws -> (count: Int, uncertainty: Errno?) {
    let pictures = PairPictures(index: index, spots: spots, maker: maker)
    var page = PairPage()
    var tried = 0
    for pair in pairs {
      guard !isCancelled() else {
        throw MessageError("interrupted before the page \(path.escaped) was written")
      }
      if page.count == Self.maximumPairs || page.pictureBytes > Self.maximumBytes { break }
      tried += 1
      if let entry = pictures.entry(pair) { page.add(entry) }
    }
    let bytes = page.bytes(omitted: pairs.count - tried)
    do throws(Errno) {
      let uncertainty = try Disk.replace(
        path, of: Self.signature, with: bytes, access: .umask)
      return (page.count, uncertainty)
    } catch { throw MessageError("the page \(path.escaped) cannot be written: \(error)") }
  }
}

/// The photos of pairs as pictures for a page.
private struct PairPictures {
  let index: PhotoIndex
  let spots: SpotIndex
  let maker: PictureMaker

  /// The longer side of a picture in pixels.
  private static let longestSide = 960

  func entry(_ pair: FoundPair) -> PairPage.Entry? {
    guard let earlier = photo(pair.earlier), let later = photo(pair.later) else {
      return nil
    }
    return PairPage.Entry(
      title: spots.spots[pair.spot].placeName ?? "", earlier: earlier, later: later,
      years: Self.years(pair), isRecreation: pair.isRecreation,
      verdict: pair.verdict)
  }

  /// The years between the photos, rounded down to one decimal.
  private static func years(_ pair: FoundPair) -> String {
    let tenths = Int(saturating: pair.years * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }

  private func photo(_ photo: Int32) -> PairPage.Entry.Photo? {
    let shot = index.shot(at: Int(photo))
    guard
      let pixels = try? PictureMaking.pixels(
        of: shot.files.map(index.libraryFile), longestSide: Self.longestSide, by: maker),
      let jpeg = Thumbnail.jpeg(of: pixels)
    else { return nil }
    return PairPage.Entry.Photo(
      day: shot.photo.captured.map { String($0.iso8601.prefix(10)) } ?? "",
      name: NameText.text(of: shot.photo.path.lastName ?? []), jpeg: jpeg,
      width: pixels.width, height: pixels.height)
  }
}
