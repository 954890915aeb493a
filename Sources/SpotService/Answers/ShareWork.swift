import Interchange
public import PhotoLibrary
public import SystemPackage

/// A picture of two photos that is asked for: then and now.
public struct ShareWork: Hashable, Sendable {
  /// Where one of the two comes from.
  public enum Source: Hashable, Sendable {
    /// A photo of the index: its files, that which stands for it first, and what that one was like
    /// when it was named so.
    case photo(files: [FilePath], stamp: PhotoFileStamp?)
    /// A picture that was taken again, by its id.
    case recreation(id: String)
  }

  /// One of the two.
  public struct Picture: Hashable, Sendable {
    /// Where it comes from.
    public let source: Source
    /// The year on the clock of the camera; `nil` where it is undated.
    public let year: Int?
  }

  /// What the picture is cut to.
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
  /// What the picture is cut to; `nil` for what shows more.
  public let shape: Shape?
  /// Whether a slider that moves by itself is wanted.
  public let isAnimated: Bool
  /// The weak tag of the answer.
  public internal(set) var entityTag = ""
}
