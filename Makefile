# PhotoSpots. 'make demo' demonstrates it and 'make test' tests it. Both install missing system packages first.
SWIFT ?= swift
# The traits become -D flags of the compiler in the order of a set, which differs between processes: without this, a build with
# several traits compiles everything again.
BUILD := SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
PREFIX ?= /usr/local
# 'make install TRAITS=MQTT' builds with a trait (see the README).
TRAITS ?=
# Other options of the builds for the demo and for tests.
FLAGS ?=
comma := ,
WITH_TRAITS := $(if $(TRAITS),--traits HTTPServer$(comma)$(TRAITS))
# The demo does not need the server, whose packages are most of what a first build compiles.
WITHOUT_SERVER := --disable-default-traits
# The folder of the demo's build: two builds with different traits in one folder compile everything again, each time.
DEMO_BUILD ?= .build
PHOTOSPOTS = $$($(BUILD) --scratch-path $(DEMO_BUILD) $(WITHOUT_SERVER) --show-bin-path)/photospots
# Programs of plain 'swift build' search for libraries in their own folder first, where others may write. These do not, and
# they bind all functions at the start, after which the table of them is read-only.
HARDENED := $(if $(filter Linux,$(shell uname)),--disable-local-rpath -Xlinker -z -Xlinker now)
# The tests and the program that the tests of the page start are one build.
FOR_TESTS := $(HARDENED) $(WITH_TRAITS) $(FLAGS)
SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)
DEMO := .build/demo

.PHONY: demo build build-tests test test-of test-page coverage check check-all test-dates soak golden lint settings-page api docs bench bench-peers bench-store fuzz install deb setup clean

demo: setup
	$(BUILD) --scratch-path $(DEMO_BUILD) $(WITHOUT_SERVER) $(HARDENED) $(FLAGS) --product photospots
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@photospots=$(PHOTOSPOTS) folder=$(DEMO) sh Samples/demo.sh

# 'make build TRAITS=MQTT CONFIGURATION=release'; a debug build by default.
build: setup
	$(BUILD) $(if $(CONFIGURATION),--configuration $(CONFIGURATION)) $(HARDENED) $(WITH_TRAITS)

# Tests that wait for processes, sockets and files run one at a time, in processes of their own. In parallel with compute-bound
# tests of their process they would wait for a free thread, for minutes on a slow machine.
WAITING := CommandTests|FeedServerTests|MQTTBrokerTests|WebNotifiersTests|WebServiceTests|NotifierContractTests|OutboxTests|HookNotifierTests|WatchSessionTests|SoakTests|LibraryWatchTests|FeedSourcesTests|TileSourceTests|WatchServiceTests|StoreServerTests|PageServerTests|ExampleTests

build-tests: setup
	$(BUILD) --build-tests $(FOR_TESTS)

test: build-tests
	@bundle="$$($(BUILD) $(FOR_TESTS) --show-bin-path)/PhotoSpotsPackageTests.xctest" && \
	  WAITING='$(WAITING)' BUNDLE="$$bundle" sh Tests/run.sh $(SWIFT) test --skip-build $(WITH_TRAITS)
	@echo "The page has tests of its own, in node and in browsers: make test-page"

# Builds and runs one test target alone, in a build folder of its own: 'make test-of TARGET=SpotWatcherTests'.
test-of: setup
	SWIFT_DETERMINISTIC_HASHING=1 PHOTOSPOTS_TEST_TARGET=$(TARGET) $(SWIFT) test --scratch-path .build/alone --disable-default-traits

# Tests the page's modules in node, then the page and the API of a real server: in Chromium, in WebKitGTK, and with requests
# generated from the API description.
test-page: setup
	$(BUILD) --product photospots $(FOR_TESTS)
	@sh Tests/Server/Page/run.sh "$$($(BUILD) $(FOR_TESTS) --show-bin-path)/photospots"

