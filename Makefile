# Makefile — builds, tests and installs varabs.
#
#   make [MODE=release|debug|asan|tsan|fuzz] [WERROR=1] [CC=...] [CFLAGS=...] [LDFLAGS=...]
#
# Objects, library and test programs go to build/MODE/, the released program to build/varabs.
# `make help` lists the targets.

VERSION := 0.2.0
DATE    := November 23, 2026

MODE         ?= release
PREFIX       ?= /usr/local
PKG_CONFIG   ?= pkg-config
FUZZ_SECONDS ?= 30
PARTS        ?= order unit models found golden invalid cli engine readme site library faults draw page bench explore export pins threads random

OUT := build/$(MODE)
BIN := $(if $(filter release,$(MODE)),build/varabs,$(OUT)/varabs)

# Assertions stay on in every mode: they cost little and a wrong answer costs more.
OPTIMISE_release := -O2
OPTIMISE_debug   := -O0
# Those for developers check more (base/debug.h).
CHECKS_debug := -DVARABS_CHECKS
CHECKS_asan  := -DVARABS_CHECKS
# What address sees as well, undefined need not look at: so it builds and runs faster.
SANITIZE_asan := -fsanitize=address,undefined -fno-sanitize=null,object-size,pointer-overflow \
                 -fno-sanitize-recover=all -fno-omit-frame-pointer
SANITIZE_tsan := -fsanitize=thread
SANITIZE_fuzz := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
# Lines are enough for what a sanitizer reports, and build in three quarters of the time.
CFLAGS        ?= $(if $(OPTIMISE_$(MODE)),$(OPTIMISE_$(MODE)) -g,-O1 -g1)
SANITIZE      := $(SANITIZE_$(MODE))
ifeq ($(filter release debug asan tsan fuzz,$(MODE)),)
$(error MODE is release, debug, asan, tsan or fuzz, not $(MODE))
endif
ifeq ($(MODE) $(origin CC),fuzz default)
CC := clang
endif

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla -Wformat=2 -Wundef $(if $(WERROR),-Werror)
PACKAGES := expat jansson
CPPFLAGS_ALL := -I src -I $(OUT) $(CHECKS_$(MODE)) -DVARABS_VERSION='"$(VERSION)"' -DVARABS_DATE='"$(DATE)"' \
                $(shell $(PKG_CONFIG) --cflags $(PACKAGES)) $(CPPFLAGS)
CFLAGS_ALL   = -std=c17 -pthread -fPIC -fvisibility=hidden $(WARNINGS) $(SANITIZE) $(CFLAGS)
LIBS         := $(shell $(PKG_CONFIG) --libs $(PACKAGES)) -lm
CHECK_CFLAGS := $(shell $(PKG_CONFIG) --cflags check)
CHECK_LIBS   := $(shell $(PKG_CONFIG) --libs check)
COMPILE      = $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL)
LINK         = $(CC) $(CFLAGS_ALL) $(LDFLAGS)

