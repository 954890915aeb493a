/// Keeps pages of other sites from using the person's browser as a way in.
enum OriginRule {
  /// Why a request is refused; `nil` where it is not.
  ///
  /// A request that a browser marks as coming from another site or origin is refused, whatever it
  /// asks for. One that changes something must come from a page of this program (its Origin is the
  /// host that it was sent to), or show the key itself, which no browser does by itself.
  static func problem(of request: ServiceRequest, showsKey: Bool) -> Problem? {
    if let site = request.field("Sec-Fetch-Site"), site != "same-origin", site != "none" {
      return Problem(.wrongOrigin, "A page of another site asked for this.")
    }
    let isWrite = request.method != "GET" && request.method != "HEAD"
    guard let origin = request.field("Origin") else {
      guard isWrite, !showsKey else { return nil }
      return Problem(
        .wrongOrigin, "A change needs the header Origin, or the key as Authorization: Bearer.")
    }
    guard !request.isRepeated("Origin"), isOwn(origin, of: request) else {
      return Problem(.wrongOrigin, "A page of another site asked for this.")
    }
    return nil
  }

  /// Whether an origin is the host that a request was sent to, by the way that it came.
  private static func isOwn(_ origin: String, of request: ServiceRequest) -> Bool {
    guard let host = request.field("Host")?.lowercased() else { return false }
    let (scheme, port) = request.isSecure ? ("https://", ":443") : ("http://", ":80")
    let origin = origin.lowercased()
    guard origin.hasPrefix(scheme) else { return false }
    return withoutPort(String(origin.dropFirst(scheme.count)), port) == withoutPort(host, port)
  }

  /// The authority without the port that stands for none.
  private static func withoutPort(_ authority: String, _ port: String) -> String {
    authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
  }
}
