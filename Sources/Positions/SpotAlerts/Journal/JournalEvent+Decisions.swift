import LocationFeeds
import PhotoLibrary
import SpotWatcher

extension JournalEvent {
  /// Creates the event to record for a decision without a notification; `nil` if there is none.
  init?(of decision: WatcherDecision, _ spots: SpotIndex) {
    let kind = decision.kind
    if let left = decision.left {
      guard let event = JournalEvent(of: decision, left) else { return nil }
      self = event
      return
    }
    guard kind == .cooldown || kind.isSuppression || kind.isRefusal || kind.isRecordedWait,
      decision.isFirst, let spot = decision.spotID.flatMap(spots.spot(withID:))
    else { return nil }
    let place = PlaceEvent(
      device: decision.fix.device, spotID: spot.id, center: spot.coordinate, time: decision.time)
    let figures = Figures(decision)
    if kind == .cooldown {
      self = .returned(place, figures)
    } else if kind.isSuppression {
      self = .suppressed(place, by: kind, figures)
    } else {
      self = .held(place, by: kind, figures)
    }
  }

  private init?(of decision: WatcherDecision, _ left: LeftPlace) {
    guard let spotID = decision.spotID else { return nil }
    var place = PlaceEvent(
      device: decision.fix.device, spotID: spotID, center: left.center, time: left.lastThere)
    if left.isKnown {
      self = .left(place)
      return
    }
    guard decision.kind == .lapsed else { return nil }
    place.time = left.enteredAt
    let figures = Figures(
      figure: left.figure, limit: left.limit, meters: left.closestMeters,
      left: left.lastThere)
    self = .lapsed(place, by: left.waitedFor, figures)
  }
}

extension WatcherDecision.Kind {
  /// Whether a user's setting suppresses a spot that would fire otherwise.
  fileprivate var isSuppression: Bool {
    switch self {
    case .muted, .quiet, .disabled, .overBudget, .reserved, .overRate: true
    default: false
    }
  }

  /// Whether a visit waits for a reason that is worth a record, whatever its outcome: most visits
  /// begin with a doubt that the next fix removes.
  fileprivate var isRecordedWait: Bool {
    isWaiting && self != .uncertain && self != .unconfirmed
  }

  /// Whether a rule refuses a spot for a reason that does not follow from earlier firings.
  fileprivate var isRefusal: Bool {
    switch self {
    case .sibling, .shared, .familiar, .tooRecent, .filtered, .recreated: true
    default: false
    }
  }
}
