import CLibrary
import Encodings
import PhotoLibrary
import Storage
import Subprocess
import SystemPackage
import TerminalOutput

/// Opens the page in the desktop's browser.
///
/// The URL contains a code, and the arguments of a program are visible to all users of the
/// machine. Therefore the browser opens a file that no other user can read, which redirects to the
/// URL.
struct PageOpener {
  private let file: FilePath

  init(stateFolder: FilePath) {
    file = stateFolder.appending("open-page.html")
  }

  /// Whether there is a desktop session to open a browser in.
  static var hasDesktop: Bool {
    #if canImport(Darwin)
      true
    #else
      getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
    #endif
  }

  /// Opens the page.
  ///
  /// - Parameter address: The URL with a code. It contains no characters that are special in HTML.
  /// - Returns: The program that opens the browser.
  /// - Throws: `MessageError` if the file cannot be written.
  @discardableResult
  func open(_ address: String) throws -> Task<Void, Never> {
    let page = """
      <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
      <title>PhotoSpots</title><meta http-equiv="refresh" content="0; url=\(address)">
      <a href="\(address)">PhotoSpots</a>

      """
    do throws(Errno) {
      try Disk.makePrivate(file)
      _ = try Disk.replace(file, of: .any, with: Array(page.utf8))
    } catch { throw MessageError("the browser cannot be opened: \(file.escaped): \(error)") }
    return start("file://" + PercentEncoding.text(file.bytes, keeping: "/-._~"))
  }

  /// Removes the file, which contains a code.
  func forget() { Disk.removeOwn(file) }

  /// Starts the program that opens a browser. It may run as long as the browser does.
  private func start(_ address: String) -> Task<Void, Never> {
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    return Task {
      do {
        _ = try await Subprocess.run(
          .name(program), arguments: [address], output: .discarded, error: .discarded)
      } catch {
        StandardError.note("'\(program)' cannot open a browser here; open the address above")
      }
    }
  }
}
