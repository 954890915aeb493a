package import FeedSources
package import ProcessControl
package import ProgramSettings
package import SpotService
package import WebService

extension HostRule {
  /// Creates the rule of a server at an address, which answers for the names of the machine and
  /// those of the settings.
  ///
  /// - Throws: A `SettingsError` if a setting is invalid.
  package init(_ settings: Settings, at place: HostAndPort) throws {
    var names = try MachineNames.hosts(of: place) + settings.serveHosts
    if let host = try settings.pageHost { names.append(host) }
    let isEverywhere = MachineNames.isEveryAddress(place.host)
    self.init(names, laterNames: { isEverywhere ? MachineNames.addresses : [] })
  }
}

extension WebServer {
  /// Loads a renewed certificate. If it cannot be used, the error is reported and the old one stays
  /// in use.
  package func renewCertificate(log: MessageLog) {
    do throws(WebServerError) { try renewCertificate() } catch {
      log.problem("\(error); the previous certificate stays in use")
    }
  }
}
