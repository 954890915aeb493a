package import SystemPackage

extension ScanReport.HeldBack {
  /// Returns which photos of a folder are missing but stay in the index, and what to do about it.
  package func text(of folder: FilePath) -> String {
    let photos =
      "\(missing) of \(known) files of \(folder.escaped) are missing, but stay in the index"
    return isOtherDevice
      ? """
      \(photos): its disk is not mounted, or another one is. If they are gone for good: photospots \
      forget \(folder.quoted)
      """
      : "\(photos). If they are gone for good: photospots index --full \(folder.quoted)"
  }
}
