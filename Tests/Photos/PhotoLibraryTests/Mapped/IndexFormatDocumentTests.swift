import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Checks the documentation of the format against the declarations.
@Suite struct IndexFormatDocumentTests {
  private func rows<Table: DeclaredTable>(_: Table.Type) -> String {
    """
    ### \(Table.name)

    | Column | What it holds | In the document | Bytes |
    | --- | --- | --- | --- |
    \(Table.columns.map(\.documentation).joined(separator: "\n"))

    """
  }

  @Test func `the documentation of the index format lists the columns as declared`() throws {
    let package = Repository.folder
    let text = String(
      decoding: try Corpus.contents(of: package.appending("docs/index-format.md")), as: UTF8.self)
    let tables = [
      rows(FileTable.self), rows(PhotoTable.self), rows(UnlocatedTable.self), rows(SpotTable.self),
    ]
    for rows in tables {
      #expect(text.contains(rows), "docs/index-format.md should have:\n\(rows)")
    }
  }
}
