import ArgumentParser
import CivilTime
import Encodings
import PhotoLibrary
import ProgramSettings
import Spatial
import SpotWatcher
import TerminalOutput
import Towns

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

/// An age of photos on the command line, for example `30d` or `2y`.
///
/// Here `6m` would mostly mean months and a number alone days, and elsewhere they are minutes and
/// seconds, so both are refused. `0` is zero in any unit.
struct AgeArgument {
  let seconds: Double

  /// Parses an age.
  ///
  /// - Throws: A `ValidationError` with the notation.
  init(_ argument: String) throws {
    let unit = argument.filter(\.isLetter).lowercased()
    guard let seconds = Quantity.seconds(argument),
      seconds == 0 || !unit.isEmpty && !unit.hasSuffix("m")
    else { throw ValidationError("write an age as 30d, 26w, 2y, 12h or 30min") }
    self.seconds = seconds
  }
}

/// Days on the command line: `2013`, `2013-06`, `2013-06-12` or `2010..2013`.
struct PeriodArgument: ExpressibleByArgument {
  let period: CivilPeriod

  init?(argument: String) {
    guard let period = CivilPeriod(argument) else { return nil }
    self.period = period
  }
}

/// A bounding box on the command line: `S,W,N,E` in degrees.
struct BoxArgument {
  let box: BoundingBox

  /// Parses a box.
  ///
  /// - Throws: A `ValidationError` with the reason and, where the edges fit a box in another order,
  ///   with that box.
  init(_ argument: String) throws {
    let edges = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0.filter { !$0.isWhitespace }) }
    guard edges.count == 4, let south = edges[0], let west = edges[1], let north = edges[2],
      let east = edges[3]
    else { throw ValidationError("four edges in degrees, with commas between them") }
    if let box = BoundingBox(south: south, west: west, north: north, east: east) {
      self.box = box
      return
    }
    guard BoundingBox(south: north, west: west, north: south, east: east) == nil else {
      let turned = [north, west, south, east].map { PlainNumber.text($0, decimals: 6) }
        .joined(separator: ",")
      throw ValidationError("the southern edge comes first; did you mean \(turned)?")
    }
    throw ValidationError("latitudes are from −90 to 90, and longitudes from −180 to 180")
  }
}

/// A position on the command line, given as one argument or as several.
enum PositionArgument {
  /// Parses a position in any of the notations that `WrittenPosition` accepts, and notes the origin
  /// of a position that the text does not name directly.
  static func coordinate(_ arguments: [String]) throws -> Coordinate {
    let position = try position(arguments)
    if let note = position.note { StandardError.note("\(note)") }
    return position.coordinate
  }

  /// Returns the text if it is not a position in any notation but could be a name, which has
  /// letters.
  static func name(_ arguments: [String]) -> String? {
    let text = arguments.joined(separator: " ")
    do throws(WrittenPositionError) {
      _ = try WrittenPosition(text) { Gazetteer.world.towns(called: $0).map(\.coordinate) }
      return nil
    } catch {
      let hasLetter = text.unicodeScalars.contains(where: \.properties.isAlphabetic)
      return error == .unreadable && hasLetter ? text : nil
    }
  }

  /// Throws an error for arguments that are not a position.
  static func validate(_ arguments: [String]) throws { _ = try position(arguments) }

  private static func position(_ arguments: [String]) throws -> WrittenPosition {
    let text = arguments.joined(separator: " ")
    do throws(WrittenPositionError) {
      return try WrittenPosition(text) { Gazetteer.world.towns(called: $0).map(\.coordinate) }
    } catch {
      if error == .latitudeOutOfRange, let swapped = swapped(text) {
        throw ValidationError(
          "'\(text.escaped)' is not a position: \(error); did you mean '\(swapped)'?")
      }
      throw ValidationError(
        """
        '\(text.escaped)' is not a position: \(error)\(readings(error)). Write the latitude first, in one of these \
        notations: \(WrittenPositionError.notations)
        """)
    }
  }

  /// Returns the positions that an ambiguous text may mean, for a message.
  private static func readings(_ error: WrittenPositionError) -> String {
    let readings = error.readings.prefix(4).map(PlaceName.text(of:))
    return readings.isEmpty ? "" : ": " + readings.joined(separator: " or ")
  }

  /// Returns a position of two plain numbers with its latitude and longitude swapped, as typed;
  /// `nil` for another notation, or if the swapped position is not one either.
  private static func swapped(_ text: String) -> String? {
    let parts = text.split { $0 == " " || $0 == "," || $0 == "(" || $0 == ")" }
    guard parts.count == 2, parts.allSatisfy({ Double($0) != nil }) else { return nil }
    let swapped = "\(parts[1]) \(parts[0])"
    return (try? Coordinate(written: swapped)) == nil ? nil : swapped
  }
}

/// A position without spots whose latitude and longitude were probably swapped, since the swapped
/// position has spots.
struct SwappedPosition {
  /// The position with latitude and longitude swapped.
  let coordinate: Coordinate
  private let spotCount: Int
  private let reachMeters: Double

  /// Creates the swapped position of a query; `nil` if the query found a spot near its position, or
  /// if the swapped position is invalid or has no spot near it either.
  ///
  /// - Parameters:
  ///   - place: The position of the query.
  ///   - nearestMeters: The distance of the nearest spot that the query found, if any.
  ///   - reachMeters: The distance up to which a spot is near.
  ///   - count: Returns the number of spots near a position.
  init?(
    of place: Coordinate, found nearestMeters: Double?, withinMeters reachMeters: Double,
    count: (Coordinate) throws -> Int
  ) rethrows {
    guard nearestMeters.map({ $0 > reachMeters }) ?? true,
      let coordinate = Coordinate(latitude: place.longitude, longitude: place.latitude)
    else { return nil }
    spotCount = try count(coordinate)
    guard spotCount > 0 else { return nil }
    self.coordinate = coordinate
    self.reachMeters = reachMeters
  }

  /// Returns a sentence with the command for the swapped position.
  func text(_ commands: OfferedCommands) -> String {
    let (latitude, longitude) = (
      Degrees.text(coordinate.latitude), Degrees.text(coordinate.longitude)
    )
    return """
      no spot within \(Distance.text(reachMeters)). The latitude comes first: \
      \(spotCount == 1 ? "1 spot is" : "\(spotCount) spots are") near the position with latitude and \
      longitude swapped: \(commands.text("near", latitude, longitude))
      """
  }
}
