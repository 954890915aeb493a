import SpotAlerts

extension AlertLanguage {
  /// `2008 and 2026`; one year where there is but one, and `nil` where there is none.
  func years(_ earlier: Int?, _ later: Int?) -> String? {
    guard let earlier, let later, earlier != later else {
      return (earlier ?? later).map { "\($0)" }
    }
    return switch self {
    case .english: "\(earlier) and \(later)"
    case .spanish: "\(earlier) y \(later)"
    }
  }
}
