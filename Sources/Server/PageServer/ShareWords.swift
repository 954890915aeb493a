import SpotAlerts

extension AlertLanguage {
  /// Returns the years of two photos, for example `2008 and 2026`. If they are equal or only one is
  /// known, returns one year; `nil` if none is known.
  package func years(_ earlier: Int?, _ later: Int?) -> String? {
    guard let earlier, let later, earlier != later else {
      return (earlier ?? later).map { "\($0)" }
    }
    return switch self {
    case .english: "\(earlier) and \(later)"
    case .spanish: "\(earlier) y \(later)"
    }
  }
}
