package import SystemPackage

extension ScanReport.HeldBack {
  /// Returns which photos of a folder are missing but stay in the index, and what to do about it.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - commands: The commands to offer.
  /// - Returns: One or two sentences.
  package func text(of folder: FilePath, _ commands: OfferedCommands) -> String {
    let photos =
      "\(missing) of \(known) files of \(folder.escaped) are missing, but stay in the index"
    return isOtherDevice
      ? """
      \(photos): its disk is not mounted, or another one is. If they are gone for good: \
      \(commands.text("forget", folder.quoted))
      """
      : "\(photos). If they are gone for good: \(commands.text("index", "--full", folder.quoted))"
  }
}

extension ScanReport.Split {
  /// Returns the numbers of files of a missing folder that were found or not, with advice.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - commands: The commands to offer.
  /// - Returns: Two sentences.
  package func text(of folder: FilePath, _ commands: OfferedCommands) -> String {
    """
    \(folder.escaped) is gone: \(moved) of its \(moved + left) files are in other folders now, \
    \(left) were not found and stay in the index, marked stale. Index the folder that has them; if \
    they are gone for good: \(commands.text("forget", folder.quoted))
    """
  }
}
