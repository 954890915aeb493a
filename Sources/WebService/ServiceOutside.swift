public import SpotService

/// Does what the API asks for that needs files, clocks or other machines.
///
/// Called from several tasks at a time. The task of a picture or a replay is cancelled if the
/// client disconnects, and that of a replay after its time limit. Changes are always completed.
public protocol ServiceOutside: Sendable {
  /// Does some work, all but ``ServiceWork/events(after:)``, and answers.
  func perform(_ work: ServiceWork) async -> ServedAnswer
  /// Answers with a tile of the map: a picture, or a problem where there is none.
  ///
  /// - Parameters:
  ///   - zoom: The zoom, 0–22.
  ///   - column: The column from the west, from 0 up to 2^`zoom`.
  ///   - row: The row from the north, from 0 up to 2^`zoom`.
  /// - Returns: The answer.
  func tile(zoom: Int, column: Int, row: Int) async -> ServiceResponse
}

/// An answer of the outside.
public enum ServedAnswer: Sendable {
  /// An answer whose body is in memory.
  case response(ServiceResponse)
  /// A file, read as it is sent.
  case file(ServedFile)
}
