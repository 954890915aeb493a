#if Postgres
  import PostgresStore
  import Testing

  @Suite struct StoreAddressTests {
    @Test(
      arguments: [
        "postgres://anna@db.example:5433/photos?sslmode=verify-full",
        "postgresql:///photos?host=/run/postgresql", "postgres://[2001:db8::1]:5432/photos",
        "postgres://one:1,two:2/photos?target_session_attrs=read-write", "postgres://",
      ])
    func `every form of a libpq address is accepted, and described as it was written`(
      _ text: String
    )
      throws
    {
      #expect(try StoreAddress(text).description == text)
    }

    @Test(
      arguments: [
        "postgres://anna:secret@db/photos", "postgres://anna:@db/photos",
        "postgres://db/photos?password=secret", "postgres://db/photos?pass%77ord=secret",
        "postgres://db/photos?sslpassword=secret",
      ])
    func `rejects an address with a password without showing the password`(_ text: String) {
      #expect {
        try StoreAddress(text)
      } throws: { error in
        let words = "\(error)"
        return error as? StoreAddress.Problem == .password && words.contains("PGPASSWORD")
          && words.contains("passfile") && !words.contains("secret")
      }
    }

    @Test func `rejects malformed addresses, naming the wrong part`() {
      for (text, problem): (String, StoreAddress.Problem) in [
        ("mysql://db/photos", .malformed),
        ("postgres://db/" + String(repeating: "x", count: 5000), .malformed),
        ("postgres://db:0/photos", .unreadable("port")),
        ("postgres://db:99999/photos", .unreadable("port")),
        ("postgres://[::1/photos", .unreadable("host")),
        ("postgres://[::1]x/photos", .unreadable("host")),
        ("postgres://a%2/photos", .unreadable("host")),
        ("postgres://db/%00", .unreadable("database")),
        ("postgres://db/%FF", .unreadable("database")),
        ("postgres://db/photos?colour=red", .unknownOption("colour")),
        ("postgres://db/photos?sslmode", .unreadable("option 'sslmode'")),
      ] {
        #expect(throws: problem, "\(text.prefix(40))") { try StoreAddress(text) }
      }
    }
  }
#endif
