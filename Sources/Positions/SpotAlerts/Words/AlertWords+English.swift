import LocationFeeds
import SpotWatcher

extension AlertWords {
  /// The English words.
  static let english = AlertWords(
    compassPoints: [
      "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ],
    decimalPoint: ".",
    away: { "\($0) \($1)" },
    rightHere: "right here",
    photos: { $0 == 1 ? "1 photo" : "\($0) photos" },
    moreSpots: { $0 == 1 ? "and 1 more spot" : "and \($0) more spots" },
    alsoSpot: { name, others in
      switch others {
      case 0: "also \(name)"
      case 1: "also \(name), and 1 more spot"
      default: "also \(name), and \(others) more spots"
      }
    },
    face: { "Face \($0)" },
    taken: { "Taken at \($0)" },
    anniversary: { "\($0) \($0 == 1 ? "year" : "years") ago \($1 ? "today" : "this week")" },
    lastYearsAgo: { "the last one \($0) \($0 == 1 ? "year" : "years") ago" },
    lastDaysAgo: {
      $0 == 0 ? "the last one today" : "the last one \($0) \($0 == 1 ? "day" : "days") ago"
    },
    title: "You took a photo here",
    placeTitle: "One of your places",
    takeAgain: "Take it again",
    mute: "Mute",
    notNow: "Not now",
    accuracy: { "\($0.rawValue) fix" },
    date: { day, month in
      let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
      ]
      return "\(day) \(months[month - 1])"
    },
    digestTitle: { "Your spots, \($0)" },
    fired: { "\($0) fired" },
    keptBack: { "\($0) suppressed" },
    passedBy: { "\($0) passed once without an alert" },
    more: { "\($0) more" },
    spotsNear: {
      switch $0 {
      case 0: "no spot near"
      case 1: "1 spot near"
      default: "\($0) spots near"
      }
    },
    noPosition: "No current position is known.",
    reason: { kind in
      switch kind {
      case .tooFast, .halted, .arriving: "in a vehicle"
      case .settling: "after a gap in the fixes"
      case .uncertain, .unconfirmed: "position uncertain"
      case .cooldown, .familiar: "visited recently"
      case .sibling: "close to another alert"
      case .shared: "alerted on another device"
      case .paced: "soon after another alert"
      case .dwelling: "visit too short"
      case .burst, .stale: "positions came late"
      case .muted: "muted"
      case .quiet: "in quiet hours"
      case .overBudget, .reserved: "beyond the daily budget"
      case .overRate: "beyond alertsPerMinute"
      case .tooRecent: "too recent"
      case .filtered: "no favourite"
      case .recreated: "recently taken again"
      case .disabled: "switched off"
      case .notify, .alsoNear, .invalid, .late, .inaccurate, .jump, .unmoved, .inside, .leaving,
        .exit, .lapsed, .clear:
        nil
      }
    })
}
