import CLibrary
import LocationFeeds
import SystemPackage

/// Serial devices, and the pseudo-terminals that programs create in their place.
enum SerialDevice {
  /// The system's constants for speeds in baud.
  static let speeds: [Int: speed_t] = [
    4800: speed_t(B4800), 9600: speed_t(B9600), 19200: speed_t(B19200), 38400: speed_t(B38400),
    57600: speed_t(B57600), 115200: speed_t(B115200),
  ]

  /// Returns whether an open file is a terminal device other than the user's own terminal.
  static func isSerial(_ file: OpenFile) -> Bool {
    let descriptor = file.descriptor.rawValue
    // tcgetpgrp succeeds only for the controlling terminal of the process.
    return isatty(descriptor) == 1 && tcgetpgrp(descriptor) == -1
  }

  /// Opens a device in raw mode.
  ///
  /// - Throws: The reason why the device cannot be opened or configured.
  static func open(_ path: FilePath, baudRate: Int?) throws(FeedOutage) -> OpenFile {
    let file: OpenFile
    do throws(FeedSourceError) { file = try OpenFile.open(path).0 } catch {
      throw .noDevice(error.cause)
    }
    guard isSerial(file) else { throw .notSerial }
    var settings = termios()
    let descriptor = file.descriptor.rawValue
    guard tcgetattr(descriptor, &settings) == 0 else { throw .noDevice(Errno(rawValue: errno)) }
    cfmakeraw(&settings)
    // CLOCAL: receivers have no modem control lines.
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    if let baudRate, let speed = speeds[baudRate] { cfsetspeed(&settings, speed) }
    guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
      throw .noDevice(Errno(rawValue: errno))
    }
    return file
  }
}

extension FeedSourceError {
  /// The system's error, or the closest one.
  fileprivate var cause: Errno {
    switch self {
    case .missing: .noSuchFileOrDirectory
    case .isDirectory: .isDirectory
    case .unreadable(_, let cause), .readFailed(let cause): cause
    case .notSerial, .unknownBaudRate, .cannotListen, .damagedCompression, .tooLongUnpacked:
      .invalidArgument
    }
  }
}
