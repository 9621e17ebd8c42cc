# web.mk — the program as WebAssembly; read by the Makefile. See scripts/web.sh, which says what comes where.

EMCC ?= emcc
WEB  := build/web
DEPS := $(WEB)/deps
# Debian's emscripten looks for its own packages of node here.
export NODE_PATH ?= /usr/share/nodejs

# All of the program, which runs alone in its worker: the library that forks stays out.
WEB_O := $(patsubst %.c,$(WEB)/%.o,$(filter-out src/api/%,$(SOURCES)) $(MAIN) \
                 $(sort $(wildcard src/web/*.c)))
EXPAT_O   := $(patsubst %,$(WEB)/expat/%.o,xmlparse xmlrole xmltok)
JANSSON_O := $(patsubst %,$(WEB)/jansson/%.o,dump error hashtable hashtable_seed load memory pack_unpack strbuffer \
                                             strconv utf value version)
HAS := $(DEPS)/ready

# Not those about sizes, which have 32 bits here: what multiplies sizes looks whether they fit.
WEB_CFLAGS := -std=c17 -O2 -Wall -Wextra $(if $(WERROR),-Werror) -I src -I $(OUT) -I $(DEPS)/include -DVARABS_VERSION='"$(VERSION)"' \
              -DVARABS_DATE='"$(DATE)"'
# Their configuration by hand, as the packages of sources come without configure.
EXPAT_CFLAGS   := -O2 -w -I $(DEPS)/include -DXML_DTD -DXML_NS -DXML_CONTEXT_BYTES=1024 -DBYTEORDER=1234 -DXML_DEV_URANDOM
JANSSON_CFLAGS := -O2 -w -I $(DEPS)/include -DHAVE_STDINT_H -DHAVE_UNISTD_H -DHAVE_FCNTL_H -DHAVE_SYS_TYPES_H \
                  -DHAVE_SYS_STAT_H -DHAVE_OPEN -DHAVE_READ -DHAVE_CLOSE -DUSE_URANDOM
# The stack comes first, so that what is too deep ends the program and does not overwrite anything.
WEB_LDFLAGS := -O2 -sINVOKE_RUN=0 -sEXIT_RUNTIME=0 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=8MB \
               -Wl,--stack-first -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0 -sMODULARIZE=1 -sEXPORT_NAME=makeVarabs -sEXPORTED_RUNTIME_METHODS=FS,callMain

.PHONY: web web-test
web: $(WEB)/varabs.js $(WEB)/varabs-node.js $(WEB)/run.js $(WEB)/licences.txt $(WEB)/varabs.html

web-test: all web
	@scripts/run-tests.sh web

$(HAS):
	scripts/web.sh sources
	@mkdir -p $(DEPS)/include
	@cp $(DEPS)/expat/lib/expat.h $(DEPS)/expat/lib/expat_external.h $(DEPS)/jansson/src/jansson.h $(DEPS)/include
	@: >$(DEPS)/include/expat_config.h; : >$(DEPS)/include/jansson_private_config.h
	@sed 's/@json_inline@/inline/; s/@json_have_[a-z_]*@/1/' $(DEPS)/jansson/src/jansson_config.h.in \
	  >$(DEPS)/include/jansson_config.h
	@touch $@

# Written only when they change, as building anew takes minutes.
$(WEB)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(EMCC) $(WEB_CFLAGS) $(EXPAT_CFLAGS) $(JANSSON_CFLAGS)' | cmp -s - $@ || \
	  echo '$(EMCC) $(WEB_CFLAGS) $(EXPAT_CFLAGS) $(JANSSON_CFLAGS)' >$@

$(EXPAT_O): $(WEB)/expat/%.o: $(HAS) $(WEB)/flags
	@mkdir -p $(@D)
	$(EMCC) $(EXPAT_CFLAGS) -c -o $@ $(DEPS)/expat/lib/$*.c
$(JANSSON_O): $(WEB)/jansson/%.o: $(HAS) $(WEB)/flags
	@mkdir -p $(@D)
	$(EMCC) $(JANSSON_CFLAGS) -c -o $@ $(DEPS)/jansson/src/$*.c
$(WEB_O): $(WEB)/%.o: %.c $(HAS) $(WEB)/flags
	@mkdir -p $(@D)
	$(EMCC) $(WEB_CFLAGS) -MMD -MP -c -o $@ $<
$(WEB)/src/page/page.o: $(OUT)/page/page_text.h
$(WEB)/src/cli/manual.o: $(OUT)/manual/manual_text.h
$(WEB)/src/report/json.o $(WEB)/src/cli/main.o: $(OUT)/base/build_version.h
$(WEB)/src/report/json.o $(WEB)/src/cli/main.o: $(OUT)/base/build_version.h

$(WEB)/varabs.js: $(WEB_O) $(EXPAT_O) $(JANSSON_O) scripts/web.mk
	$(EMCC) $(WEB_LDFLAGS) -sENVIRONMENT=worker,node -o $@ $(filter %.o,$^)
# With the same varabs.wasm.
$(WEB)/varabs-node.js: $(WEB)/varabs.js
	$(EMCC) $(WEB_LDFLAGS) -sENVIRONMENT=node -sNODERAWFS=1 -o $@ $(WEB_O) $(EXPAT_O) $(JANSSON_O)
	@cmp $(WEB)/varabs-node.wasm $(WEB)/varabs.wasm && rm $(WEB)/varabs-node.wasm
$(WEB)/run.js: src/web/run.js
	@mkdir -p $(@D)
	cp $< $@
$(WEB)/licences.txt: $(HAS) LICENSE
	@for part in . $(DEPS)/expat $(DEPS)/jansson; do \
	  echo "== $$(basename $$(realpath $$part | sed "s|^$(CURDIR)$$|varabs|"))"; \
	  cat $$part/LICENSE $$part/COPYING 2>/dev/null; echo; done >$@

# One file with all of it, and three models to begin with.
WEB_EXAMPLES := benchmarks/models/postal_3_2.xml benchmarks/models/asv.xml benchmarks/tutorial/door.xml
$(WEB)/varabs.html: $(wildcard src/web/page/*) src/page/page.css src/page/page.js $(WEB_EXAMPLES) \
                    $(WEB)/varabs.js $(WEB)/run.js $(WEB)/licences.txt
	python3 -B src/web/page/assemble.py $(WEB) $(WEB_EXAMPLES)

-include $(WEB_O:.o=.d)
