/// The security header fields of all responses.
public enum SecurityHeaders {
  /// Returns the fields.
  ///
  /// - Parameter isOriginal: Whether the response is a foreign file, which could contain scripts,
  ///   so that it is sandboxed.
  /// - Returns: The names and values.
  public static func fields(isOriginal: Bool = false) -> [(name: String, value: String)] {
    let policy =
      "default-src 'self'; img-src 'self' blob: data:; worker-src 'self'; object-src 'none'; "
      + "base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
    return [
      ("Content-Security-Policy", isOriginal ? "sandbox; " + policy : policy),
      ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      (
        "Permissions-Policy",
        "camera=(self), geolocation=(self), accelerometer=(self), gyroscope=(self), "
          + "magnetometer=(self), microphone=()"
      ),
    ]
  }
}
