extension WatcherDecision.Kind {
  /// The reason why a spot that was entered did not fire, as a sentence in the past: `it fired 2 h
  /// before, and it stays silent for 24 h`. `nil` for a kind that refuses nothing.
  ///
  /// Every report of a decision has these words, whether it is of now or of a year ago.
  ///
  /// - Parameters:
  ///   - figure: The measured value, in the unit of ``figureNames``; `nil` where it is unknown.
  ///   - limit: The limit for it.
  ///   - days: The number of recent days on which the device was there.
  ///   - zone: The muted zone as text, such as its centre; `nil` where it is not to be named.
  /// - Returns: The sentence.
  package func refusal(
    _ figure: Double?, _ limit: Double?, days: Int?, zone: String? = nil
  ) -> String? {
    let known = figure.flatMap { figure in limit.map { (figure, $0) } }
    switch (self, known) {
    case (.cooldown, let (figure, limit)?):
      let verb = figure < 0 && !DurationText.isNone(figure) ? "fires" : "fired"
      return "it \(verb) \(DurationText.before(figure)), and it stays silent for \(span(limit))"
    case (.cooldown, nil): return "it had fired shortly before"
    case (.familiar, let (figure, limit)?):
      let habit = days.flatMap { $0 > 1 ? " and on \($0) recent days" : nil } ?? ""
      let there =
        DurationText.isNone(figure)
        ? "you had just been there\(habit.isEmpty ? "" : ",")"
        : "you had been there \(span(figure)) before"
      return "\(there)\(habit), which silences it for \(span(limit))"
    case (.sibling, let (figure, limit)?):
      return "a nearby spot fired \(DurationText.before(figure)), "
        + "which silences it for \(span(limit))"
    case (.shared, let (figure, _)?):
      return DurationText.isNone(figure)
        ? "it fired at the same time on another device nearby"
        : "it had fired \(span(abs(figure))) before on another device nearby"
    case (.muted, nil): return "it is muted"
    case (.muted, let (_, limit)?):
      let size = "\(Int(saturating: limit.rounded())) m"
      return zone.map { "the muted zone of \(size) around \($0) applies there" }
        ?? "a muted zone of \(size) applies there"
    case (.quiet, let (_, limit)?):
      return "quiet hours last until \(QuietHours.text(Int(saturating: limit)))"
    case (.tooRecent, let (figure, limit)?):
      return figure < 0
        ? "its photos were taken later"
        : "its oldest photo was \(span(figure)) old, and at least \(span(limit)) are required"
    case (.filtered, _): return "none of its photos is a favourite, and only such spots fire"
    case (.recreated, let (figure, limit)?):
      let again =
        DurationText.isNone(figure)
        ? "you had just taken it again" : "you had taken it again \(span(figure)) before"
      return "\(again), and it stays silent for \(span(limit))"
    case (.disabled, _): return "notifications were switched off"
    case (.overBudget, let (figure, limit)?):
      return "\(Int(saturating: figure)) had fired that day, of a budget of "
        + "\(Int(saturating: limit))"
    case (.reserved, let (figure, limit)?):
      let photos = figure == 1 ? "1 photo" : "\(Int(saturating: figure)) photos"
      return "it has \(photos), and the rest of that day's budget was reserved for spots "
        + "with \(Int(saturating: limit)) or more"
    case (.overRate, let (_, limit)?):
      return "the limit of \(Int(saturating: limit)) alerts a minute was reached"
    default: return nil
    }
  }

  private func span(_ seconds: Double) -> String { DurationText.text(seconds) }
}
