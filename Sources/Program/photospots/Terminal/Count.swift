/// Counts for display.
enum Count {
  /// Returns a number with a comma as thousands separator, for example `40,505`.
  static func text(_ count: Int) -> String {
    let digits = String(count)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }
}
