package import SystemPackage

extension Settings {
  /// The source of map tiles: an address or an absolute path; `nil` for none.
  package var mapTiles: String? {
    get throws {
      guard case .tiles(let place) = try value(.mapTiles) else { return nil }
      return Paths.expanded(place)?.string ?? place
    }
  }

  /// Whether phones of the machine's network may open the page.
  package var lan: Bool {
    get throws { if case .flag(let isOn) = try value(.lan) { isOn } else { false } }
  }

  /// The host names at which the page is requested, in addition to those of the machine.
  package var serveHosts: [String] {
    get throws { if case .hosts(let hosts) = try value(.serveHosts) { hosts } else { [] } }
  }

  /// The URL of the page for phones, without a trailing slash; `nil` for none.
  package var pageAddress: String? {
    get throws { if case .page(let address) = try value(.pageAddress) { address } else { nil } }
  }

  /// The host of ``pageAddress``, without a port and brackets.
  package var pageHost: String? {
    get throws {
      guard let address = try pageAddress, let colon = address.firstIndex(of: ":") else {
        return nil
      }
      let authority = address[colon...].dropFirst(3)
      if authority.first == "[" { return String(authority.dropFirst().prefix { $0 != "]" }) }
      return String(authority.prefix { $0 != ":" })
    }
  }

  /// The folder of recreations.
  package var recreationsFolder: FilePath {
    get throws {
      guard case .folder(let path) = try value(.recreationsFolder),
        let folder = Paths.expanded(path)
      else { preconditionFailure("recreationsFolder is not a folder") }
      return folder
    }
  }
}
