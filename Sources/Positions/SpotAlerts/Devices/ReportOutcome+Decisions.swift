public import LocationFeeds
public import SpotWatcher

extension ReportOutcome {
  /// Returns the end of a report from the decisions about its fix.
  public init(of decisions: [WatcherDecision]) {
    guard let decision = decisions.first else {
      self = .accepted
      return
    }
    switch decision.kind {
    case .invalid where decision.figure != nil: self = .refused(.ahead)
    case .invalid where decision.fix.time == nil: self = .refused(.undated)
    case .invalid: self = .refused(.impossible)
    case .late: self = .refused(.late)
    case .stale: self = .refused(.stale)
    case .inaccurate: self = .refused(.inaccurate)
    case .jump: self = .refused(.jump)
    default: self = .accepted
    }
  }
}
