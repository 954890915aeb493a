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
