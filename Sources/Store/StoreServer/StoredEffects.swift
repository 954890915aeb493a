#if Postgres
  import PageServer
  import SpotService
  import WebService

  /// The work of requests to a server of a store. Only map tiles are served; all other work is
  /// refused with advice.
  ///
  /// The files of photos are on other machines. Their paths in the store come from the owners, so
  /// no file of this machine is ever opened by them.
  struct StoredEffects: ServiceEffects {
    let tiles: ServedTiles

    func perform(_ work: ServiceWork) async -> ServedAnswer {
      .response(Problem(.notServed, Self.advice(about: work)).response)
    }

    func tile(zoom: Int, column: Int, row: Int) async -> ServiceResponse {
      await tiles.tile(zoom: zoom, column: column, row: row)
    }

    private static func advice(about work: ServiceWork) -> String {
      switch work {
      case .picture, .original, .share:
        "A store has no files of photos; they are on the machines that indexed them."
      case .mute, .unmute, .act:
        "A store has no muted spots; 'photospots mute' keeps them where the watch runs."
      case .places, .importPlaces:
        "A store has no places; 'photospots places' keeps them where the watch runs."
      case .changeSettings:
        "The settings are those of 'photospots serve', and the same for all accounts."
      case .replay: "'photospots replay' replays a track over the index file."
      case .keepRecreation, .recreationPicture, .forgetRecreation:
        "A store has no retaken pictures."
      case .folders:
        "A store has no folders; 'photospots index --store' sends it the photos of a machine."
      case .events: "Events are sent as a stream."
      }
    }
  }
#endif
