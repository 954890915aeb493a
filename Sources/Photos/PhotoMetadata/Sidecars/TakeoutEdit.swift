/// The names of edited copies in Google Takeout: `IMG_1-edited.jpg` beside `IMG_1.jpg`.
package enum TakeoutEdit {
  /// The suffixes appended to the name of the original in the known languages, in lower case.
  private static let texts = [
    "-edited", "-bearbeitet", "-bewerkt", "-düzenlendi", "-editada", "-editado", "-editat",
    "-editată", "-edytowane", "-ha editado", "-modifica", "-modificato", "-modificata", "-modifié",
    "-modifiée", "-muokattu", "-redigerad", "-redigerat", "-redigeret", "-redigert",
    "-szerkesztve", "-szerkesztett", "-upraveno", "-upravené", "-uređeno", "-urejeno", "-diedit",
    "-telah diedit", "-muudetud", "-rediģēts", "-redaguota", "-breytt", "-imehaririwa",
    "-đã chỉnh sửa", "-επεξεργασμένο", "-επεξεργασμένη", "-відредаговано",
    "-изменено", "-отредактировано", "-редактирано", "-редактирана", "-измењено", "-נערך",
    "-נערכה", "-تم التعديل", "-تم تعديله", "-معدّلة", "-ویرایش‌شده", "-ویرایش شده", "-संपादित",
    "-แก้ไขแล้ว", "-编辑", "-已编辑", "-已修改", "-編集済み", "-編輯", "-已編輯", "-수정됨",
  ]

  /// The suffixes as bytes.
  package static let suffixes = texts.map { Array($0.utf8) }

  private static let marks = Set(texts)

  /// Returns whether a text is one of the suffixes, in any letter case and any canonically
  /// equivalent spelling (a Mac writes decomposed letters).
  static func isMark(_ text: ArraySlice<UInt8>) -> Bool {
    text.count <= 64 && marks.contains(String(decoding: text, as: UTF8.self).lowercased())
  }

  /// Returns whether a text is the beginning of a suffix, with at least one letter, as Takeout
  /// leaves it of a long name: `-edi`.
  static func isCutMark(_ text: ArraySlice<UInt8>) -> Bool {
    guard (2...64).contains(text.count) else { return false }
    let text = String(decoding: text, as: UTF8.self).lowercased()
    return text.count > 1 && texts.contains { $0.hasPrefix(text) }
  }
}
