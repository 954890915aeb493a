import PhotoMetadata

/// How suitable a file is as the representative of its spot, in ascending order.
package enum CoverSuitability: Comparable, Sendable {
  /// A RAW file or movie of which no picture can be made.
  case notShown
  /// An image that browsers do not show.
  case otherImage
  /// A RAW file of which a picture can be made.
  case raw
  /// An image that browsers show, or of which a picture can be made.
  case picture

  /// Returns how suitable a file is by its name and the path of its folder, given as bytes.
  package init(ofFileNamed name: ArraySlice<UInt8>, in folder: ArraySlice<UInt8>) {
    let isImage = PhotoFormats.kind(ofName: name) == .picture
    // The server of a remote library makes pictures of all of its files.
    let isShown = PhotoFormats.isShown(ofName: name) || RemoteLibrary(path: folder) != nil
    self = isShown ? isImage ? .picture : .raw : isImage ? .otherImage : .notShown
  }

  /// Whether there is a picture for browsers.
  var isShown: Bool { self >= .raw }
}

/// The order in which shots are considered as the cover of their spot, from the worst to the best.
///
/// A shot that browsers show comes before others; among those the highest rated; among equals an
/// image rather than a RAW file; among those the latest.
package struct CoverRank: Comparable {
  private let rating: Int
  private let suitability: CoverSuitability
  /// The capture time in milliseconds since 1970.
  private let captured: Int64

  /// Creates the rank of a shot.
  ///
  /// - Parameters:
  ///   - rating: The best rating of its files; 0 if none is rated.
  ///   - suitability: The suitability of its most suitable file.
  ///   - captured: The capture time in milliseconds since 1970; `nil` if unknown.
  package init(rating: Int, suitability: CoverSuitability, captured: Int64?) {
    (self.rating, self.suitability, self.captured) = (rating, suitability, captured ?? .min)
  }

  package static func < (left: CoverRank, right: CoverRank) -> Bool {
    if left.suitability.isShown != right.suitability.isShown { return right.suitability.isShown }
    return (left.rating, left.suitability, left.captured)
      < (right.rating, right.suitability, right.captured)
  }
}
