package import FeedSources
package import IndexUpdates
package import MQTTBroker
package import PhotoLibrary
package import Pictures
package import ProcessControl
import ProgramSettings
package import SpotAlerts
package import SystemPackage
package import WatchService
package import WebService

/// What a page server with one library serves, and where it reports.
package struct ServeConfiguration: Sendable {
  /// The index.
  package let cache: PhotoIndexCache
  /// The folder of files that must not be lost.
  package let stateFolder: FilePath
  /// The folder of files that can be made again.
  package var cachesFolder = Paths.caches
  /// The user's folder, in which folders of photos are looked for.
  package var homeFolder = Paths.home
  /// The address to listen on.
  package let place: HostAndPort
  /// The certificate and its key; `nil` for plain HTTP.
  package var tls: TLSFiles?
  /// Whether the certificate comes from an authority of this machine, for phones of its network.
  package var isForHome = false
  /// Whether the setting `lan` decides about that, so that the page may change it.
  package var followsLANSetting = false
  /// Whether phones cannot be let in though that setting asks for it, which the page says.
  package var letsNobodyIn = false
  /// Whether a proxy in front provides TLS.
  package var isBehindProxy = false
  /// Whether the keys are replaced by new ones.
  package var makesNewKey = false
  /// Whether the trail of each device is recorded.
  package var keepsTrails = false
  /// Folders and remote libraries that are indexed besides those of the index.
  package var roots: [FilePath] = []
  /// The number of photos read at the same time.
  package var jobs = PhotoIndexer.Settings.defaultJobs
  /// Options that are kept with the folders named in ``roots``, or with those of the index if none
  /// are named.
  package var options = FolderOptions.Change()
  /// Creates the feeds that are watched besides the messages of phones.
  package var feeds: @Sendable () -> [Feed] = { [] }
  /// The receivers of alerts.
  package var notifiers: [any Notifier] = []
  /// The connection to Home Assistant, if any.
  package var homeAssistant: HomeAssistantConnection?
  /// Makes pictures of photos.
  package var pictureMaker = PictureMaker.here
  /// Receives messages about the server.
  package var log = MessageLog.none
  /// Receives the events of the watch.
  package var watched: @Sendable (WatchEvent) -> Void = { _ in }
  /// Receives the outcome of each scan that is the first one or found something new.
  package var scanned: @Sendable (IndexRun.Outcome) -> Void = { _ in }

  /// Creates the configuration of a server without TLS that sends no alerts.
  ///
  /// - Parameters:
  ///   - cache: The index.
  ///   - stateFolder: The folder of files that must not be lost.
  ///   - place: The address to listen on.
  package init(cache: PhotoIndexCache, stateFolder: FilePath, place: HostAndPort) {
    (self.cache, self.stateFolder, self.place) = (cache, stateFolder, place)
  }
}