# Prints the line coverage of each module by 'make test', from a build of its own. Programs that the tests start are not
# counted.
COVERAGE := .build/coverage
coverage: setup
	$(BUILD) --build-tests --enable-code-coverage --scratch-path $(COVERAGE) $(WITH_TRAITS)
	@sh Tests/run.sh $(SWIFT) test --skip-build --no-parallel --enable-code-coverage --scratch-path $(COVERAGE) $(WITH_TRAITS)
	@bin=$$($(BUILD) --scratch-path $(COVERAGE) $(WITH_TRAITS) --show-bin-path) && \
	  tools=$$(dirname "$$(realpath "$$(command -v $(SWIFT))")") && \
	  python3 Tests/coverage.py "$$tools/llvm-cov" "$$bin/PhotoSpotsPackageTests.xctest" "$$bin/codecov/default.profdata"

# All checks that must pass before a change is merged. They include the brute-force comparison of the spatial index with a
# million positions, in an optimized build.
check: lint test
	PHOTOSPOTS_TWIN_SIZE=1000000 $(SWIFT) test --configuration release --scratch-path .build/check \
	  -Xswiftc -enable-testing --filter SpatialTests

# What .ci/run leaves out, since it takes hours: for the machine of a night, and before a release. The page is tested in all
# sizes and themes, with other random requests to the API, and dates and clock changes are tested on other days.
check-all: check
	$(BUILD) --package-path Benchmarks
	$(BUILD) $(WITHOUT_SERVER) $(HARDENED)
	for traits in HEIF MQTT Postgres; do $(BUILD) $(HARDENED) --traits HTTPServer,$$traits || exit 1; done
	PHOTOSPOTS_API_SECONDS=300 $(MAKE) test-page
	$(MAKE) test-dates
	$(MAKE) soak

# The end of a year, a leap day, and the hours in which clocks change in Europe and in the United States.
DATES := 2026-12-31T23:58:00 2028-02-29T12:00:00 2027-03-28T00:58:00 2027-10-31T00:58:00 2027-11-07T05:58:00
test-dates: build-tests
	@WAITING='$(WAITING)' sh Tests/dates.sh "$$($(BUILD) $(FOR_TESTS) --show-bin-path)/PhotoSpotsPackageTests.xctest" $(DATES)

# Ten million fixes at full speed and 200 kills: everything that was decided is delivered, and memory does not grow. Also
# 100,000 damaged responses of receivers, and all inputs of the tests of which 'make test' uses a part (Effort), such as the
# table of faults: files, faults and commands, alone, in pairs, and while a watch or a server runs. Takes an hour.
soak: setup
	$(BUILD) --build-tests --configuration release --scratch-path .build/check -Xswiftc -enable-testing
	PHOTOSPOTS_THOROUGH=1 $(SWIFT) test --skip-build --configuration release --scratch-path .build/check \
	  -Xswiftc -enable-testing --skip '$(WAITING)'
	PHOTOSPOTS_THOROUGH=1 $(SWIFT) test --skip-build --configuration release --scratch-path .build/check \
	  -Xswiftc -enable-testing --no-parallel --filter FaultTableTests
	PHOTOSPOTS_SOAK_FIXES=10000000 PHOTOSPOTS_KILLS=200 PHOTOSPOTS_ANSWERS=100000 \
	  $(SWIFT) test --skip-build --configuration release --scratch-path .build/check -Xswiftc -enable-testing \
	  --no-parallel --filter 'SoakTests|KillTests|AnswerMutationTests'

