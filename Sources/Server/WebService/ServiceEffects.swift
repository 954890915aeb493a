public import SpotService

/// Performs the work of the API that needs files, clocks or other machines.
///
/// Called from several tasks concurrently. The task of a picture or a replay is cancelled if the
/// client disconnects, and that of a replay also after its time limit. Changes are always
/// completed.
public protocol ServiceEffects: Sendable {
  /// Performs any work except ``ServiceWork/events(after:)``, and returns the answer.
  func perform(_ work: ServiceWork) async -> ServedAnswer
  /// Returns a tile of the map: a picture, or a problem where there is none.
  ///
  /// - Parameters:
  ///   - zoom: The zoom, 0–22.
  ///   - column: The column from the west, from 0 up to 2^`zoom` - 1.
  ///   - row: The row from the north, from 0 up to 2^`zoom` - 1.
  /// - Returns: The answer.
  func tile(zoom: Int, column: Int, row: Int) async -> ServiceResponse
}

/// An answer from a ``ServiceEffects``.
public enum ServedAnswer: Sendable {
  /// An answer whose body is in memory.
  case response(ServiceResponse)
  /// A file, read while it is sent.
  case file(ServedFile)
}
