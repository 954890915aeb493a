import SystemPackage
import TestSupport
import Testing

@testable import ProgramSettings

@Suite struct SettingsPageTests {
  @Test func `docs/settings.md equals the page generated from the declarations`() throws {
    let page = Repository.folder.appending("docs/settings.md")
    let written = String(decoding: try Corpus.contents(of: page), as: UTF8.self)
    #expect(written == SettingsPage.text(), "run 'make settings-page'")
  }

  @Test func `the page has each setting once, with its default and whether it is secret`() {
    let lines = SettingsPage.text().split(separator: "\n")
    for setting in Setting.allCases {
      let rows = lines.filter { $0.hasPrefix("| `\(setting.rawValue)` |") }
      #expect(rows.count == 1, "\(setting)")
      #expect(rows.first?.contains("; secret |") == setting.isSecret, "\(setting)")
      #expect(rows.first?.contains("| `\(setting.defaultText)` |") == true, "\(setting)")
    }
  }
}
