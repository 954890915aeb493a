import Encodings
import SpotAlerts

extension Service {
  /// Returns the answer to a browser that asks for a file of the page and is refused.
  ///
  /// A browser at a host that this program does not serve gets a page with the right address:
  /// people type names that their network gives to this machine.
  ///
  /// - Parameters:
  ///   - problem: The reason.
  ///   - request: The request.
  /// - Returns: The answer.
  public func answer(refusing problem: Problem, to request: ServiceRequest) -> ServiceResponse {
    guard problem.kind == .wrongHost, let host = configuration.displayedHost,
      request.field("Accept")?.lowercased().contains("text/html") == true
    else { return problem.response }
    let port = request.field("Host").flatMap(HostRule.port).map { ":\($0)" } ?? ""
    let address = XMLText.escaped("\(request.isSecure ? "https" : "http")://\(host)\(port)/")
    let link = "<a href=\"\(address)\">\(address)</a>"
    let language = request.language ?? .english
    let (title, sentence) =
      switch language {
      case .english:
        (
          "This name is not known here",
          """
          Open \(link) instead. If this machine has the name in your network, add it to the setting \
          <code>serveHosts</code>.
          """
        )
      case .spanish:
        (
          "Este nombre no se conoce aquí",
          """
          Abre \(link). Si esta máquina tiene ese nombre en tu red, añádelo al ajuste \
          <code>serveHosts</code>.
          """
        )
      }
    return .page(language, title, sentence, status: problem.kind.status)
  }
}
