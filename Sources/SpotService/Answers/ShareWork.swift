import Interchange
public import PhotoLibrary
public import SystemPackage

/// A picture of two photos that is asked for: then and now.
public struct ShareWork: Hashable, Sendable {
  /// The origin of a picture.
  public enum Source: Hashable, Sendable {
    /// A photo of the index: its files, that which stands for it first, and what that one was like
    /// when it was named so.
    case photo(files: [FilePath], stamp: PhotoFileStamp?)
    /// A picture that was taken again, by its id.
    case recreation(id: String)
  }

  /// A picture of the pair.
  public struct Picture: Hashable, Sendable {
    /// The origin of the picture.
    public let source: Source
    /// The year on the clock of the camera; `nil` where it is undated.
    public let year: Int?
  }

  /// A shape of the result.
  public enum Shape: String, CaseIterable, Sendable {
    /// 1200 × 630 pixels, the photos beside each other.
    case landscape
    /// 1080 × 1350 pixels, one above the other.
    case portrait
  }

  /// The earlier one.
  public let earlier: Picture
  /// The later one.
  public let later: Picture
  /// Names of the place, best first; never its coordinates.
  public let places: [String]
  /// The shape of the result; `nil` for the one that shows more.
  public let shape: Shape?
  /// Whether a slider that moves by itself is wanted.
  public let isAnimated: Bool
  /// The weak tag of the answer.
  public internal(set) var entityTag = ""
}
