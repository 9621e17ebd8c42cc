# npm.mk — the package for npm, of what `make web` makes; read by the Makefile. See scripts/npm.sh.

NPM   := build/npm
NPM_PACKAGE := build/varabs-$(VERSION).tgz

.PHONY: npm
npm: $(NPM_PACKAGE)

$(NPM_PACKAGE): web $(wildcard src/npm/*) LICENSE
	@rm -rf $(NPM) && mkdir -p $(NPM)
	cp src/npm/* LICENSE $(WEB)/run.js $(WEB)/varabs.wasm $(WEB)/licences.txt $(NPM)
	cp $(WEB)/varabs.js $(NPM)/module.js
	cp $(WEB)/varabs-node.js $(NPM)/module-node.js
	sed 's/@VERSION@/$(VERSION)/' src/npm/package.json >$(NPM)/package.json
	chmod 755 $(NPM)/varabs.js
	cd $(NPM) && npm pack --silent --pack-destination ..
