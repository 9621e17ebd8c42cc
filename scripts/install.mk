# install.mk — what `make install` puts where, read by the Makefile.

datadir = $(PREFIX)/share
completions = $(datadir)/bash-completion/completions/varabs \
              $(datadir)/zsh/site-functions/_varabs \
              $(datadir)/fish/vendor_completions.d/varabs.fish
manual = $(datadir)/man/man1/varabs.1

$(OUT)/varabs.%: $(BIN)
	$(BIN) --manual $* >$@

MANUALS := $(addprefix $(OUT)/varabs.,man bash zsh fish)

install: all $(MANUALS)
	install -d $(addprefix $(DESTDIR),$(PREFIX)/bin $(datadir)/varabs/schemas $(dir $(manual) $(completions)))
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/varabs
	install -m 644 $(SCHEMAS) $(DESTDIR)$(datadir)/varabs/schemas
	install -m 644 $(OUT)/varabs.man $(DESTDIR)$(manual)
	install -m 644 $(OUT)/varabs.bash $(DESTDIR)$(word 1,$(completions))
	install -m 644 $(OUT)/varabs.zsh $(DESTDIR)$(word 2,$(completions))
	install -m 644 $(OUT)/varabs.fish $(DESTDIR)$(word 3,$(completions))

uninstall:
	rm -f $(addprefix $(DESTDIR),$(PREFIX)/bin/varabs $(manual) $(completions))
	rm -rf $(DESTDIR)$(datadir)/varabs
