/// A program that keeps the positions of photos in a database of its own.
package enum PhotoManager: String, CaseIterable, Sendable {
  case digiKam = "digikam"
  case lightroom = "lightroom"
  case applePhotos = "apple-photos"

  /// The name for messages.
  package var title: String {
    switch self {
    case .digiKam: "digiKam's database"
    case .lightroom: "Lightroom's catalogue"
    case .applePhotos: "Apple Photos by osxphotos"
    }
  }
}
