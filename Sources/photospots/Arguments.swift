import ArgumentParser
import Spatial
import SpotWatcher

/// A distance on the command line, for example `100`, `100m` or `1.5km`.
struct MetersArgument: ExpressibleByArgument {
  let meters: Double

  init?(argument: String) {
    guard let meters = Quantity.meters(argument) else { return nil }
    self.meters = meters
  }
}

/// A duration on the command line, for example `90s`, `15min`, `24h` or `7d`.
struct SecondsArgument: ExpressibleByArgument {
  let seconds: Double

  init(seconds: Double) { self.seconds = seconds }

  /// The default value as help texts show it.
  var defaultValueDescription: String { DurationText.text(seconds) }

  init?(argument: String) {
    guard let seconds = Quantity.seconds(argument) else { return nil }
    self.seconds = seconds
  }
}

/// A bounding box on the command line: `S,W,N,E` in degrees.
struct BoxArgument: ExpressibleByArgument {
  let box: BoundingBox

  init?(argument: String) {
    let edges = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0.filter { !$0.isWhitespace }) }
    guard edges.count == 4, let south = edges[0], let west = edges[1], let north = edges[2],
      let east = edges[3],
      let box = BoundingBox(south: south, west: west, north: north, east: east)
    else { return nil }
    self.box = box
  }
}

/// A position on the command line, given as one argument or as several.
enum PositionArgument {
  /// Parses a position in any of the notations that `Coordinate(written:)` accepts.
  static func coordinate(_ arguments: [String]) throws -> Coordinate {
    let text = arguments.joined(separator: " ")
    do throws(WrittenPositionError) {
      return try Coordinate(written: text)
    } catch {
      throw ValidationError(
        """
        '\(text.escaped)' is not a position: \(error). Write the latitude first, in one of these \
        notations: \(WrittenPositionError.notations)
        """)
    }
  }
}
