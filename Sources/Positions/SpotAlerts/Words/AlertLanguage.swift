/// A language that alerts can be written in.
public enum AlertLanguage: String, Hashable, Sendable, CaseIterable {
  /// English.
  case english = "en"
  /// Spanish.
  case spanish = "es"

  /// Creates the language of a locale in the notation of POSIX or browsers, `es_ES.UTF-8` or
  /// `es-419`; `nil` for an unsupported language.
  public init?(locale: String) {
    self.init(rawValue: locale.prefix { $0.isLetter }.lowercased())
  }
}
