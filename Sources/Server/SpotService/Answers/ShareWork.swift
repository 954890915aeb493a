import Encodings
public import Storage

/// A request for a picture of two photos, then and now.
public struct ShareWork: Hashable, Sendable {
  /// The source of a picture.
  public enum Source: Hashable, Sendable {
    /// A photo of the index: its files, beginning with the one that represents it, in the state
    /// from which its name was derived.
    case photo(files: [LibraryFile])
    /// A recreation, by its id.
    case recreation(id: String)
  }

  /// A picture of the pair.
  public struct Picture: Hashable, Sendable {
    /// The source of the picture.
    public let source: Source
    /// The year of capture in the camera's local time; `nil` where it is undated.
    public let year: Int?
  }

  /// The shape of the result.
  public enum Shape: String, CaseIterable, Sendable {
    /// 1200 × 630 pixels, with the photos side by side.
    case landscape
    /// 1080 × 1350 pixels, with one photo above the other.
    case portrait
  }

  /// The earlier picture.
  public let earlier: Picture
  /// The later picture.
  public let later: Picture
  /// The names of the place, the best first; never its coordinates.
  public let places: [String]
  /// The shape of the result; `nil` for the one that shows more of the photos.
  public let shape: Shape?
  /// Whether the result is an animation with a moving slider.
  public let isAnimated: Bool
  /// The weak entity tag of the answer.
  public internal(set) var entityTag = ""
}
