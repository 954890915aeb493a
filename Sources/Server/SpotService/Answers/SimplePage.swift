import Encodings
import SpotAlerts

extension ServiceRequest {
  /// The first language of the browser's user among those of alerts; `nil` where there is none.
  var language: AlertLanguage? {
    // Browsers order the header by preference (RFC 9110, section 12.5.4).
    field("Accept-Language")?.split(separator: ",", maxSplits: 32).lazy
      .compactMap { AlertLanguage(locale: String($0.drop { $0 == " " || $0 == "\t" })) }.first
  }
}

extension ServiceResponse {
  /// Creates a page in the look of the page of photos.
  ///
  /// - Parameters:
  ///   - language: The language.
  ///   - title: The name of a spot, or what happened; `nil` for none.
  ///   - sentence: A sentence, as HTML.
  ///   - button: The label of a button that posts to the page's own address; `nil` for none.
  ///   - image: The address of a picture; `nil` for none.
  ///   - refreshSeconds: The time after which browsers load the page again; `nil` for never.
  ///   - status: The status of the response.
  /// - Returns: The response.
  static func page(
    _ language: AlertLanguage, _ title: String?, _ sentence: String, form button: String? = nil,
    image: String? = nil, refreshSeconds: Int? = nil, status: Int = 200
  ) -> ServiceResponse {
    let name = title.map { "<h2>\(XMLText.escaped($0))</h2>\n" } ?? ""
    let form =
      button.map {
        "<form method=\"post\"><button class=\"button main wide\">\($0)</button></form>\n"
      } ?? ""
    let picture =
      image.map { "<p><img src=\"\(XMLText.escaped($0))\" alt=\"\" width=\"320\"></p>\n" } ?? ""
    let refresh =
      refreshSeconds.map { "<meta http-equiv=\"refresh\" content=\"\($0)\">\n" } ?? ""
    let images = image == nil ? "" : "img-src 'self'; "
    let html = """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      \(refresh)<title>PhotoSpots</title>
      <link rel="stylesheet" href="../../../styles/base.css">
      <link rel="stylesheet" href="../../../styles/link.css">
      </head>
      <body>
      <main>
      <h1>PhotoSpots</h1>
      \(picture)\(name)<p>\(sentence)</p>
      \(form)</main>
      </body>
      </html>

      """
    return ServiceResponse(
      status: status,
      fields: [
        ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
        // Sent in addition to the policy of all responses, and stricter.
        (
          "Content-Security-Policy",
          "default-src 'none'; \(images)style-src 'self'; form-action 'self'"
        ),
      ], body: Array(html.utf8))
  }
}
