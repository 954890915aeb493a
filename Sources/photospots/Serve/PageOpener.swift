import CLibrary
import Codecs
import Storage
import Subprocess
import SystemPackage

/// Opens the page in the browser of the desktop.
///
/// The address holds the key, and everybody on the machine can read the arguments of a program. So
/// the browser is given a file that nobody else can read, which leads on to the address.
struct PageOpener {
  private let file: FilePath

  init(stateFolder: FilePath) {
    file = stateFolder.appending("open-page.html")
  }

  /// Whether there is a desktop to open a browser on.
  static var hasDesktop: Bool {
    #if canImport(Darwin)
      true
    #else
      getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
    #endif
  }

  /// Opens the page.
  ///
  /// - Parameter address: The address with the key, of which no character has a meaning in HTML.
  /// - Throws: ``Failure`` where the file cannot be written.
  func open(_ address: String) throws {
    let page = """
      <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
      <title>PhotoSpots</title><meta http-equiv="refresh" content="0; url=\(address)">
      <a href="\(address)">PhotoSpots</a>

      """
    do throws(Errno) {
      try Disk.makePrivate(file)
      _ = try Disk.replace(file, of: .any, with: Array(page.utf8))
    } catch { throw Failure("the browser cannot be opened: \(file.escaped): \(error)") }
    start("file://" + PercentEncoding.text(file.bytes, keeping: "/-._~"))
  }

  /// Removes the file, which holds the key.
  func forget() { Disk.removeOwn(file) }

  /// Starts the program that opens a browser, which may go on as long as the browser does.
  private func start(_ address: String) {
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    Task {
      do {
        _ = try await Subprocess.run(
          .name(program), arguments: [address], output: .discarded, error: .discarded)
      } catch {
        StandardError.note("'\(program)' opens no browser here; open the address above")
      }
    }
  }
}
