import CLibrary
import LocationFeeds
import SystemPackage

/// Serial devices, and the terminals that programs make in their place.
enum SerialDevice {
  /// The constants of the system by speeds in baud.
  static let speeds: [Int: speed_t] = [
    4800: speed_t(B4800), 9600: speed_t(B9600), 19200: speed_t(B19200), 38400: speed_t(B38400),
    57600: speed_t(B57600), 115200: speed_t(B115200),
  ]

  /// Whether an open file is a serial device, and not the terminal at which somebody sits.
  static func isOne(_ file: OpenFile) -> Bool {
    let descriptor = file.descriptor.rawValue
    // Only the terminal that controls this process has a foreground group for it.
    return isatty(descriptor) == 1 && tcgetpgrp(descriptor) == -1
  }

  /// Opens a device and sets it to give bytes as they are.
  ///
  /// - Throws: Why that does not go.
  static func open(_ path: FilePath, baudRate: Int?) throws(FeedOutage) -> OpenFile {
    let file: OpenFile
    do throws(FeedSourceError) { file = try OpenFile.open(path).0 } catch {
      throw .noDevice(error.cause)
    }
    guard isOne(file) else { throw .notSerial }
    var settings = termios()
    let descriptor = file.descriptor.rawValue
    guard tcgetattr(descriptor, &settings) == 0 else { throw .noDevice(Errno(rawValue: errno)) }
    cfmakeraw(&settings)
    // The receiver has no modem whose lines would tell that it is there.
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    if let baudRate, let speed = speeds[baudRate] { cfsetspeed(&settings, speed) }
    guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
      throw .noDevice(Errno(rawValue: errno))
    }
    return file
  }
}

extension FeedSourceError {
  /// What the system said.
  fileprivate var cause: Errno {
    switch self {
    case .missing: .noSuchFileOrDirectory
    case .isDirectory: .isDirectory
    case .unreadable(_, let cause), .readFailed(let cause): cause
    case .notSerial, .unknownBaudRate, .cannotListen: .invalidArgument
    }
  }
}
