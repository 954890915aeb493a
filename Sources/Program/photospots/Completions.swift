import ArgumentParser
import CivilTime
import Encodings
import PageServer
import PhotoLibrary
import ProcessControl
import ProgramSettings
import SpotAlerts
import SpotService
import SpotWatcher
import SystemPackage

/// The shell completions of names. If the names cannot be determined, nothing is suggested.
enum Completions {
  /// The names of the settings that `--set` accepts, each followed by an equals sign.
  static let settings = CompletionKind.custom { _, _, _ in
    Setting.allCases.filter { !$0.isSecret }.map { $0.rawValue + "=" }
  }

  /// The names of albums in the index.
  static let albums = CompletionKind.custom { words, _, _ in
    let radius = (try? Settings().clusterRadiusMeters) ?? WatcherSettings().clusterRadiusMeters
    let albums = (try? index(words).open(clusterRadius: radius))??.index.albums ?? []
    return albums.compactMap { String(validating: $0, as: UTF8.self) }.filter { $0.escaped == $0 }
  }

  /// The ids of all spots.
  static let spots = CompletionKind.custom { words, _, _ in
    guard let radius = try? Settings().clusterRadiusMeters,
      let opened = try? index(words).open(clusterRadius: radius)
    else { return [] }
    return SpotIndex(opened.index, clusterRadius: radius).listed.map(\.id)
  }

  /// The ids of the muted spots.
  static let mutedSpots = CompletionKind.custom { words, _, _ in
    let folder = value(of: "--state", in: words).map(Paths.absolute) ?? Paths.state
    let muted = (try? MuteList(in: folder).load()) ?? []
    return muted.filter { $0.isInForce(at: .now) }.map(\.spotID.escaped)
  }

  /// The names of the phones with a token.
  static let phones = CompletionKind.custom { words, _, _ in
    let folder = value(of: "--state", in: words).map(Paths.absolute) ?? Paths.state
    let phones = (try? PhoneFile(in: folder, log: .none).load())??.all ?? []
    return phones.map(\.name).filter { $0.escaped == $0 }
  }

  private static func index(_ words: [String]) -> PhotoIndexCache {
    PhotoIndexCache(path: value(of: "--index", in: words).map(Paths.absolute) ?? Paths.index)
  }

  /// Returns the value of an option, given as the next word or after an equals sign.
  private static func value(of option: String, in words: [String]) -> String? {
    for (index, word) in words.enumerated() {
      if word == option, index + 1 < words.count { return words[index + 1] }
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
    }
    return nil
  }
}
