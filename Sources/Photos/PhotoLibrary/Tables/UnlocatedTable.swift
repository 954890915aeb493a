import CivilTime
import PhotoMetadata

/// The photos without a position, in the order of their files: the facts that are needed to find
/// them on a track or in another program's database, and to complete them once they have a
/// position.
///
/// An index of an earlier version of the program has no rows here;
/// ``PhotoIndexer/Settings/readsUnlocated`` makes a scan read the files again.
struct UnlocatedTable: DeclaredTable, Equatable {
  var file = Column<FileID>()
  var captured = Column<Instant?>()
  var utcOffset = Column<OffsetMinutes?>()
  var camera = Column<CameraID?>()
  var rating = Column<Stars?>()
  var favorite = Column<Bool>()
  var focalLength = Column<FocalLengthID?>()
  var caption = Column<CaptionID?>()

  typealias Row = Rows.Unlocated

  static let columns: [ColumnSchema<UnlocatedTable>] = [
    .init("file", { $1(&$0.file) }, "its file, as an index into files", places: .documentOnly),
    .init("captured", { $1(&$0.captured) }, "ms since 1970", places: .documentOnly),
    .init(
      "utcOffset", { $1(&$0.utcOffset) }, OffsetMinutes.meaning, places: .documentOnly),
    .init("camera", { $1(&$0.camera) }, "an index into cameras", places: .documentOnly),
    .init(
      "rating", { $1(&$0.rating) }, "0–5 stars, or −1 for rejected", places: .documentOnly),
    .init(
      "favorite", { $1(&$0.favorite) }, "whether it has five stars", places: .documentOnly),
    .init(
      "focalLength", { $1(&$0.focalLength) }, "an index into focalLengths", places: .documentOnly),
    .init(
      "caption", { $1(&$0.caption) }, "an index into captions", places: .documentOnly,
      mayBeMissing: true),
  ]

  var count: Int { file.count }

  subscript(row: Int) -> PhotoFacts {
    PhotoFacts(
      file: file[row],
      captured: captured[row].map {
        CaptureTime(instant: $0, storedOffset: utcOffset[row].map { Int($0.stored) })
      },
      hasPartialDate: OffsetMinutes.isOfPartialDate(captured[row], utcOffset[row]),
      camera: camera[row], rating: rating[row]?.stored, isFavorite: favorite[row],
      focalLength: focalLength[row], caption: caption[row])
  }

  /// Returns the row of a file; `nil` if it has none.
  ///
  /// - Complexity: O(log *n*) for *n* rows.
  func row(of wanted: FileID) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if file[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low < count && file[low] == wanted ? low : nil
  }

  mutating func append(_ photo: PhotoFacts) {
    file.append(photo.file)
    captured.append(photo.captured?.instant)
    utcOffset.append(OffsetMinutes(photo.captured, hasPartialDate: photo.hasPartialDate))
    camera.append(photo.camera)
    rating.append(photo.rating.map { Stars(stored: $0) })
    favorite.append(photo.isFavorite)
    focalLength.append(photo.focalLength)
    caption.append(photo.caption)
  }
}
