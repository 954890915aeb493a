/// Rejects requests that pages of other sites cause in the user's browser (cross-site request
/// forgery).
enum OriginRule {
  /// Returns the problem of a request; `nil` where it is permitted.
  ///
  /// Any request that a browser marks as coming from another site or origin is refused. A request
  /// that changes something must come from a page of this program (its Origin is the host that the
  /// request is for), or present the key itself, which no browser does on its own.
  static func problem(of request: ServiceRequest, showsKey: Bool) -> Problem? {
    if let site = request.field("Sec-Fetch-Site"), site != "same-origin", site != "none" {
      return Problem(.wrongOrigin, "The request comes from a page of another site.")
    }
    let isWrite = request.method != "GET" && request.method != "HEAD"
    guard let origin = request.field("Origin") else {
      guard isWrite, !showsKey else { return nil }
      return Problem(
        .wrongOrigin, "A change needs the header Origin, or the key in Authorization: Bearer.")
    }
    guard !request.isRepeated("Origin"), isOwn(origin, of: request) else {
      return Problem(.wrongOrigin, "The request comes from a page of another site.")
    }
    return nil
  }

  /// Returns whether an origin has the host of a request, and the scheme of its connection.
  private static func isOwn(_ origin: String, of request: ServiceRequest) -> Bool {
    guard let host = request.field("Host")?.lowercased() else { return false }
    let (scheme, port) = request.isSecure ? ("https://", ":443") : ("http://", ":80")
    let origin = origin.lowercased()
    guard origin.hasPrefix(scheme) else { return false }
    return withoutPort(String(origin.dropFirst(scheme.count)), port) == withoutPort(host, port)
  }

  /// Returns an authority without the default port.
  private static func withoutPort(_ authority: String, _ port: String) -> String {
    authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
  }
}
