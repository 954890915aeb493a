import CivilTime

/// Returns the whole years between two times in ISO 8601, by the calendar days of UTC.
func years(from earlier: String, to later: String) -> Int? {
  guard let first = Instant(iso8601: earlier), let last = Instant(iso8601: later) else {
    return nil
  }
  return CivilDay(last).elapsed(since: CivilDay(first))?.years
}
