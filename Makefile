# PhotoSpots. 'make demo' shows it at work, 'make test' tests it; both install what is missing first.
SWIFT ?= swift
PREFIX ?= /usr/local
# 'make install TRAITS=MQTT' adds what the README says of traits.
TRAITS ?=
comma := ,
WITH_TRAITS := $(if $(TRAITS),--traits HTTPServer$(comma)$(TRAITS))
# The demo needs no server, whose packages are most of what a first build would compile.
WITHOUT_SERVER := --disable-default-traits
PHOTOSPOTS = $$($(SWIFT) build $(WITHOUT_SERVER) --show-bin-path)/photospots
SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)
DEMO := .build/demo

.PHONY: demo test test-page check soak golden lint settings-page bench bench-peers fuzz install setup clean

demo: setup
	$(SWIFT) build $(WITHOUT_SERVER) --product photospots
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@photospots=$(PHOTOSPOTS) folder=$(DEMO) sh Samples/demo.sh

# Tests that wait for processes, sockets and files run after those that compute, and one at a time: beside them they would
# wait for a free thread, for minutes where the machine is slow.
WAITING := CommandTests|FeedServerTests|MQTTBrokerTests|WebNotifiersTests|WebServiceTests|NotifierContractTests|OutboxTests|HookNotifierTests|WatchSessionTests|SoakTests|LibraryWatchTests|SourceTests

test: setup
	$(SWIFT) build --build-tests $(WITH_TRAITS)
	@WAITING='$(WAITING)' sh Tests/run.sh $(SWIFT) test --skip-build $(WITH_TRAITS)
	@echo "The page has tests of its own, in node and in browsers: make test-page"

# The modules of the page in node, then the page and the API of a real server: in Chromium, in WebKitGTK, and by requests
# that are made up from the description of the API.
test-page: setup
	@command -v node > /dev/null || { \
	  command -v apt-get > /dev/null || { echo "Install node first." >&2; exit 1; }; \
	  echo "installing nodejs"; \
	  $(SUDO) apt-get update -qq && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs; \
	}
	node --test Tests/Page/unit/*.test.mjs
	$(SWIFT) build --product photospots $(WITH_TRAITS)
	@sh Tests/Page/run.sh "$$($(SWIFT) build $(WITH_TRAITS) --show-bin-path)/photospots"

# Everything that must hold before a change goes in; the twins of the spatial index with a million positions too, optimised as
# the program is.
check: lint test
	PHOTOSPOTS_TWIN_SIZE=1000000 $(SWIFT) test --configuration release --scratch-path .build/check \
	  -Xswiftc -enable-testing --filter SpatialTests

# Ten million fixes at full speed, and 200 kills: what is decided is delivered, and the memory does not grow. And 100,000
# damaged answers of receivers. Half an hour.
soak: setup
	PHOTOSPOTS_SOAK_FIXES=10000000 PHOTOSPOTS_KILLS=200 PHOTOSPOTS_ANSWERS=100000 \
	  $(SWIFT) test --configuration release --scratch-path .build/check -Xswiftc -enable-testing \
	  --no-parallel --filter 'SoakTests|KillTests|AnswerMutationTests'

# How the watcher fares in modelled traces beside simple rivals: 'make golden GOLDEN=--traces' has a line for each trace.
golden: setup
	$(SWIFT) run --configuration release --scratch-path .build/check golden-table $(GOLDEN)

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Samples Benchmarks/Package.swift Benchmarks/Inputs Benchmarks/Peers Benchmarks/*Benchmarks

# Writes docs/settings.md from the declarations of the settings; a test compares them.
settings-page: setup
	$(SWIFT) build --product photospots $(WITH_TRAITS)
	"$$($(SWIFT) build $(WITH_TRAITS) --show-bin-path)/photospots" help --settings-page > .build/settings.md
	mv .build/settings.md docs/settings.md

bench: setup
	$(MAKE) -C Benchmarks

# Measures other programs beside it, which it installs first, and writes Benchmarks/RESULTS.md: 'make bench-peers ROUNDS=1 SIZE=100k
# FILES=2k GROWTH=10k,100k' is a quick look.
bench-peers: setup
	@ROUNDS="$(ROUNDS)" SIZE="$(SIZE)" FILES="$(FILES)" GROWTH="$(GROWTH)" LARGE="$(LARGE)" STAGES="$(STAGES)" PROGRAM="$(PROGRAM)" Benchmarks/peers.sh

# Searches for inputs that break a reader: 'make fuzz TARGET=png RUNS=100000', or a million for each target.
# Two flags, since the first one alone brings in libFuzzer's own main, and only the last one is compiled with.
fuzz: setup
	PHOTOSPOTS_FUZZER=1 $(SWIFT) build --configuration release --scratch-path .build/fuzzer \
	  --product fuzzer --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address
	@TARGET="$(TARGET)" RUNS="$(RUNS)" sh Tests/Fuzzer/fuzz.sh

# What lets the program start faster and take less memory (Benchmarks/FIGURES.md). C++'s library is linked into it: the
# linker finds no other one in the first folder that it looks into.
STATIC := .build/static
ifeq ($(shell uname),Linux)
# From glibc 2.36 on; an older one would not read them.
PACKED := $(shell getconf GNU_LIBC_VERSION 2> /dev/null | \
  awk '{ split($$2, part, "."); if (part[1] * 100 + part[2] >= 236) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
LINKING := -Xlinker -S -Xlinker -L$(STATIC) -Xlinker --no-export-dynamic $(PACKED) \
  -Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
else
LINKING := -Xlinker -S
endif

# Builds as whoever calls it, and becomes root only to write where that user may not.
install: setup
	@rm -rf $(STATIC) && mkdir -p $(STATIC) && \
	for compiler in clang cc; do \
	  library=$$($$compiler -print-file-name=libstdc++.a 2> /dev/null) || continue; \
	  test ! -f "$$library" || { ln -s "$$library" $(STATIC)/ && break; }; \
	done
	$(SWIFT) build --configuration release --static-swift-stdlib $(LINKING) $(WITH_TRAITS) --product photospots
	@bin=$$($(SWIFT) build --configuration release --static-swift-stdlib $(WITH_TRAITS) --show-bin-path) && \
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

# The system packages: on Debian and Ubuntu installed when missing, elsewhere named.
setup:
	@missing=""; \
	command -v pkg-config > /dev/null || missing="$$missing pkg-config"; \
	if command -v dpkg > /dev/null; then \
	  for package in libexif-dev libjpeg-dev zlib1g-dev $(if $(findstring MQTT,$(TRAITS)),libmosquitto-dev) $(if $(findstring HEIF,$(TRAITS)),libheif-dev) $(if $(findstring Postgres,$(TRAITS)),libpq-dev); do \
	    dpkg-query -W -f '$${Status}' "$$package" 2> /dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	  done; \
	  /sbin/ldconfig -p | grep -Eq 'libcurl(-gnutls)?\.so\.4 ' || missing="$$missing libcurl4"; \
	  test -z "$$missing" || { \
	    echo "installing$$missing"; \
	    $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing; \
	  }; \
	elif test -n "$$missing" || ! pkg-config --exists libexif libjpeg zlib; then \
	  echo "Install pkg-config, libexif, libjpeg and zlib first (on macOS: brew install pkg-config libexif jpeg-turbo zlib)." >&2; \
	  exit 1; \
	fi

clean:
	rm -rf .build Benchmarks/.build
