import CivilTime
import PhotoMetadata
import Spatial

/// A file that may be one of several of a shot.
struct ShotMember {
  let file: FileID
  let form: Form
  /// `nil` for a file without a position.
  let coordinate: Coordinate?
  /// `nil` where it is unknown, and for a file without a position.
  let captured: CaptureTime?

  /// What a file of a shot is.
  struct Form: Hashable {
    let kind: PhotoFormats.Kind
    let isEdited: Bool

    /// The smaller, the better it stands for a shot: the original picture, the RAW file that it was
    /// made of, an edited copy, a movie, what stands beside a movie.
    ///
    /// Originals come before edited copies, so that a spot is where and when the photo was taken,
    /// and keeps its id when a copy is added.
    var rank: UInt64 {
      switch kind {
      case .picture: isEdited ? 2 : 0
      case .raw: isEdited ? 2 : 1
      case .movie: 3
      case .companion: 4
      }
    }

    /// Whether a time without an offset may be in UTC: that of many movies is, and so is Takeout's,
    /// which an edited copy may have in place of its own.
    var mayBeInUTC: Bool { kind == .movie || isEdited }
  }

  /// Whether it lies under a root that could not be read the last time.
  let isMissing: Bool
  /// Whether it is an asset of a remote library.
  let isRemote: Bool

  init(
    _ file: FileID, in index: PhotoIndex, name: ShotName, isMissing: Bool, isRemote: Bool = false
  ) {
    self.file = file
    self.isMissing = isMissing
    self.isRemote = isRemote
    let photo = index.files.photo[file.row]
    coordinate = photo.map { index.photos.coordinate(of: $0) }
    captured = photo.flatMap { index.photos.captured(of: $0) }
    form = Form(
      kind: PhotoFormats.kind(ofName: index.name(of: file)),
      isEdited: name.isEdited)
  }

  /// The smaller, the better the file stands for a shot: located before not, a file before a remote
  /// asset, there before missing, then by rank, dated before not, then in the order of the index.
  var order: UInt64 {
    let (unlocated, undated): (UInt64, UInt64) = (
      coordinate == nil ? 1 : 0, captured == nil ? 1 : 0
    )
    let missing: UInt64 = isMissing ? 1 : 0
    let remote: UInt64 = isRemote ? 1 : 0
    return unlocated << 42 | remote << 41 | missing << 40 | form.rank << 36 | undated << 32
      | UInt64(file.row)
  }

  // MARK: - Time and place

  /// Two photos whose positions are farther apart are two, so that no place is lost: a phone gives
  /// the movie and the still of a Live Photo the same fix, or two that are seconds apart.
  private static let maximumDistanceMeters = 100.0
  /// A Live Photo's movie begins up to three seconds before its still, and phones date a RAW file
  /// when it is written. Numbers that start again do not meet their like within seconds.
  private static let maximumMilliseconds: UInt64 = 5000

  /// Whether this file and another, both located, may be of one moment and place; what is undated
  /// may.
  func agrees(with other: ShotMember) -> Bool {
    guard let coordinate, let otherCoordinate = other.coordinate,
      coordinate == otherCoordinate
        || coordinate.distance(to: otherCoordinate) <= Self.maximumDistanceMeters
    else { return false }
    guard let captured, let otherCaptured = other.captured else { return true }
    let oneMayBeInUTC = form.mayBeInUTC != other.form.mayBeInUTC
    return Self.agree(captured, otherCaptured, oneMayBeInUTC: oneMayBeInUTC)
  }

  /// Whether this file and another, both located, were taken within 100 m and a second by their
  /// instants or by their clocks; what is undated was not.
  func agreesClosely(with other: ShotMember) -> Bool {
    guard let coordinate, let otherCoordinate = other.coordinate, let captured,
      let otherCaptured = other.captured
    else { return false }
    return coordinate.distance(to: otherCoordinate) <= Self.maximumDistanceMeters
      && (Self.milliseconds(from: captured.instant, to: otherCaptured.instant) <= 1000
        || Self.milliseconds(from: captured.localInstant, to: otherCaptured.localInstant) <= 1000)
  }

  /// Whether two times may be of one moment.
  ///
  /// Cameras that do not know their offset from UTC give their local time; one of the two may also
  /// be in UTC without saying so.
  private static func agree(
    _ one: CaptureTime, _ other: CaptureTime, oneMayBeInUTC: Bool
  ) -> Bool {
    let apart = milliseconds(from: one.instant, to: other.instant)
    if apart <= maximumMilliseconds { return true }
    switch (one.utcOffsetMinutes, other.utcOffsetMinutes) {
    case (_?, _?): return false
    case (nil, nil):
      // Offsets from UTC are whole quarters of an hour, up to fourteen hours.
      let quarter: UInt64 = 900_000
      let rest = apart.addingReportingOverflow(maximumMilliseconds).partialValue % quarter
      return oneMayBeInUTC && rest <= 2 * maximumMilliseconds
        && apart <= 56 * quarter + maximumMilliseconds
    default:
      return milliseconds(from: one.localInstant, to: other.localInstant) <= maximumMilliseconds
    }
  }

  private static func milliseconds(from one: Instant, to other: Instant) -> UInt64 {
    let (one, other) = (one.millisecondsSince1970, other.millisecondsSince1970)
    return one < other
      ? UInt64(bitPattern: other &- one) : UInt64(bitPattern: one &- other)
  }
}

extension CaptureTime {
  /// What the camera's clock showed, as if it were in UTC.
  fileprivate var localInstant: Instant {
    Instant(
      millisecondsSince1970: instant.millisecondsSince1970
        &+ Int64(utcOffsetMinutes ?? 0) * 60_000)
  }
}
