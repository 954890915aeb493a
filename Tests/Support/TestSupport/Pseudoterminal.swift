import CLibrary
public import SystemPackage

/// A terminal whose other end is controlled by a test. To the program it is a serial device.
public struct Pseudoterminal: ~Copyable {
  /// The device to open.
  public let path: FilePath
  private let master: FileDescriptor

  /// Creates a terminal.
  public init() throws { (master, path) = try Self.make() }

  private static func make() throws -> (FileDescriptor, FilePath) {
    let master = try FileDescriptor.open(
      "/dev/ptmx", .readWrite, options: FileDescriptor.OpenOptions(rawValue: O_NOCTTY))
    var (isLocked, number): (CInt, CInt) = (0, 0)
    // As posix_openpt(3) and ptsname(3) do, which are missing from Swift's Glibc module.
    guard ioctl(master.rawValue, setLock, &isLocked) == 0,
      ioctl(master.rawValue, getNumber, &number) == 0
    else { throw Errno(rawValue: errno) }
    return (master, FilePath("/dev/pts/\(number)"))
  }

  /// `TIOCSPTLCK` and `TIOCGPTN` of Linux.
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  /// Disconnects the device.
  deinit { try? master.close() }

  /// Sends a text to the program that has the device open.
  public func send(_ text: String) throws { _ = try master.writeAll(text.utf8) }

  /// Returns all bytes written to the device, after every program has closed it.
  public func receiveAll() -> [UInt8] {
    var bytes: [UInt8] = []
    var window = [UInt8](repeating: 0, count: 4096)
    // The end is reported as the error EIO.
    while let count = try? window.withUnsafeMutableBytes({ try master.read(into: $0) }), count > 0 {
      bytes += window[..<count]
    }
    return bytes
  }

  /// Discards what was written to the device so far. A program that writes more than a page waits
  /// until it is read.
  public func discardOutput() {
    var waiting = pollfd(fd: master.rawValue, events: Int16(POLLIN), revents: 0)
    var window = [UInt8](repeating: 0, count: 4096)
    while poll(&waiting, 1, 0) > 0, waiting.revents & Int16(POLLIN) != 0,
      let count = try? window.withUnsafeMutableBytes({ try master.read(into: $0) }), count > 0
    {}
  }

  /// Sets the width of the terminal.
  public func setColumns(_ columns: UInt16) throws {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(master.rawValue, UInt(TIOCSWINSZ), &size) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Returns the speed that the device is set to, as the system's constant, and whether it is in
  /// raw mode.
  public func settings() -> (speed: UInt32, isRaw: Bool) {
    var settings = termios()
    tcgetattr(master.rawValue, &settings)
    let line = tcflag_t(ICANON | ECHO | ISIG)
    return (cfgetispeed(&settings), settings.c_lflag & line == 0)
  }
}
