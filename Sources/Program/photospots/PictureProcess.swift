import Pictures
import TerminalOutput

extension PictureMaker {
  #if os(Linux)
    /// Processes of this program without network, secrets and writable files, for all photos that
    /// it decodes.
    static let confined = PictureMaker.workers(
      PictureWorkers { StandardError.writeLine("photospots: \($0)") })
  #else
    /// This process: other systems have no such confinement.
    static let confined = PictureMaker.here
  #endif

  /// Runs this process as a picture worker if its arguments ask for that.
  ///
  /// - Returns: Only if it is not one.
  static func runIfWorker(_ arguments: [String]) {
    #if os(Linux)
      guard arguments == [PictureWorkerProgram.argument] else { return }
      PictureWorkerProgram.run()
    #endif
  }
}
