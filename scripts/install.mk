# install.mk — the shared library, and what `make install` puts where; read by the Makefile.

SONAME := libvarabs.so.0
SHARED := $(OUT)/libvarabs.so.$(VERSION)
PUBLIC := $(filter-out $(OUT)/src/cli/% $(OUT)/src/verifyta/% $(OUT)/src/engine/%,$(OBJECTS))

shared: $(SHARED)

$(SHARED): $(PUBLIC) src/api/libvarabs.map
	$(LINK) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=src/api/libvarabs.map \
	  -o $@ $(PUBLIC) $(LIBS)

datadir = $(PREFIX)/share
completions = $(datadir)/bash-completion/completions/varabs \
              $(datadir)/zsh/site-functions/_varabs \
              $(datadir)/fish/vendor_completions.d/varabs.fish
# A manual page for each document: varabs(1), varabs-check(1), and in section 7 what is no command.
man = $(datadir)/man
TOPICS := gui language queries
COMMANDS := $(filter-out abstract $(TOPICS),$(notdir $(DOCUMENTS:.md=)))
PAGES := $(OUT)/man/varabs.1 $(COMMANDS:%=$(OUT)/man/varabs-%.1) $(TOPICS:%=$(OUT)/man/varabs-%.7)
examples = $(datadir)/doc/varabs/examples
# Where Python looks for packages; ask yours with: python3 -c 'import sys; print(sys.path)'
pythondir ?= $(PREFIX)/lib/python3/dist-packages
PYTHON_FILES := $(wildcard src/api/python/varabs/*.py) src/api/python/varabs/py.typed
MERGED := $(notdir $(wildcard benchmarks/examples/*))
# What the tutorial and the manual pages write models with.
GENERATORS := $(addprefix benchmarks/,nta.py postal.py coercion.py registry.py agents/tower.py)

$(OUT)/varabs.%: $(BIN)
	$(BIN) --manual $* >$@
$(OUT)/man/varabs.1: $(BIN)
	@mkdir -p $(@D)
	$(BIN) --manual man >$@
$(OUT)/man/varabs-%.1: $(BIN)
	@mkdir -p $(@D)
	$(BIN) $* --manual man >$@
$(OUT)/man/varabs-%.7: $(BIN)
	@mkdir -p $(@D)
	$(BIN) --manual $* >$@

install: all shared $(addprefix $(OUT)/varabs.,bash zsh fish) $(PAGES)
	install -d $(addprefix $(DESTDIR),$(PREFIX)/bin $(PREFIX)/include $(PREFIX)/lib/pkgconfig \
	  $(datadir)/varabs/schemas $(dir $(completions)) $(man)/man1 $(man)/man7 \
	  $(addprefix $(examples)/,$(MERGED)) \
	  $(pythondir)/varabs $(pythondir)/varabs-$(VERSION).dist-info)
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/varabs
	install -m 644 $(SHARED) $(DESTDIR)$(PREFIX)/lib
	ln -sf $(notdir $(SHARED)) $(DESTDIR)$(PREFIX)/lib/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/libvarabs.so
	install -m 644 src/api/varabs.h $(DESTDIR)$(PREFIX)/include
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' src/api/varabs.pc.in | \
	  install -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/lib/pkgconfig/varabs.pc
	install -m 644 $(PYTHON_FILES) $(DESTDIR)$(pythondir)/varabs
	printf 'Metadata-Version: 2.1\nName: varabs\nVersion: %s\n' $(VERSION) | \
	  install -m 644 /dev/stdin $(DESTDIR)$(pythondir)/varabs-$(VERSION).dist-info/METADATA
	install -m 644 $(SCHEMAS) $(DESTDIR)$(datadir)/varabs/schemas
	install -m 644 $(filter %.1,$(PAGES)) $(DESTDIR)$(man)/man1
	install -m 644 $(filter %.7,$(PAGES)) $(DESTDIR)$(man)/man7
	install -m 644 $(OUT)/varabs.bash $(DESTDIR)$(word 1,$(completions))
	install -m 644 $(OUT)/varabs.zsh $(DESTDIR)$(word 2,$(completions))
	install -m 644 $(OUT)/varabs.fish $(DESTDIR)$(word 3,$(completions))
	install -m 644 benchmarks/models/*.xml $(GENERATORS) benchmarks/tutorial/door.xml $(DESTDIR)$(examples)
	for name in $(MERGED); do \
	  install -m 644 benchmarks/examples/$$name/* $(DESTDIR)$(examples)/$$name || exit 1; done

uninstall:
	rm -f $(addprefix $(DESTDIR),$(PREFIX)/bin/varabs $(completions) \
	  $(addprefix $(man)/man1/,$(notdir $(filter %.1,$(PAGES)))) \
	  $(addprefix $(man)/man7/,$(notdir $(filter %.7,$(PAGES)))) \
	  $(PREFIX)/include/varabs.h $(PREFIX)/lib/pkgconfig/varabs.pc \
	  $(addprefix $(PREFIX)/lib/,libvarabs.so $(SONAME) $(notdir $(SHARED))))
	rm -rf $(addprefix $(DESTDIR),$(datadir)/varabs $(examples) $(pythondir)/varabs \
	  $(pythondir)/varabs-$(VERSION).dist-info)
