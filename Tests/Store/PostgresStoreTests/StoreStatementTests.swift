#if Postgres
  import SystemPackage
  import TestSupport
  import Testing

  @testable import PostgresStore

  @Suite struct StoreStatementTests {
    /// The module's statements, by the names of their enumerations.
    private static let statements: [String: (namesOwner: Bool, texts: [String])] = [
      "AccountStatement": read(AccountStatement.self),
      "AlertStatement": read(AlertStatement.self),
      "CopyStatement": read(CopyStatement.self),
      "DistributionStatement": read(DistributionStatement.self),
      "LibraryStatement": read(LibraryStatement.self),
      "MigrationStatement": read(MigrationStatement.self),
      "OwnerStatement": read(OwnerStatement.self),
      "PendingStatement": read(PendingStatement.self),
      "PhotoStatement": read(PhotoStatement.self),
      "ReceiverStatement": read(ReceiverStatement.self),
      "SpotStatement": read(SpotStatement.self),
      "WorkStatement": read(WorkStatement.self),
    ]

    private static func read<Statement: StoreStatement>(
      _ type: Statement.Type
    ) -> (namesOwner: Bool, texts: [String]) {
      (Statement.namesOwner, Statement.allCases.map(\.rawValue))
    }

    /// The enumerations whose statements have no owner, because they list or find owners.
    private static let withoutOwner = [
      "CopyStatement", "DistributionStatement", "MigrationStatement", "OwnerStatement",
      "PendingStatement",
    ]

    @Test func `every statement on owned tables is restricted to the owner`() {
      for (name, (namesOwner, texts)) in Self.statements {
        #expect(namesOwner == !Self.withoutOwner.contains(name), "\(name)")
        for text in texts where namesOwner {
          let names =
            text.contains("owner = $1")
            || text.contains(/^insert into \w+ \(owner(, [^)]*)?\)\s+(values|select) \(?\$1/)
          #expect(names, "\(name): \(text)")
        }
      }
    }

    @Test func `statements without an owner use only shared tables`() {
      let owned = StoreSchema.migrations.flatMap(\.ownedTables)
      for name in Self.withoutOwner {
        for text in Self.statements[name]?.texts ?? [] {
          let words = text.split { !$0.isLetter && $0 != "_" }.map(String.init)
          #expect(words.allSatisfy { !owned.contains($0) }, "\(name): \(text)")
        }
      }
    }

    @Test func `these tests cover all enumerations of statements in the sources`() throws {
      let names = try Self.enumerations(in: Repository.sources)
      #expect(names.count >= Self.statements.count)
      #expect(names == Set(Self.statements.keys))
    }

    private static func enumerations(in folder: FilePath) throws -> Set<String> {
      var names: Set<String> = []
      for path in Corpus.paths(under: folder) where path.extension == "swift" {
        let text = String(decoding: try Corpus.contents(of: path), as: UTF8.self)
        for match in text.matches(of: /enum (\w+): String, StoreStatement/) {
          names.insert(String(match.1))
        }
      }
      return names
    }
  }
#endif
