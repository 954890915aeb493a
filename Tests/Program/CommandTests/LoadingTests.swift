import CLibrary
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// Libraries that the program opens at run time.
@Suite(.timeLimit(.minutes(30))) struct LoadingTests {
  private let folder = TemporaryFolder()

  private static let hasCurl = access("/usr/bin/curl", X_OK) == 0

  #if os(Linux)
    @Test(.enabled(if: hasCurl, "libcurl is not installed"))
    func `a library beside the program is not loaded`() async throws {
      let outcome = try await Shell.run(
        """
        cd \(folder.root)
        export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
        mkdir bin
        ln "\(PhotoSpotsProcess.program)" bin/photospots 2> /dev/null ||
          cp "\(PhotoSpotsProcess.program)" bin/photospots
        # A program with a run path of its own folder would open these, and say that they are none.
        for name in libcurl.so.4 libcurl-gnutls.so.4; do
          echo 'This is no library.' > bin/$name
        done
        export PHOTOSPOTS_IMMICH_KEY=0123456789abcdef
        bin/photospots index immich+http://127.0.0.1:9 2>&1 | grep -ciE 'libcurl|no library'
        cd bin
        LD_LIBRARY_PATH=. ./photospots index immich+http://127.0.0.1:9 2>&1 | grep -ciE 'libcurl|no library'
        """)
      #expect(outcome.output == "0\n0\n", "\(outcome.errors)")
    }

    private static let canHideFiles =
      geteuid() == 0 && access("/usr/bin/unshare", X_OK) == 0 && access("/bin/mount", X_OK) == 0

    @Test(.enabled(if: hasCurl && canHideFiles, "only root can hide libcurl from a program"))
    func `without libcurl, watch fails at the start only if it needs web receivers`() async throws {
      let outcome = try await Shell.run(
        """
        cd \(folder.root)
        export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
        photospots="\(PhotoSpotsProcess.program)"
        "$photospots" index -q \(samples)/photos
        export PHOTOSPOTS_WEBHOOK_URL=http://127.0.0.1:1/ PHOTOSPOTS_NTFY_URL=http://127.0.0.1:1/a
        cat > hidden.sh <<'END'
        for file in $(find -L /lib /lib64 /usr/lib /usr/local/lib -maxdepth 2 -name 'libcurl*.so.4'); do
          mount --bind /dev/null "$(realpath "$file")" || exit 1
        done
        for receiver in webhook ntfy; do
          "$1" watch "$2" --$receiver > /dev/null 2> errors; echo "$receiver $?"
          grep -o "$receiver: libcurl" errors; grep -o 'apt install libcurl4' errors
        done
        "$1" watch "$2" > /dev/null; echo "none $?"
        END
        unshare --mount sh hidden.sh "$photospots" \(samples)/walk.ndjson
        """)
      #expect(
        outcome.output == """
          webhook 1
          webhook: libcurl
          apt install libcurl4
          ntfy 1
          ntfy: libcurl
          apt install libcurl4
          none 0

          """, "\(outcome.errors)")
    }
  #endif
}
