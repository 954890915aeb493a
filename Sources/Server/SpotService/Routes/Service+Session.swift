import CivilTime
import Encodings

extension Service {
  /// Begins a session for a browser that presents the key or a code. The answer is the token that
  /// changes need in addition to the cookie, and the phone that was added by its code, with the
  /// token of its reports.
  func openSession(_ call: Call) throws(Problem) -> ServiceResponse {
    let login = try RequestBody.login(call.request.body)
    let address = call.request.address
    let cookie: String
    var added: (phone: Phone, token: String)?
    switch (login, configuration.sessions) {
    case (.key(let text), let sessions):
      guard configuration.key.isKey(text), let key = SessionKey(text) else {
        throw Problem(.noKey, "The key is wrong. \(configuration.keyAdvice)")
      }
      cookie =
        try sessions?.begin(browser: browser(of: call), address: address, phone: nil) ?? key.cookie
    case (.code(let text), let sessions?):
      guard let code = try sessions.redeem(text, from: address) else {
        throw Problem(
          .noKey,
          "The code is wrong, was used before, or is older than ten minutes; make a new one.")
      }
      if let name = code.phone { added = try servedPhones.add(name) }
      cookie = try sessions.begin(
        browser: browser(of: call), address: address, phone: added?.phone.id)
    case (.code, nil): throw withoutSessions
    }
    var response = ServiceResponse { writer in
      writer.object { writer in
        writer.member("token", configuration.key.changeToken(ofSession: cookie))
        guard let (phone, token) = added else { return }
        writer.key("phone")
        phone.write(withToken: token, to: &writer)
      }
    }
    response.fields = [
      ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
      SessionKey.cookieField(cookie, for: call.request),
    ]
    return response
  }

  private func browser(of call: Call) -> String { call.request.field("User-Agent") ?? "" }

  /// Ends the session of the request, and deletes its cookie.
  func endSession(_ call: Call) throws(Problem) -> ServiceResponse {
    if let sessions = configuration.sessions, let cookie = session(of: call.request),
      let session = sessions.session(withCookie: cookie)
    {
      _ = try sessions.end(session.id)
    }
    var response = ServiceResponse.noContent
    response.fields.append(SessionKey.endingField(for: call.request))
    return response
  }

  /// Answers with the sessions, the latest used first.
  func sessions(_ call: Call) throws(Problem) -> ServiceResponse {
    guard let sessions = configuration.sessions else { throw withoutSessions }
    let own = session(of: call.request).flatMap { sessions.session(withCookie: $0)?.id }
    return try list(call, sessions.all) { session, writer in
      writer.object { writer in
        writer.member("id", session.id)
        writer.member("browser", session.browser)
        writer.member("address", session.address)
        writer.member("opened", session.opened.iso8601)
        writer.member("used", session.used.iso8601)
        writer.member("isThis", session.id == own)
        writer.key("phone")
        if let phone = session.phone { writer.string(phone) } else { writer.null() }
      }
    }
  }

  /// Ends any session.
  func endOtherSession(_ call: Call) throws(Problem) -> ServiceResponse {
    guard let sessions = configuration.sessions else { throw withoutSessions }
    guard try sessions.end(call.variable) else {
      throw Problem(.noSuchSession, "There is no session with this id; it may have ended.")
    }
    return .noContent
  }

  /// Creates a code with which another browser can begin a session, and for a phone the address
  /// with the code, also as a QR code.
  func makeCode(_ call: Call) throws(Problem) -> ServiceResponse {
    guard let sessions = configuration.sessions else { throw withoutSessions }
    let name = try RequestBody.phone(call.request.body)
    if let name { try servedPhones.check(name) }
    let code = try sessions.makeCode(forPhone: name)
    let invitation = try name.map { _ throws(Problem) in
      PhoneInvitation(code, at: try servedPhones.page(askedBy: call.request))
    }
    var response = ServiceResponse(status: 201) { writer in
      writer.object { writer in
        writer.member("code", code.text)
        writer.member("expires", code.expires.iso8601)
        invitation?.writeMembers(to: &writer)
      }
    }
    response.fields = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
    return response
  }

  private var withoutSessions: Problem {
    Problem(.notServed, "Sessions of a store end with their key, and need no codes.")
  }
}