MAIN     := src/cli/main.c
SOURCES  := $(filter-out $(MAIN) src/pins/% src/web/%,$(sort $(wildcard src/*/*.c src/*/*/*.c src/*/*/*/*.c)))
UNIT_C   := $(sort $(wildcard tests/unit/*.c))
FUZZ_C   := $(sort $(wildcard tests/fuzz/fuzz_*.c))
C_FILES  := $(SOURCES) $(MAIN) $(sort $(wildcard src/*/*.h src/*/*/*.h src/*/*/*/*.h)) $(UNIT_C) \
            $(sort $(wildcard src/pins/*.c src/web/*.c tests/unit/*.h tests/fuzz/*.[ch] tests/pins/*.[ch]))
SCRIPTS  := $(wildcard scripts/*.sh benchmarks/*.sh tests/*.sh $(filter-out tests/cli/%,$(wildcard tests/*/*.sh)))
DOCUMENTS := $(wildcard src/manual/*.md)
SCHEMAS  := $(wildcard schemas/*.json)
LIBRARY  := $(OUT)/libvarabs.a
OBJECTS  := $(SOURCES:%.c=$(OUT)/%.o)
MAIN_O   := $(MAIN:%.c=$(OUT)/%.o)
UNIT_O   := $(UNIT_C:%.c=$(OUT)/%.o)
UNIT     := $(OUT)/unit_tests
SUITES   := $(patsubst tests/unit/%_test.c,%,$(filter %_test.c,$(UNIT_C)))
FUZZERS  := $(FUZZ_C:tests/fuzz/%.c=$(OUT)/%)
REPLAYS  := $(FUZZ_C:tests/fuzz/fuzz_%.c=$(OUT)/replay_%)

.PHONY: all pins pins-host unit test quick asan asan-clang tsan faults fuzz fuzzers replays random planted bench bench-postal bench-corpus bench-aamas site lint format install uninstall wheel dist clean help FORCE
.DELETE_ON_ERROR:
.PRECIOUS: $(OUT)/%.o

all: $(BIN)

$(BIN): $(MAIN_O) $(LIBRARY)
	$(LINK) -o $@ $^ $(LIBS)

# Rebuilt from nothing, so that a source file that went away leaves no member behind.
$(LIBRARY): $(OBJECTS) $(OUT)/objects.list
	@rm -f $@
	$(AR) rcs $@ $(OBJECTS)

$(OUT)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

# Lists that other files depend on; written only when they change.
$(OUT)/objects.list: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(OBJECTS) | cmp -s - $@ || printf '%s\n' $(OBJECTS) >$@

$(OUT)/suites.h: FORCE
	@mkdir -p $(@D)
	@for s in $(SUITES); do echo "SUITE($$s)"; done >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# What pages are made with (src/page) and documents (src/manual), as texts in C.
$(OUT)/page/page_text.h: src/page/page.css src/page/page.js
$(OUT)/manual/manual_text.h: $(DOCUMENTS)
$(OUT)/%_text.h: Makefile
	@mkdir -p $(@D)
	@for f in $(filter-out Makefile,$^); do echo "static const char $$(basename $$f | tr . _)[] = {"; \
	  od -An -v -tx1 $$f | sed 's/ \(..\)/0x\1,/g'; echo '0};'; done >$@
$(OUT)/src/page/page.o: $(OUT)/page/page_text.h
$(OUT)/src/cli/manual.o: $(OUT)/manual/manual_text.h

# The version with the commit, between releases. Only what shows it is compiled anew for another commit.
$(OUT)/base/build_version.h: FORCE
	@mkdir -p $(@D)
	@echo '#define VARABS_BUILD "$(shell sh scripts/version.sh $(VERSION))"' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(OUT)/src/report/json.o $(OUT)/src/cli/main.o: $(OUT)/base/build_version.h

# tests/unit/main.c runs the suites that suites.h names, one for each tests/unit/NAME_test.c.
unit: $(UNIT)
# Of what the tests do themselves, wrong addresses are looked for and no more.
$(UNIT_O): SANITIZE := $(SANITIZE:%address,undefined=%address)
$(UNIT_O): CPPFLAGS_ALL += -I tests/unit -I $(OUT) $(CHECK_CFLAGS)
$(UNIT_O): CFLAGS_ALL += -O0
$(OUT)/tests/unit/main.o: $(OUT)/suites.h
$(UNIT): $(UNIT_O) $(LIBRARY)
	$(LINK) -Wl,--wrap=_mark_point,--wrap=expr_equal,--wrap=expr_hash -o $@ $^ $(LIBS) $(CHECK_LIBS)

test: all $(if $(filter unit,$(PARTS)),unit) $(if $(filter pins,$(PARTS)),pins pins-host) $(if $(filter engine,$(PARTS)),$(OUT)/replay_engine)
	@scripts/run-tests.sh $(PARTS:%=$(MODE)/%)

quick: # the parts that say most in a minute
	@$(MAKE) PARTS='order unit golden invalid' test

asan:
	@$(MAKE) MODE=asan replays
	@$(MAKE) MODE=asan PARTS='unit models golden invalid engine explore pins threads fuzz' test

asan-clang: # the same as clang sees it, and each fuzzing harness for a second
	@$(MAKE) MODE=fuzz all fuzzers
	@$(MAKE) MODE=fuzz PARTS='unit models golden invalid explore threads fuzz' test

tsan:
	@$(MAKE) MODE=tsan PARTS=threads test

fuzz:
	@$(MAKE) MODE=fuzz fuzzers
	@BUILD=build/fuzz FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run.sh

fuzzers: $(FUZZERS)
$(OUT)/fuzz_%: $(OUT)/tests/fuzz/fuzz_%.o $(LIBRARY)
	$(LINK) -fsanitize=fuzzer -o $@ $(filter-out %.a,$^) $(LIBRARY) $(LIBS)

# The harnesses without a fuzzer, in any mode: they take files.
replays: $(REPLAYS)
$(OUT)/replay_%: $(OUT)/tests/fuzz/replay.o $(OUT)/tests/fuzz/fuzz_%.o $(LIBRARY)
	$(LINK) -o $@ $(filter-out %.a,$^) $(LIBRARY) $(LIBS)

random: all # ten times as many random models; takes a quarter of an hour
	TIMES=10 tests/random/run.sh

planted: all unit # plants bugs and sees that the random tests find them; takes a quarter of an hour where seeds are noted
	tests/random/planted.py
	tests/engine/planted.py

faults: all # fails every call that may fail, once and from there on; takes a quarter of an hour
	tests/faults/run.sh 0
	FAULT_RUNS=0 tests/library/run.sh

bench: all
	VARABS=$(BIN) benchmarks/bench.sh

bench-postal: all # the published evaluation; CELLS=large for all of it
	VARABS=$(BIN) benchmarks/postal.sh $(if $(CELLS),--cells $(CELLS))

bench-corpus: all # --auto on models from public repositories; EVERY=5 for each fifth
	VARABS=$(BIN) benchmarks/corpus.py $(if $(EVERY),--every $(EVERY))

bench-aamas: all # the published evaluation on timed voting; SIZES='2 1 1 2;3 1 0 1' for others
	VARABS=$(BIN) benchmarks/aamas.py $(if $(SIZES),--sizes '$(SIZES)')

site: all # README, tutorial, manual, schemas and changes as a static site in build/site
	scripts/install-deps.sh site
	VARABS=$(BIN) python3 -B scripts/site.py
	tests/site/run.sh

lint:
	scripts/order.sh
	clang-format --dry-run -Werror $(C_FILES)
	@if command -v shellcheck >/dev/null; then set -x; shellcheck -x -S warning $(SCRIPTS) && \
	  shellcheck -x -S warning -s bash -e SC2154 tests/cli/*.sh; fi
	@if command -v mypy >/dev/null; then set -x; \
	  mypy --strict --cache-dir=/dev/null src/api/python/varabs; fi
	@if command -v cppcheck >/dev/null; then set -x; cppcheck --quiet --std=c11 --inline-suppr \
	  --error-exitcode=1 --enable=warning,portability -I src $(SOURCES) $(MAIN) src/pins/*.c; fi
	printf '%s\n' $(SOURCES) $(MAIN) src/pins/*.c | \
	  xargs -P 2 -n 4 sh -c 'clang-tidy --quiet "$$@" -- -std=c17 $(CPPFLAGS_ALL)' tidy

format:
	clang-format -i $(C_FILES)

include scripts/install.mk
include scripts/pins.mk
include scripts/web.mk
include scripts/npm.mk

wheel: # a wheel and a source package for pip, in build/
	scripts/wheel.sh

# The sources as committed, and from nothing else the Debian packages, where these can be made.
DIST := varabs-$(VERSION)
dist:
	@rm -rf build/dist && mkdir -p build/dist
	git archive --prefix=$(DIST)/ HEAD | gzip -n9 >build/$(DIST).tar.gz
	@if command -v dpkg-deb >/dev/null; then tar -xzf build/$(DIST).tar.gz -C build/dist && \
	  SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) build/dist/$(DIST)/scripts/package.sh && \
	  mv build/dist/$(DIST)/build/*.deb build/; else echo 'no dpkg-deb here: no Debian packages'; fi
	cd build && sha256sum $(DIST).tar.gz >$(DIST).tar.gz.sha256

clean:
	rm -rf build

help:
	@echo 'all pins web web-test test quick asan asan-clang tsan faults fuzz random planted bench bench-postal bench-corpus site lint format install uninstall wheel npm dist clean'

-include $(OBJECTS:.o=.d) $(MAIN_O:.o=.d) $(UNIT_O:.o=.d) $(FUZZ_C:%.c=$(OUT)/%.d)
