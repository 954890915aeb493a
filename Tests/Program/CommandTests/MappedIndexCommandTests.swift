import CLibrary
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

@testable import PhotoSpotsProgram

/// The mapped file next to the index, which affects only speed, never results.
@Suite struct MappedIndexCommandTests {
  let folder = TemporaryFolder()
  let photospots: PhotoSpotsProcess
  private var mapped: FilePath { folder.path("index.json.mapped") }

  init() async throws {
    photospots = PhotoSpotsProcess(home: folder.root)
    let index = folder.path("index.json").string
    _ = try await photospots.run(
      "index", samples.appending("photos").string, "--index", index)
  }

  private func near() async throws -> (output: String, errors: String) {
    let result = try await photospots.run(
      "near", "48.8584", "2.2945", "--radius", "5km", "--photos", "--format", "json", "--index",
      folder.path("index.json").string)
    #expect(result.code == 0)
    return (result.output, result.errors)
  }

  @Test func `a missing or truncated mapped file is rebuilt, and the result is the same`()
    async throws
  {
    let whole = try folder.contents(of: mapped)
    let answer = try await near()
    #expect(answer.errors.isEmpty && !answer.output.isEmpty)
    folder.remove(mapped)
    #expect(try await near() == answer)
    #expect(try folder.contents(of: mapped) == whole)
    try folder.write(whole[..<(whole.count / 2)], to: mapped)
    #expect(try await near() == answer)
    #expect(try folder.contents(of: mapped) == whole)
  }

  @Test func `a scan without changes repairs a damaged mapped file`() async throws {
    let whole = try folder.contents(of: mapped)
    var damaged = whole
    damaged[whole.count - 200] ^= 0x55
    try folder.write(damaged, to: mapped)
    _ = try await photospots.run("index", "--index", folder.path("index.json").string)
    #expect(try folder.contents(of: mapped) == whole)
  }

  @Test func `if the mapped file cannot be written, a warning appears and the result is the same`()
    async throws
  {
    let answer = try await near()
    folder.remove(mapped)
    try folder.createFolder(mapped)
    let slow = try await near()
    #expect(slow.output == answer.output)
    #expect(slow.errors.contains("index.json.mapped"))
    #expect(slow.errors.split(separator: "\n").count == 1)
  }

  /// Runs a shell command without the privilege that lets root write despite permissions.
  private func runWithoutPrivilege(_ command: String) async throws -> (
    output: String, errors: String
  ) {
    let prefix = geteuid() == 0 ? "setpriv --bounding-set=-dac_override " : ""
    return try await Shell.run(prefix + command)
  }

  /// Whether that is possible.
  private static let isPrivilegeDroppable: Bool = {
    guard geteuid() == 0 else { return true }
    guard let setpriv = ChildProcess.path(of: "setpriv"),
      let process = try? ChildProcess(setpriv, ["--bounding-set=-dac_override", "true"])
    else { return false }
    return process.exitStatus() == 0
  }()

  @Test(.enabled(if: isPrivilegeDroppable, "root cannot drop its privilege to write anywhere"))
  func `in a read-only folder one warning appears and the result is the same`() async throws {
    let answer = try await near()
    let readOnly = folder.path("read-only")
    let index = readOnly.appending("index.json")
    try folder.write(try folder.contents(of: folder.path("index.json")), to: index)
    try folder.setPermissions(of: readOnly, to: [.ownerRead, .ownerExecute])
    defer { try? folder.setPermissions(of: readOnly, to: [.ownerReadWrite, .ownerExecute]) }
    let probe = try await runWithoutPrivilege(
      "sh -c 'touch \(readOnly)/probe || echo read-only'")
    try #require(probe.output == "read-only\n")
    for _ in 1...2 {
      let slow = try await runWithoutPrivilege(
        """
        '\(PhotoSpotsProcess.program)' near 48.8584 2.2945 --radius 5km --photos --format json \
        --index '\(index)'
        """)
      #expect(slow.output == answer.output)
      #expect(slow.errors.contains("index.json.mapped"))
      #expect(slow.errors.split(separator: "\n").count == 1)
    }
  }
}
