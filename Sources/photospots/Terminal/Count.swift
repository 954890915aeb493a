/// Numbers of things, for people.
enum Count {
  /// A number with a comma before each three digits: `40,505`.
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
