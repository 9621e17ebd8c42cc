/* LOAD - what the harnesses start with: a document, and its model and network where it is valid.
 *
 * Close the arena; everything lives in it.
 */
#pragma once

#include "lang/check/check.h"
#include "lang/syntax/parse.h"
#include "model/network.h"
#include "xml/load.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Not inlined, so that the place is in the stack that a fuzzer shows. */
static __attribute__((noinline, unused)) void require(bool is_true) {
    if (!is_true) abort();
}

struct load {
    struct arena arena;
    struct interner names;
    struct diag diag;
    struct document document;
    bool is_read;
    struct model *model; /* NULL if the document could not be read */
    bool is_valid;
    struct network *network; /* NULL if the model is not valid, or too large */
};

static inline void load_begin(struct load *load) {
    *load = (struct load){0};
    arena_init(&load->arena);
    interner_init(&load->names, &load->arena);
    diag_init(&load->diag, &load->arena, NULL);
}

/* The bytes are borrowed. */
static inline void load_document(struct load *load, struct str bytes) {
    load->is_read = document_parse(&load->document, &load->arena, &load->names, "model.xml", bytes,
                                   &load->diag);
    require(load->is_read == (load->diag.error_count == 0));
}

static inline void load_model(struct load *load, struct str bytes) {
    load_document(load, bytes);
    if (!load->is_read) return;
    load->model = model_parse(&load->arena, &load->names, &load->document, &load->diag);
    load->is_valid = !load->diag.error_count && model_check(load->model);
    require(load->is_valid == (load->diag.error_count == 0));
    if (!load->is_valid) return;
    load->network = network_new(&load->arena, load->model);
    require((load->network != NULL) == (load->diag.error_count == 0));
}
