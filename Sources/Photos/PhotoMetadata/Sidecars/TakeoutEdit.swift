/// The names of edited copies in Google Takeout: `IMG_1-edited.jpg` beside `IMG_1.jpg`.
package enum TakeoutEdit {
  /// The suffixes appended to the name of the original in the known languages, in lower case.
  package static let suffixes = [
    "-edited", "-bearbeitet", "-bewerkt", "-editada", "-editado", "-edytowane", "-modifica",
    "-modificato", "-modifié", "-muokattu", "-redigerad", "-redigeret", "-redigert", "-изменено",
    "-编辑", "-編集済み", "-수정됨",
  ].map { Array($0.utf8) }
}
