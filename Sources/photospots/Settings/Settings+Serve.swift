import SystemPackage

extension Settings {
  /// The source of map tiles: an address or an absolute path; `nil` for none.
  var mapTiles: String? {
    get throws {
      guard case .tiles(let place) = try value(.mapTiles) else { return nil }
      return Places.expanded(place)?.string ?? place
    }
  }

  /// The names under which the page is asked for, besides those of the machine.
  var serveHosts: [String] {
    get throws { if case .hosts(let hosts) = try value(.serveHosts) { hosts } else { [] } }
  }

  /// The folder of pictures that are taken again.
  var recreationsFolder: FilePath {
    get throws {
      guard case .folder(let path) = try value(.recreationsFolder),
        let folder = Places.expanded(path)
      else { preconditionFailure("recreationsFolder is not a folder") }
      return folder
    }
  }
}
