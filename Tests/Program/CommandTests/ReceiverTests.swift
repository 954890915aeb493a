import ProcessSupport
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// Receivers of alerts on the web, and the secrecy of their settings.
@Suite(.timeLimit(.minutes(30))) struct ReceiverTests {
  let folder: TemporaryFolder
  let photospots: PhotoSpotsProcess

  init() async throws {
    folder = TemporaryFolder()
    photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
  }

  private var settingsFile: FilePath { folder.path("xdg_config_home/photospots/config.json") }
  private let walk = samples.appending("walk.ndjson").string

  private func write(settings: String) throws { try folder.write(settings.utf8, to: settingsFile) }

  private func deliveries() async throws -> String {
    try await photospots.run("history", "--format", "json").output
  }

  @Test func `--webhook and --ntfy send alerts, ntfy with a reduced picture`()
    async throws
  {
    let webhook = try LoopbackServer { _, _ in .status(204) }
    let ntfy = try LoopbackServer { _, _ in .status(200) }
    try write(
      settings: """
        {"webhookURL": "http://127.0.0.1:\(webhook.port)/spots?key=1", "webhookSecret": "s3cr3t",
         "ntfyURL": "http://me:w0rd@127.0.0.1:\(ntfy.port)/t0pic", "ntfyPriority": 4}
        """)
    let outcome = try await photospots.run("watch", walk, "--webhook", "--ntfy", "--record")
    #expect(outcome.code == 0)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(webhook.requests.map { String(decoding: $0.body, as: UTF8.self) } == lines)
    #expect(webhook.requests.allSatisfy { $0.method == "POST" && $0.path == "/spots?key=1" })
    #expect(
      webhook.requests.allSatisfy {
        $0.headers["x-photospots-signature"]?.hasPrefix("sha256=") == true
      })
    #expect(Set(webhook.requests.compactMap { $0.headers["idempotency-key"] }).count == 2)
    #expect(ntfy.requests.count == 2)
    for request in ntfy.requests {
      #expect(request.method == "PUT" && request.path == "/t0pic")
      #expect(request.headers["authorization"] == "Basic bWU6dzByZA==")
      #expect(request.headers["priority"] == "4")
      #expect(request.body.starts(with: [0xFF, 0xD8]))
      #expect(try #require(JPEGMarkers(request.body)?.size).width <= 512)
    }
    let history = try await deliveries()
    for name in ["stdout", "webhook", "ntfy"] {
      #expect(history.contains("\"notifier\": \"\(name)\""))
    }
    #expect(!history.contains("pending") && !history.contains("expired"))
  }

  @Test func `--gotify and --apprise send alerts, Apprise with a picture`()
    async throws
  {
    let gotify = try LoopbackServer { _, _ in .status(200) }
    let apprise = try LoopbackServer { _, _ in .status(200) }
    try write(
      settings: """
        {"gotifyURL": "http://127.0.0.1:\(gotify.port)/under", "gotifyToken": "A.t0ken",
         "gotifyPriority": 8, "appriseURL": "http://me:w0rd@127.0.0.1:\(apprise.port)/notify",
         "appriseServices": "json://h, mailto://u:p@h"}
        """)
    let outcome = try await photospots.run("watch", walk, "--gotify", "--apprise", "--record")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(gotify.requests.map(\.path) == ["/under/message", "/under/message"])
    #expect(gotify.requests.allSatisfy { $0.headers["x-gotify-key"] == "A.t0ken" })
    let messages = gotify.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(messages.allSatisfy { $0.contains(#""priority":8,"#) })
    #expect(apprise.requests.map(\.path) == ["/notify", "/notify"])
    #expect(apprise.requests.allSatisfy { $0.headers["authorization"] == "Basic bWU6dzByZA==" })
    let bodies = apprise.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.allSatisfy { $0.contains(#""urls":"json://h, mailto://u:p@h","#) })
    // The first bytes of a JPEG file in Base64.
    #expect(bodies.allSatisfy { $0.contains(#""base64":"/9j/"#) })
    let shown = outcome.output + outcome.errors + (try await deliveries())
    for secret in ["t0ken", "w0rd", "mailto"] { #expect(!shown.contains(secret)) }
  }

  @Test func `--gotify without a token fails with the name of the setting`()
    async throws
  {
    try write(settings: #"{"gotifyURL": "https://gotify.example.org"}"#)
    let outcome = try await photospots.run("watch", walk, "--gotify")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("PHOTOSPOTS_GOTIFY_TOKEN"))
  }

  @Test func `status 204 of Apprise is reported as having no service`()
    async throws
  {
    let apprise = try LoopbackServer { _, _ in .status(204) }
    try write(settings: #"{"appriseURL": "http://127.0.0.1:\#(apprise.port)/notify/s3cr3t"}"#)
    let outcome = try await photospots.run("watch", walk, "--apprise", "--record")
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("Apprise has no service to notify"))
    #expect(!outcome.errors.contains("s3cr3t"))
  }

  @Test func `after ntfy has refused a picture, the text is sent without it`() async throws {
    let ntfy = try LoopbackServer { _, request in .status(request.method == "PUT" ? 413 : 200) }
    try write(settings: #"{"ntfyURL": "http://127.0.0.1:\#(ntfy.port)/topic"}"#)
    _ = try await photospots.run("watch", walk, "--ntfy", "--record")
    #expect(ntfy.requests.map(\.method) == ["PUT", "POST", "PUT", "POST"])
    #expect(try await !deliveries().contains("expired"))
  }

  @Test func `no picture is sent if the setting is off`() async throws {
    let ntfy = try LoopbackServer { _, _ in .status(200) }
    try write(
      settings: #"{"ntfyURL": "http://127.0.0.1:\#(ntfy.port)/topic", "ntfyPicture": false}"#)
    _ = try await photospots.run("watch", walk, "--ntfy")
    #expect(ntfy.requests.map(\.method) == ["POST", "POST"])
  }

  @Test func `recorded feeds send to ntfy only with --ntfy, live feeds unless --no-ntfy`()
    async throws
  {
    let ntfy = try LoopbackServer { _, _ in .status(200) }
    try write(settings: #"{"ntfyURL": "http://127.0.0.1:\#(ntfy.port)/topic"}"#)
    func watch(_ arguments: String...) async throws -> String {
      let state = folder.path("state \(arguments.count)").string
      return try await photospots.run(["watch"] + arguments + ["--state", state]).errors
    }
    #expect(try await watch(walk).contains("use --ntfy to send it"))
    #expect(try await watch(walk, "--no-ntfy").isEmpty)
    #expect(ntfy.requests.isEmpty)
    let live = #"{"latitude":48.86194,"longitude":2.2883,"horizontalAccuracy":5}"#
    for (flag, count) in [("--no-ntfy", 0), ("", 1)] {
      _ = try await Shell.run(
        """
        printf '%s\\n' '\(live)' | '\(PhotoSpotsProcess.program)' watch - \(flag) \
          --set rulesOff=coldStart,vehicles --state \
          '\(folder.path("live\(flag)"))'
        """,
        environment: [
          "XDG_CACHE_HOME": folder.path("xdg_cache_home").string,
          "XDG_CONFIG_HOME": folder.path("xdg_config_home").string,
        ])
      #expect(ntfy.requests.count == count)
    }
  }

  @Test func `a refused alert is given up and reported without the address`() async throws {
    let webhook = try LoopbackServer { _, _ in .status(404) }
    try write(settings: #"{"webhookURL": "http://127.0.0.1:\#(webhook.port)/s3cr3t-path"}"#)
    let outcome = try await photospots.run("watch", walk, "--webhook", "--record")
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("webhook: notification "))
    #expect(outcome.errors.contains("webhook: 2 notifications are given up"))
    #expect(
      outcome.errors.contains("is not delivered, and not tried again: answered with status 404"))
    let history = try await photospots.run("history").output
    #expect(history.contains("webhook given up after 1 try: answered with status 404"))
    #expect(!(outcome.errors + outcome.output + history).contains("s3cr3t"))
  }

  /// An HTTP client that treats a status as a number from 100 crashed the process, also at each
  /// following start, since the notification was still pending.
  @Test(arguments: ["HTTP/1.1 000 x", "HTTP/1.1 099 x", "HTTP/1.1 65536 x", "\0"])
  func `an invalid HTTP response does not crash watch`(line: String) async throws {
    let server = try LoopbackServer { _, _ in .bytes("\(line)\r\nContent-Length: 0\r\n\r\n") }
    var process = photospots
    process.environment = [
      "PHOTOSPOTS_WEBHOOK_URL": "http://127.0.0.1:\(server.port)/s3cr3t",
      "PHOTOSPOTS_NTFY_URL": "http://127.0.0.1:\(server.port)/s3cr3t",
    ]
    for _ in 0..<2 {
      let outcome = try await process.run("watch", walk, "--webhook", "--ntfy", "--record")
      #expect(outcome.code == 3, "\(outcome)")
      #expect(!outcome.errors.contains("s3cr3t"))
    }
    #expect(try await deliveries().contains("the answer is invalid"))
  }

  @Test func `a proxy from the environment is used`() async throws {
    let proxy = try LoopbackServer { _, _ in .status(204) }
    var process = photospots
    process.environment = [
      "PHOTOSPOTS_WEBHOOK_URL": "http://receiver.invalid/spots",
      "http_proxy": "http://127.0.0.1:\(proxy.port)",
    ]
    #expect(try await process.run("watch", walk, "--webhook").code == 0)
    #expect(
      proxy.requests.map(\.path) == [
        "http://receiver.invalid/spots", "http://receiver.invalid/spots",
      ])
  }

  @Test func `secrets are accepted only in a file of mode 600, and are never printed`()
    async throws
  {
    try write(
      settings: """
        {"webhookURL": "https://me:pa55@example.org/pa55", "webhookSecret": "pa55",
         "ntfyURL": "https://ntfy.sh/pa55", "ntfyToken": "tk_pa55"}
        """)
    for format in ["text", "json"] {
      let outcome = try await photospots.run("config", "--format", format)
      #expect(outcome.code == 0)
      #expect(outcome.output.contains("https://ntfy.sh/…"))
      #expect(!(outcome.output + outcome.errors).contains("pa55"))
    }
    for mode in [0o640, 0o604, 0o620] as [FilePermissions.RawValue] {
      try folder.setPermissions(of: settingsFile, to: FilePermissions(rawValue: mode))
      let outcome = try await photospots.run("config")
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("webhookURL") && outcome.errors.contains("chmod 600"))
      #expect(!outcome.errors.contains("pa55"))
    }
  }

  @Test func `a settings file without secrets may be readable by everyone`() async throws {
    try write(settings: #"{"ntfyPriority": 5}"#)
    try folder.setPermissions(of: settingsFile, to: FilePermissions(rawValue: 0o644))
    #expect(try await photospots.run("config").code == 0)
  }

  @Test(arguments: [
    "webhookURL=https://example.org/pa55", "webhookSecret=pa55", "ntfyURL=https://ntfy.sh/pa55",
    "ntfyToken=pa55", "gotifyURL=https://example.org/pa55", "gotifyToken=pa55",
    "appriseURL=https://example.org/notify/pa55", "appriseServices=mailto://me:pa55@h",
  ])
  func `a secret on the command line is refused without repeating it`(assignment: String)
    async throws
  {
    let outcome = try await photospots.run("config", "--set", assignment)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("other users can read") && !outcome.errors.contains("pa55"))
  }

  @Test(arguments: [
    ("webhookURL", "example.org/pa55"), ("ntfyURL", "https://ntfy.sh/?pa55"),
    ("ntfyToken", "pa55 pa55"), ("gotifyURL", "https://example.org/?pa55"),
    ("gotifyToken", "pa55 pa55"), ("appriseURL", "https://example.org/pa55"),
    ("mqttPassword", "pa55\\u0000"),
  ])
  func `an invalid secret is not repeated in the error`(name: String, value: String) async throws {
    try write(settings: "{\"\(name)\": \"\(value)\"}")
    let outcome = try await photospots.run("config")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains(name) && !outcome.errors.contains("pa55"))
  }

  @Test func `a receiver's flag without its setting exits with status 64`() async throws {
    for (flag, name) in [
      ("--ntfy", "PHOTOSPOTS_NTFY_URL"), ("--webhook", "PHOTOSPOTS_WEBHOOK_URL"),
      ("--gotify", "PHOTOSPOTS_GOTIFY_URL"), ("--apprise", "PHOTOSPOTS_APPRISE_URL"),
    ] {
      let outcome = try await photospots.run("watch", walk, flag)
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains(name))
    }
  }

  @Test func `a hook does not inherit secrets from the environment`() async throws {
    try folder.write("#!/bin/sh\nenv\n", to: "hook.sh")
    try folder.makeExecutable(folder.path("hook.sh"))
    var process = photospots
    process.environment = [
      "PHOTOSPOTS_NTFY_TOKEN": "pa55", "PHOTOSPOTS_NTFY_URL": "https://ntfy.sh/pa55",
      "PHOTOSPOTS_WEBHOOK_SECRET": "pa55", "PHOTOSPOTS_WEBHOOK_URL": "https://example.org/pa55",
      "PHOTOSPOTS_GOTIFY_URL": "https://example.org/pa55", "PHOTOSPOTS_GOTIFY_TOKEN": "pa55",
      "PHOTOSPOTS_APPRISE_URL": "https://example.org/notify/pa55",
      "PHOTOSPOTS_APPRISE_SERVICES": "mailto://me:pa55@example.org",
      "PHOTOSPOTS_MQTT_PASSWORD": "pa55", "PGPASSWORD": "pa55",
      "PHOTOSPOTS_LISTEN_TOKENS": "phone=pa55pa55pa55pa55",
      "OTHER": "passed on",
    ]
    let outcome = try await process.run(
      "watch", walk, "--hook", folder.path("hook.sh").string)
    #expect(outcome.errors.contains("OTHER=passed on"))
    #expect(!outcome.errors.contains("pa55"))
  }
}
