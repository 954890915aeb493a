import LocationFeeds
import SpotWatcher

/// What is said about a device, everywhere in the same words.
extension DeviceReport {
  /// The number of reports refused in a row from which they count as a problem, of a device with
  /// an accepted one before.
  static let problemCount = 5

  /// The corrections of its clock and of its speeds, in words that follow its name: `its clock is
  /// 2 h ahead, which is corrected`. Empty if there are none.
  public var corrections: [String] {
    var corrections: [String] = []
    if let shift = clockShiftSeconds {
      corrections.append(
        "its clock is \(DurationText.text(abs(shift))) \(shift > 0 ? "ahead" : "behind"), which is "
          + "corrected; set its clock or time zone")
    }
    if let factor = speedFactor {
      let percent = Int(saturating: (factor * 100).rounded())
      corrections.append(
        "its speeds are \(percent) % of those on the way, which is corrected; check the unit in "
          + "its app")
    }
    return corrections
  }

  /// The reason why the device cannot raise an alert, in words that follow its name and a colon;
  /// `nil` if it can.
  public var problem: String? {
    if fix == nil, counts.accepted == 0, counts.received > 0 {
      return "no position of it could be used; \(counts.text)\(advice)"
    }
    guard let reason = counts.lastRefusal,
      counts.accepted == 0 || counts.refusedInARow >= Self.problemCount
    else { return nil }
    let number = counts.refusedInARow
    return
      (number == 1 ? "the last report of it was" : "the last \(number) reports of it were")
      + " refused, the last one as \(reason.text)\(advice)"
  }

  /// What to do about the last refusal, after a full stop.
  private var advice: String {
    switch counts.lastRefusal {
    case .ahead, .stale, .late:
      ". Check its clock and its time zone, and whether the app holds positions back."
    case .unreadable, .unsupported: ". Check the format that its app sends."
    case .undated: ". Let its app send the time of each position."
    case .inaccurate: ". Check the permission of its app to use the exact position."
    case .impossible, .jump: ". Check its receiver."
    case .notStored: ". Check the disk of the state folder."
    case .repeated: "."
    case nil: ". Check the permission of its app to use the position."
    }
  }
}
