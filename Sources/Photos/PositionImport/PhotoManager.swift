/// A program that stores the positions of photos in its own database.
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
