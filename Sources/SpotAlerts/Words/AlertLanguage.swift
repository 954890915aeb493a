/// A language that alerts can be written in.
public enum AlertLanguage: String, Hashable, Sendable, CaseIterable {
  /// English.
  case english = "en"
  /// Spanish.
  case spanish = "es"

  /// The language of a locale as POSIX and browsers write it: `es_ES.UTF-8`, `es-419`; `nil` for
  /// one in which nothing is written.
  public init?(locale: String) {
    self.init(rawValue: locale.prefix { $0.isLetter }.lowercased())
  }
}
