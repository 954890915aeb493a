import CivilTime
import PhotoMetadata
import Spatial

/// A file considered as one of several of a shot.
struct ShotMember {
  let file: FileID
  let form: Form
  /// The position; `nil` for a file without one.
  let coordinate: Coordinate?
  /// The capture time; `nil` if unknown, if only the name of the file has one, and for a file
  /// without a position.
  let captured: CaptureTime?

  /// The kind of a shot's file.
  struct Form: Hashable {
    let kind: PhotoFormats.Kind
    let isEdited: Bool

    /// The rank as the representative of a shot; the lowest wins. The order is: original image, RAW
    /// file, edited copy, movie, companion of a movie.
    ///
    /// Originals come before edited copies, so that a spot has the position and time of the
    /// capture, and keeps its id when a copy is added.
    var rank: UInt64 {
      switch kind {
      case .picture: isEdited ? 2 : 0
      case .raw: isEdited ? 2 : 1
      case .movie: 3
      case .companion: 4
      }
    }

    /// Whether a time without an offset may be in UTC. Many movies have such times, and so has
    /// Takeout, whose time an edited copy may have in place of its own.
    var mayBeInUTC: Bool { kind == .movie || isEdited }
  }

  /// Whether the file is under a root that the last scan could not read.
  let isMissing: Bool
  /// Whether the file is an asset of a remote library.
  let isRemote: Bool

  init(
    _ file: FileID, in index: PhotoIndex, name: ShotName, isMissing: Bool, isRemote: Bool = false
  ) {
    self.file = file
    self.isMissing = isMissing
    self.isRemote = isRemote
    let photo = index.files.photo[file.row]
    coordinate = photo.map { index.photos.coordinate(of: $0) }
    captured = photo.flatMap { index.photos.captured(of: $0)?.exact }
    form = Form(
      kind: PhotoFormats.kind(ofName: index.name(of: file)),
      isEdited: name.isEdited)
  }

  /// The rank as the representative of the shot; the lowest wins. It compares, in this order:
  /// located before unlocated, a local file before a remote asset, present before missing, by form,
  /// dated before undated, by order in the index.
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

  /// The maximum distance in metres between photos of one shot, so that no place is lost. A phone
  /// gives the movie and the still of a Live Photo the same fix, or two fixes that are seconds
  /// apart.
  private static let maximumDistanceMeters = 100.0
  /// The maximum time in milliseconds between files of one shot. A Live Photo's movie begins up to
  /// three seconds before its still, and phones date a RAW file when it is written. File numbers
  /// that restart do not repeat within seconds.
  private static let maximumMilliseconds: UInt64 = 5000

  /// Returns whether this file and another, both located, can be from the same moment and place. An
  /// undated file can be from any moment.
  func agrees(with other: ShotMember) -> Bool {
    guard let coordinate, let otherCoordinate = other.coordinate,
      coordinate == otherCoordinate
        || coordinate.distance(to: otherCoordinate) <= Self.maximumDistanceMeters
    else { return false }
    guard let captured, let otherCaptured = other.captured else { return true }
    let oneMayBeInUTC = form.mayBeInUTC != other.form.mayBeInUTC
    return Self.agree(captured, otherCaptured, oneMayBeInUTC: oneMayBeInUTC)
  }

  /// Returns whether times of this file and another, of which one is not located, can be of the
  /// same moment.
  func agreesInTime(
    _ captured: CaptureTime, with other: ShotMember, _ otherCaptured: CaptureTime
  ) -> Bool {
    Self.agree(
      captured, otherCaptured, oneMayBeInUTC: form.mayBeInUTC != other.form.mayBeInUTC)
  }

  /// Returns whether this file and another, both located, were taken within 100 m and one second,
  /// comparing their instants or their local times. False if one of them is undated.
  func agreesClosely(with other: ShotMember) -> Bool {
    guard let coordinate, let otherCoordinate = other.coordinate, let captured,
      let otherCaptured = other.captured
    else { return false }
    return coordinate.distance(to: otherCoordinate) <= Self.maximumDistanceMeters
      && (Self.milliseconds(from: captured.instant, to: otherCaptured.instant) <= 1000
        || Self.milliseconds(from: captured.localInstant, to: otherCaptured.localInstant) <= 1000)
  }

  /// Returns whether two times can be of the same moment.
  ///
  /// Cameras that do not know their offset from UTC record local time. One of the two may also be
  /// in UTC without stating it.
  private static func agree(
    _ one: CaptureTime, _ other: CaptureTime, oneMayBeInUTC: Bool
  ) -> Bool {
    let apart = milliseconds(from: one.instant, to: other.instant)
    if apart <= maximumMilliseconds { return true }
    switch (one.utcOffsetMinutes, other.utcOffsetMinutes) {
    case (_?, _?): return false
    case (nil, nil):
      // Offsets from UTC are multiples of a quarter of an hour, up to fourteen hours.
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
  /// The local time of the camera's clock, interpreted as UTC.
  fileprivate var localInstant: Instant {
    Instant(
      millisecondsSince1970: instant.millisecondsSince1970
        &+ Int64(utcOffsetMinutes ?? 0) * 60_000)
  }
}
