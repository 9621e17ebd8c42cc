/* FOLD SAMPLE - models of one template with a few edges, of which something is removed.
 *
 * The template P has the locations A (initial), B and C. Texts are written as in a model; what is
 * removed or merged, as on the command line. Results are texts, too: of guards, of updates, of
 * whole edges, so that tests say nothing of how they are found.
 */
#pragma once

#include "abstract/edge/open.h"
#include "abstract/fold/model.h"
#include "abstract/prepare/ghost.h"
#include "abstract/request/obstacle.h"
#include "lang/check/check.h"
#include "lang/print/print.h"
#include "lang/syntax/parse.h"
#include "xml/load.h"

#include <check.h>
#include <string.h>

#define FOLD_COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

enum { FOLD_EDGES = 5 };

struct fold_edge {
    const char *ends; /* "AB": from A to B; NULL behind the last */
    const char *select, *guard, *update;
};

struct fold_merge {
    const char *name, *type, *value; /* name NULL: there is none */
};

struct fold_model {
    const char *declaration; /* of P */
    const char *removed;
    struct fold_merge merge;
    struct fold_edge edges[FOLD_EDGES + 1];
};

struct fold_sample {
    struct arena arena;
    struct interner names;
    struct document document;
    struct diag diag;
    struct network *network;
    struct ghost_list ghosts;
    struct request request;
    struct abstract_options options;
    struct abstraction abstraction;
};

static inline void fold_sample_add_label(struct buffer *xml, const char *kind, const char *text) {
    if (text) buffer_printf(xml, "<label kind=\"%s\"><![CDATA[%s]]></label>", kind, text);
}

static inline struct str fold_sample_xml(struct fold_sample *sample,
                                         const struct fold_model *model) {
    struct buffer xml = {0};
    buffer_printf(&xml, "<nta><template><name>P</name><declaration>%s</declaration>",
                  model->declaration);
    for (char name = 'A'; name <= 'C'; name++)
        buffer_printf(&xml, "<location id=\"%c\"><name>%c</name></location>", name, name);
    buffer_add_text(&xml, "<init ref=\"A\"/>");
    for (const struct fold_edge *edge = model->edges; edge->ends; edge++) {
        buffer_printf(&xml, "<transition><source ref=\"%c\"/><target ref=\"%c\"/>", edge->ends[0],
                      edge->ends[1]);
        fold_sample_add_label(&xml, "select", edge->select);
        fold_sample_add_label(&xml, "guard", edge->guard);
        fold_sample_add_label(&xml, "assignment", edge->update);
        buffer_add_text(&xml, "</transition>");
    }
    buffer_add_text(&xml, "</template><system>system P;</system></nta>");
    struct str bytes = {NULL, xml.size};
    bytes.data = buffer_take(&xml, &sample->arena);
    buffer_close(&xml);
    return bytes;
}

static inline struct text fold_sample_text(struct fold_sample *sample, const char *text) {
    struct str content = str_of(text);
    return (struct text){content, source_add_text(&sample->document.source, "--merge", content),
                         true};
}

static inline void fold_sample_merge(struct fold_sample *sample, struct model *model,
                                     const struct fold_merge *merge) {
    struct ghost_definition *definition = ARENA_NEW(&sample->arena, struct ghost_definition);
    *definition = (struct ghost_definition){.name = fold_sample_text(sample, merge->name),
                                            .type = fold_sample_text(sample, merge->type),
                                            .value = fold_sample_text(sample, merge->value)};
    ck_assert(ghosts_add(&sample->ghosts, model, sample->network, definition, 1));
    sample->network = network_new(&sample->arena, model);
    ck_assert(sample->network);
}

/* Up to the value analysis. */
static inline void fold_sample_open(struct fold_sample *sample, const struct fold_model *from,
                                    enum mode mode) {
    *sample = (struct fold_sample){
        .options = {.mode = mode, .analysis = {.budget = ANALYSIS_DEFAULT_BUDGET}}};
    arena_init(&sample->arena);
    interner_init(&sample->names, &sample->arena);
    diag_init(&sample->diag, &sample->arena, NULL);
    ck_assert(document_parse(&sample->document, &sample->arena, &sample->names, "model.xml",
                             fold_sample_xml(sample, from), &sample->diag));
    struct model *model =
        model_parse(&sample->arena, &sample->names, &sample->document, &sample->diag);
    ck_assert_msg(!sample->diag.error_count && model_check(model), "%s: not a model",
                  from->edges[0].guard);
    sample->network = network_new(&sample->arena, model);
    ck_assert(sample->network);
    if (from->merge.name) fold_sample_merge(sample, model, &from->merge);
    struct request *request = &sample->request;
    request->arena = &sample->arena;
    if (from->removed)
        ck_assert(request_add(request, sample->network, from->removed, &sample->diag));
    for (uint32_t i = 0; i < sample->ghosts.list.count; i++)
        ck_assert(request_add_ghost(request, sample->network, sample->ghosts.list.items[i],
                                    &sample->diag));
    ck_assert(request_finish(request, sample->network, &sample->diag));
    ck_assert(abstraction_open(&sample->abstraction, &sample->arena, sample->network, request,
                               &sample->options, &sample->diag));
}

static inline void fold_sample_close(struct fold_sample *sample) {
    abstraction_close(&sample->abstraction);
    arena_close(&sample->arena);
}

static inline const char *fold_sample_expr(struct fold_sample *sample, const struct expr *expr) {
    struct buffer text = {0};
    if (!expr) return "";
    print_expr(&text, expr);
    const char *copy = buffer_take(&text, &sample->arena);
    buffer_close(&text);
    return copy;
}

/* "[x : 0..2] guard & passed / update", without the parts that it does not have. */
static inline void fold_sample_add_edge(struct fold_sample *sample, struct buffer *text,
                                        const struct output_edge *edge) {
    if (text->size) buffer_add_text(text, "; ");
    for (uint32_t i = 0; i < edge->select_count; i++)
        buffer_printf(text, "[%s : %d..%d] ", edge->selects[i].unknown->placeholder->name,
                      edge->selects[i].lower, edge->selects[i].upper);
    buffer_add_text(text, edge->guard ? fold_sample_expr(sample, edge->guard) : "true");
    if (edge->passed) buffer_printf(text, " & %s", fold_sample_expr(sample, edge->passed));
    for (uint32_t i = 0; i < edge->item_count; i++)
        buffer_printf(text, "%s%s", i ? ", " : " / ",
                      fold_sample_expr(sample, edge->items[i].expr));
}

/* All edges of the abstraction that leave a location, in their order. */
static inline const char *fold_sample_edges(struct fold_sample *sample, uint32_t location) {
    struct buffer text = {0};
    buffer_add(&text, "", 0);
    for (uint32_t i = 0; i < sample->abstraction.folds.count; i++) {
        const struct location_fold *fold = sample->abstraction.folds.items[i];
        for (uint32_t k = 0; k < fold->fold.edges.count && fold->location == location; k++)
            fold_sample_add_edge(sample, &text, &fold->fold.edges.items[k]);
    }
    const char *copy = buffer_take(&text, &sample->arena);
    buffer_close(&text);
    return copy;
}
