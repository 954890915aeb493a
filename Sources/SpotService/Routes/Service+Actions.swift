import CivilTime
import PhotoLibrary
import Spatial
public import SpotAlerts

extension Service {
  /// Answers with a page, without scripts, that asks for confirmation of the action of a link in an
  /// alert.
  ///
  /// Opening a link changes nothing, since programs also open links to show previews.
  func confirmation(_ call: Call) throws(Problem) -> ServiceResponse {
    let action = try grant(call).action
    let words = ActionWords(action, in: call.request.language)
    return .page(words.language, words.question, form: words.button)
  }

  /// Returns the work for the action of a link in an alert.
  func act(_ call: Call) throws(Problem) -> ServiceWork {
    let grant = try grant(call)
    let center = try center(ofSpot: grant.spotID)
    return .act(
      grant.action, spotID: grant.spotID, latitude: center.latitude, longitude: center.longitude,
      until: grant.action.end(ofLinkUntil: grant.expiry), language: call.request.language)
  }

  /// Creates the response to a performed action.
  public func acted(_ action: AlertAction, in language: AlertLanguage) -> ServiceResponse {
    .page(language, ActionWords(action, in: language).done)
  }

  private func grant(_ call: Call) throws(Problem) -> AlertActionKey.Grant {
    do throws(AlertActionKey.Refusal) {
      guard let key = configuration.actionKey else { throw .unknown }
      return try key.grant(of: call.variable, now: call.now)
    } catch {
      switch error {
      case .unknown: throw Problem(.notFound, "This link does not belong to an alert.")
      case .expired:
        throw Problem(.expired, "The link was valid for a day; you can mute the spot on the page.")
      }
    }
  }
}

/// The texts on an action's page.
private struct ActionWords {
  let language: AlertLanguage
  let question: String
  let button: String
  let done: String

  init(_ action: AlertAction, in language: AlertLanguage) {
    self.language = language
    switch (action, language) {
    case (.mute, .english):
      (question, done) = ("Mute the spot of this alert?", "This spot sends no more alerts.")
      button = language.label(of: .mute)
    case (.mute, .spanish):
      (question, done) = ("¿Silenciar el lugar de este aviso?", "Este lugar ya no avisa.")
      button = language.label(of: .mute)
    case (.notNow, .english):
      (question, done) = (
        "Mute the spot of this alert for today?",
        "This spot sends no alerts until a day after this one."
      )
      button = language.label(of: .notNow)
    case (.notNow, .spanish):
      (question, done) = (
        "¿Silenciar por hoy el lugar de este aviso?",
        "Este lugar no avisa hasta un día después de este aviso."
      )
      button = language.label(of: .notNow)
    }
  }
}

extension ServiceRequest {
  /// The preferred language of the browser's user among those of alerts.
  fileprivate var language: AlertLanguage {
    // The first language of the header (RFC 9110, section 12.5.4), which browsers order by
    // preference.
    field("Accept-Language").flatMap { AlertLanguage(locale: $0) } ?? .english
  }
}

extension ServiceResponse {
  /// Creates a page with one sentence, and optionally a button that posts to the page's own
  /// address.
  fileprivate static func page(
    _ language: AlertLanguage, _ sentence: String, form button: String? = nil
  ) -> ServiceResponse {
    let form = button.map { "<form method=\"post\"><button>\($0)</button></form>\n" } ?? ""
    let html = """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark">
      <title>PhotoSpots</title>
      <h1>PhotoSpots</h1>
      <p>\(sentence)</p>
      \(form)</html>

      """
    return ServiceResponse(
      status: 200,
      fields: [
        ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
        // Sent in addition to the policy of all responses, and stricter.
        ("Content-Security-Policy", "default-src 'none'; form-action 'self'"),
      ], body: Array(html.utf8))
  }
}
