import CLibrary
import Encodings
import KeptPlaces
import PhotoLibrary
package import ProcessControl
package import ProgramSettings
import Recreations
import SpotAlerts
import SpotService
package import Storage
package import SystemPackage

/// A file or folder that the programs of a state folder open.
package struct StateFile: Sendable {
  /// A command that opens the file.
  package enum User: String, Sendable, CaseIterable {
    case watch, serve
  }

  /// The part of a report that the file belongs to.
  package let part: String
  /// The path.
  package let path: FilePath
  /// A noun for the contents.
  package let title: String
  /// The commands that open the file, and do not start if they cannot use it.
  package let users: [User]
  /// Opens the file as these commands do; throws the error with which they end.
  package let check: @Sendable () throws -> Void

  /// The owner and permissions; `nil` if there is no file.
  package func ownership() throws(Errno) -> Disk.Ownership? { try Disk.ownership(of: path) }

  /// The version that the beginning of the file states; `nil` if it states none, or cannot be read.
  package var statedVersion: Int64? {
    do {
      var reader = JSONReader(try Disk.readToEnd(path, limit: 512))
      try reader.beginObject()
      while let key = try reader.nextKey() {
        if key == "version" { return try reader.integer() }
        try reader.skipValue()
      }
    } catch {}
    return nil
  }
}

/// The files that `watch` and `serve` open with a state folder: one list for their start, for
/// `status` and for its list.
package struct StateFiles: Sendable {
  /// The files and folders, in the order of the list.
  package let files: [StateFile]
  private let folder: FilePath

  /// Creates the list of a state folder.
  ///
  /// - Parameters:
  ///   - folder: The state folder.
  ///   - settings: The settings in force. A file that an invalid setting names is left out, since
  ///     the setting is reported.
  ///   - log: Receives notices about damage that prevents no start.
  package init(in folder: FilePath, _ settings: Settings, log: MessageLog) {
    self.folder = folder
    var files: [StateFile] = []
    func add(
      _ part: String, _ path: FilePath, _ title: String, _ users: [StateFile.User],
      _ check: @escaping @Sendable () throws -> Void
    ) {
      files.append(StateFile(part: part, path: path, title: title, users: users, check: check))
    }
    let both = StateFile.User.allCases
    add("settings", Paths.settingsFile, "settings", both) {
      if let problem = settings.fileProblem { throw problem }
    }
    if let places = try? settings.placeStore(stateFolder: folder, log: log) {
      add("places", places.path, "places of your own", both) { _ = try places.load() }
    }
    add("history", folder.appending("journal.ndjson"), "cooldowns and history", both) {
      _ = try WatchSession.journal(in: folder)
    }
    add("mutes", folder.appending("mutes.json"), "muted spots", both) {
      _ = try MuteList(in: folder).load()
    }
    add("devices", folder.appending("devices.json"), "devices", both) {
      _ = try DeviceLog.reports(in: folder)
    }
    let recreations = RecreationStore(stateFolder: folder)
    add("recreations", folder.appending("recreations.json"), "pictures taken again", both) {
      try recreations.check()
    }
    if let pictures = try? settings.recreationsFolder {
      add("recreations", pictures, "folder of pictures", [.serve]) {
        try recreations.check(pictures)
      }
    }
    for (purpose, title) in [
      (ServeKey.Purpose.serve, "key of the page"), (.action, "key of links in alerts"),
    ] {
      let key = ServeKey(in: folder, for: purpose)
      add("keys", key.path, title, [.serve]) { try key.check() }
    }
    let sessions = PrivateList.sessions(in: folder)
    add("keys", sessions.path, sessions.contents, [.serve]) {
      let key = SessionKey.random()
      _ = try sessions.load(log: log) { json throws(JSONError) in
        try SessionList(json: json, of: key.hashes)
      }
    }
    let phones = PhoneFile(in: folder, log: log)
    add("keys", PrivateList.phones(in: folder).path, "phones", both) { _ = try phones.load() }
    let links = PrivateList.links(in: folder)
    add("keys", links.path, links.contents, [.serve]) {
      _ = try links.load(log: log) { json throws(JSONError) in try UsedLinkList(json: json) }
    }
    let authority = HomeAuthority(in: folder)
    add("keys", authority.path, "certificate authority of this machine", [.serve]) {
      _ = try authority.certificate()
    }
    self.files = files
  }

  /// Checks everything that the commands need at their start.
  ///
  /// - Parameter report: Called with the part and the text of each problem.
  package func check(_ report: (_ part: String, _ text: String) -> Void) {
    // A list and the folder of its pictures may have one problem.
    var told: Set<String> = []
    for file in files {
      do { try file.check() } catch {
        let text = "\(error)"
        if told.insert(text).inserted { report(file.part, text) }
      }
    }
    checkOwners(report)
    checkRoom(report)
  }

  /// Reports the files that the owner of the state folder cannot use, such as those that root
  /// made.
  private func checkOwners(_ report: (_ part: String, _ text: String) -> Void) {
    let ownNames = Set(
      files.filter { $0.path.removingLastComponent() == folder }
        .compactMap { $0.path.lastComponent?.string })
    let names: [[UInt8]]
    do throws(Errno) { names = try Disk.names(in: folder, beginning: []) } catch {
      return report("files", "the state folder \(folder.escaped) cannot be read: \(error)")
    }
    for name in names.map({ String(decoding: $0, as: UTF8.self) }).sorted() {
      let isOwn = name == "lock" || ownNames.contains { name == $0 || name == "\($0).lock" }
      guard isOwn else { continue }
      let path = folder.appending(name)
      do throws(Errno) {
        guard let found = try Disk.ownership(of: path), !found.isUsableByOwnerOfFolder else {
          continue
        }
        report(
          "files",
          """
          \(path.escaped) belongs to user \(found.user), and the user \(found.folderUser) of the state \
          folder cannot use it: give it to that user with chown(1)
          """)
      } catch { report("files", "\(path.escaped) cannot be looked at: \(error)") }
    }
  }

  /// Reports that nothing can be stored in the state folder, or that a missing one cannot be
  /// created at the first start.
  private func checkRoom(_ report: (_ part: String, _ text: String) -> Void) {
    do throws(Errno) {
      guard try Disk.hasEntry(folder) else { return try checkCreation() }
      try Disk.probe(folder)
    } catch {
      let advice = MachineFault(error).map { " \($0.sentence)" } ?? ""
      report(
        "files",
        "nothing can be stored in the state folder \(folder.escaped): \(error).\(advice)")
    }
  }

  /// Checks that the missing folder can be created in the nearest folder above it.
  private func checkCreation() throws(Errno) {
    var above = folder
    while try !Disk.hasEntry(above), above.removeLastComponent() {}
    let isWritable = (above.isEmpty ? "." : above).withPlatformString { access($0, W_OK) == 0 }
    if !isWritable { throw Errno(rawValue: errno) }
  }
}
