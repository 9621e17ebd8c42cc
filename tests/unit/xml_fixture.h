/* XML_FIXTURE - what tests of documents set up: an arena with names and messages, and a document.
 */
#pragma once

#include "xml/load.h"

static struct arena arena;
static struct interner names;
static struct diag diag;
static struct document document;

static void setup(void) {
    arena_init(&arena);
    interner_init(&names, &arena);
    diag_init(&diag, &arena, NULL);
}

static void teardown(void) { arena_close(&arena); }

static inline bool parse_bytes(const char *bytes, size_t size) {
    return document_parse(&document, &arena, &names, "model.xml", (struct str){bytes, size}, &diag);
}
