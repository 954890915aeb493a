import CivilTime
import Encodings
import PhotoLibrary
import Spatial
import SpotAlerts

extension Service {
  /// Answers with a page, without scripts, that asks for confirmation of the action of a link in an
  /// alert.
  ///
  /// Opening a link changes nothing, since programs also open links to show previews.
  func confirmation(_ call: Call) throws(Problem) -> ServiceResponse {
    let reader = reader(of: call.request)
    do throws(Problem) {
      let grant = try grant(call)
      let spot = try mutableSpot(withID: grant.spotID)
      let words = ActionWords(grant.action, in: reader.language)
      return .page(reader.language, spot.title, words.question, form: words.button)
    } catch { return try refusal(error, to: reader) }
  }

  /// Returns the reply to the request for the action of a link in an alert.
  func act(_ call: Call) throws(Problem) -> ServiceReply {
    let reader = reader(of: call.request)
    do throws(Problem) {
      let grant = try grant(call)
      let spot = try mutableSpot(withID: grant.spotID)
      return .work(
        .act(
          ActionWork(
            action: grant.action, spotID: grant.spotID, latitude: spot.center.latitude,
            longitude: spot.center.longitude, until: grant.action.end(ofLinkUntil: grant.expiry),
            token: call.variable, expiry: grant.expiry, title: spot.title, reader: reader)))
    } catch { return .response(try refusal(error, to: reader)) }
  }

  /// Creates the response to a performed action.
  public func acted(_ work: ActionWork) -> ServiceResponse {
    let language = work.reader.language
    return .page(language, work.title, ActionWords(work.action, in: language).done)
  }

  /// Creates the response to an action that was not performed.
  public func refused(_ problem: Problem, _ work: ActionWork) -> ServiceResponse {
    (try? refusal(problem, to: work.reader)) ?? problem.response
  }

  /// The problem of a link that was used before.
  public static let usedLink = Problem(
    .expired, "The link was used already; you can mute and unmute the spot on the page.")

  private func grant(_ call: Call) throws(Problem) -> AlertActionKey.Grant {
    let grant: AlertActionKey.Grant
    do throws(AlertActionKey.Refusal) {
      guard let key = configuration.actionKey else { throw .unknown }
      grant = try key.grant(of: call.variable, now: call.now)
    } catch {
      switch error {
      case .unknown: throw Problem(.notFound, "This link does not belong to an alert.")
      case .expired:
        throw Problem(.expired, "The link was valid for a day; you can mute the spot on the page.")
      }
    }
    guard configuration.usedLinks?.contains(call.variable) != true else { throw Self.usedLink }
    return grant
  }

  /// Returns a refusal as a page for browsers; throws it as a problem for programs.
  private func refusal(
    _ problem: Problem, to reader: ActionReader
  ) throws(Problem) -> ServiceResponse {
    guard reader.isBrowser else { throw problem }
    let sentence = ActionWords.refusal(problem.kind, in: reader.language)
    return .page(reader.language, nil, sentence, status: problem.kind.status)
  }

  /// Returns the language and the kind of the reader of an answer.
  private func reader(of request: ServiceRequest) -> ActionReader {
    let accepted = request.field("Accept")?.lowercased() ?? ""
    return ActionReader(
      language: request.language ?? language, isBrowser: accepted.contains("text/html"))
  }

  /// The language of alerts, if it is set; else English.
  var language: AlertLanguage {
    let setting = try? sources.settings().first { $0.name == "language" }
    return setting?.value.flatMap { AlertLanguage(rawValue: $0) } ?? .english
  }
}

/// The texts on an action's page.
private struct ActionWords {
  let question: String
  let button: String
  let done: String

  init(_ action: AlertAction, in language: AlertLanguage) {
    let days = action.muteDays
    switch (action, language) {
    case (.mute, .english):
      question = "Mute this spot until \(days) days after the alert?"
      done = "This spot sends no alerts until \(days) days after this one."
      button = language.label(of: .mute)
    case (.mute, .spanish):
      question = "¿Silenciar este sitio hasta \(days) días después del aviso?"
      done = "Este sitio no avisa hasta \(days) días después de este aviso."
      button = language.label(of: .mute)
    case (.notNow, .english):
      question = "Mute this spot until a day after the alert?"
      done = "This spot sends no alerts until a day after this one."
      button = language.label(of: .notNow)
    case (.notNow, .spanish):
      question = "¿Silenciar este sitio hasta un día después del aviso?"
      done = "Este sitio no avisa hasta un día después de este aviso."
      button = language.label(of: .notNow)
    }
  }

  /// The sentence about a link that cannot be used.
  static func refusal(_ kind: Problem.Kind, in language: AlertLanguage) -> String {
    switch (kind, language) {
    case (.expired, .english):
      "This link was used already, or is older than a day. PhotoSpots’ page can mute the spot."
    case (.expired, .spanish):
      "Este enlace ya se usó o tiene más de un día. La página de PhotoSpots puede silenciar el sitio."
    case (.noSuchSpot, .english): "This spot is gone. It sends no alerts."
    case (.noSuchSpot, .spanish): "Este sitio ya no está. No envía avisos."
    case (.notFound, .english): "This link does not belong to an alert."
    case (.notFound, .spanish): "Este enlace no pertenece a ningún aviso."
    case (_, .english): "PhotoSpots cannot do this now. Try again later."
    case (_, .spanish): "PhotoSpots no puede hacerlo ahora. Inténtalo más tarde."
    }
  }
}