# Compares the watcher with simple alternatives on modelled traces. 'make golden GOLDEN=--traces' prints a line for each
# trace.
golden: setup
	$(SWIFT) run --configuration release --scratch-path .build/check golden-table $(GOLDEN)

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Samples Benchmarks/Package.swift Benchmarks/Inputs Benchmarks/Peers Benchmarks/StoreBench Benchmarks/StoreWatch Benchmarks/*Benchmarks

# Generates docs/settings.md from the declarations of the settings. A test checks that it is current.
settings-page: setup
	$(BUILD) --product photospots $(HARDENED) $(WITH_TRAITS)
	"$$($(BUILD) $(WITH_TRAITS) --show-bin-path)/photospots" help --settings-page > .build/settings.md
	mv .build/settings.md docs/settings.md

# Writes docs/api: the public declarations of the libraries, a line each. With another set of traits it would be another.
api: setup
	$(BUILD) $(HARDENED)
	docs/api/symbol-graphs.sh $(SWIFT) .build/symbol-graphs
	python3 docs/api/make-listing.py .build/symbol-graphs

# Converts the documentation of the libraries to .build/docs/MODULE.doccarchive: 'docc preview' or a web server shows it.
docs: setup
	$(BUILD) $(HARDENED)
	docs/api/symbol-graphs.sh $(SWIFT) .build/symbol-graphs
	docs/api/make-docs.sh .build/symbol-graphs .build/docs

bench: setup
	$(MAKE) -C Benchmarks

# Measures other programs for comparison, installing them first, and writes Benchmarks/RESULTS.md. A quick run: 'make
# bench-peers ROUNDS=1 SIZE=100k FILES=2k GROWTH=10k,100k'.
bench-peers: setup
	@ROUNDS="$(ROUNDS)" SIZE="$(SIZE)" FILES="$(FILES)" GROWTH="$(GROWTH)" LARGE="$(LARGE)" STAGES="$(STAGES)" PROGRAM="$(PROGRAM)" Benchmarks/peers.sh

# A store on a PostgreSQL server of its own (Debian: postgresql, libpq-dev, and postgresql-15-postgis-3 to compare with):
# 'make bench-store PHOTOS=10000000 POINTS=points.f64 QUERIES=queries.f64'. Then 1,000 random rounds and 25 kills of workers,
# unless STAGES names what to measure.
bench-store: setup
	for product in store-bench photospots $(if $(wildcard Benchmarks/StoreWatch),store-watch-bench); do \
	  PHOTOSPOTS_STORE_BENCH=1 $(BUILD) --configuration release $(HARDENED) --traits HTTPServer,Postgres --product $$product || exit 1; \
	done
	@bin=$$($(BUILD) --configuration release --traits HTTPServer,Postgres --show-bin-path) && \
	  python3 Benchmarks/store.py $$bin/store-bench $$bin/photospots $(if $(PHOTOS),--photos $(PHOTOS)) \
	    $(if $(POINTS),--points $(POINTS)) $(if $(QUERIES),--queries $(QUERIES)) $(STAGES)
ifeq ($(STAGES),)
	PHOTOSPOTS_STORE_ROUNDS=1000 PHOTOSPOTS_KILLS=25 $(SWIFT) test --configuration release --scratch-path .build/check \
	  --traits HTTPServer,Postgres -Xswiftc -enable-testing --no-parallel --filter 'SpotWorkTests|StoreCommandTests'
endif

# Fuzzes the parsers: 'make fuzz TARGET=png RUNS=100000', by default a million runs of each target.
# Both flags are needed: the first alone links libFuzzer's own main, and only the last one is used for compiling.
fuzz: setup
	PHOTOSPOTS_FUZZER=1 $(BUILD) --configuration release --scratch-path .build/fuzzer \
	  --product fuzzer --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing
	@TARGET="$(TARGET)" RUNS="$(RUNS)" sh Tests/Fuzzing/Fuzzer/fuzz.sh

# Options for a faster start and less memory (Benchmarks/FIGURES.md). The C++ library is linked statically: the first folder
# in which the linker searches contains no other version.
STATIC := .build/static
ifeq ($(shell uname),Linux)
# Supported from glibc 2.36 on; older versions cannot read the result.
PACKED := $(shell getconf GNU_LIBC_VERSION 2> /dev/null | \
  awk '{ split($$2, part, "."); if (part[1] * 100 + part[2] >= 236) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
LINKING := $(HARDENED) -Xlinker -S -Xlinker -L$(STATIC) -Xlinker --no-export-dynamic $(PACKED) \
  -Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
else
LINKING := -Xlinker -S
endif

# Builds as the invoking user, and becomes root only to write to folders that the user cannot write to.
install: setup
	@rm -rf $(STATIC) && mkdir -p $(STATIC) && \
	for compiler in clang cc; do \
	  library=$$($$compiler -print-file-name=libstdc++.a 2> /dev/null) || continue; \
	  test ! -f "$$library" || { ln -s "$$library" $(STATIC)/ && break; }; \
	done
	$(BUILD) --configuration release --static-swift-stdlib $(LINKING) $(WITH_TRAITS) --product photospots
	@bin=$$($(BUILD) --configuration release --static-swift-stdlib $(WITH_TRAITS) --show-bin-path) && \
	completions=.build/completions && mkdir -p $$completions && \
	for shell in bash zsh fish; do \
	  "$$bin/photospots" --generate-completion-script $$shell > $$completions/$$shell || exit 1; \
	done; \
	env -u XDG_CACHE_HOME -u XDG_CONFIG_HOME -u XDG_STATE_HOME \
	  "$$bin/photospots" help --manual > .build/photospots.1 || exit 1; \
	to="$(DESTDIR)$(PREFIX)"; as=""; \
	{ mkdir -p "$$to" && test -w "$$to"; } 2> /dev/null || as="$(SUDO)"; \
	$$as install -d "$$to/bin" "$$to/share/bash-completion/completions" \
	  "$$to/share/zsh/site-functions" "$$to/share/fish/vendor_completions.d" "$$to/share/man/man1" && \
	$$as install -m 755 "$$bin/photospots" "$$to/bin/photospots" && \
	$$as install -m 644 $$completions/bash "$$to/share/bash-completion/completions/photospots" && \
	$$as install -m 644 $$completions/zsh "$$to/share/zsh/site-functions/_photospots" && \
	$$as install -m 644 $$completions/fish "$$to/share/fish/vendor_completions.d/photospots.fish" && \
	$$as install -m 644 .build/photospots.1 "$$to/share/man/man1/photospots.1" && \
	echo "photospots is in $(PREFIX)/bin"

# A Debian package of what 'make install' installs, in .build/deb: docs/packages.md.
deb:
	@rm -rf .build/installed
	$(MAKE) install DESTDIR="$(CURDIR)/.build/installed" PREFIX=/usr
	@sh Packaging/deb.sh .build/installed .build/deb

# The system packages. On Debian and Ubuntu missing ones are installed, on other systems they are listed.
setup:
	@missing=""; \
	command -v pkg-config > /dev/null || missing="$$missing pkg-config"; \
	if command -v dpkg > /dev/null; then \
	  for package in libexif-dev libjpeg-dev libsqlite3-dev zlib1g-dev $(if $(findstring MQTT,$(TRAITS)),libmosquitto-dev) $(if $(findstring Postgres,$(TRAITS)),libpq-dev); do \
	    dpkg-query -W -f '$${Status}' "$$package" 2> /dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	  done; \
	  /sbin/ldconfig -p | grep -Eq 'libcurl(-gnutls)?\.so\.4 ' || missing="$$missing libcurl4"; \
	  test -z "$$missing" || { \
	    echo "installing$$missing"; \
	    $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing; \
	  }; \
	elif test -n "$$missing" || ! pkg-config --exists libexif libjpeg sqlite3 zlib; then \
	  echo "Install pkg-config, libexif, libjpeg, SQLite and zlib first (on macOS: brew install pkg-config libexif jpeg-turbo sqlite zlib)." >&2; \
	  exit 1; \
	fi

clean:
	rm -rf .build Benchmarks/.build
