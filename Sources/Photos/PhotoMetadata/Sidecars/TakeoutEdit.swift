/// The names of edited copies in Google Takeout: `IMG_1-edited.jpg` beside `IMG_1.jpg`.
package enum TakeoutEdit {
  /// The suffixes appended to the name of the original in the known languages, in lower case.
  private static let texts = [
    "-edited", "-bearbeitet", "-bewerkt", "-düzenlendi", "-editada", "-editado", "-editat",
    "-edytowane", "-ha editado", "-modifica", "-modificato", "-modifié", "-muokattu", "-redigerad",
    "-redigeret", "-redigert", "-szerkesztve", "-upraveno", "-upravené", "-відредаговано",
    "-изменено", "-编辑", "-編集済み", "-編輯", "-수정됨",
  ]

  /// The suffixes as bytes.
  package static let suffixes = texts.map { Array($0.utf8) }

  private static let marks = Set(texts)

  /// Returns whether a text is one of the suffixes, in any letter case and any canonically
  /// equivalent spelling (a Mac writes decomposed letters).
  static func isMark(_ text: ArraySlice<UInt8>) -> Bool {
    text.count <= 64 && marks.contains(String(decoding: text, as: UTF8.self).lowercased())
  }
}
