/// The settings without single rules, to find out which alerts a rule prevents.
extension WatcherSettings {
  /// The decisions of rules that can silence every spot.
  package static let relaxableKinds: [WatcherDecision.Kind] = [
    .dwelling, .muted, .quiet, .tooFast, .tooRecent, .filtered, .recreated,
    .disabled,
  ]

  /// Returns the settings without the rule of a decision.
  ///
  /// - Parameter kind: One of ``relaxableKinds``.
  /// - Returns: The settings; `nil` where the rule is not in effect.
  package func relaxing(_ kind: WatcherDecision.Kind) -> WatcherSettings? {
    var relaxed = self
    switch kind {
    case .dwelling: relaxed.dwellSeconds = 0
    case .muted: (relaxed.mutedZones, relaxed.mutedSpots) = ([], [])
    case .quiet: relaxed.quietHours = nil
    case .tooFast: relaxed.maximumSpeedKilometersPerHour = nil
    case .tooRecent: relaxed.minimumPhotoAgeSeconds = 0
    case .filtered: relaxed.isFavoritesOnly = false
    case .recreated: relaxed.recreationIntervalSeconds = 0
    case .disabled: relaxed.areNotificationsEnabled = true
    default: return nil
    }
    return relaxed == self ? nil : relaxed
  }
}
