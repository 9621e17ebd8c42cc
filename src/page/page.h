/* PAGE - a result as one self-contained HTML page.
 *
 * The page has the result as the JSON that --json and --report write, and shows what that says:
 * tables, and drawings of the models whose elements can be chosen (page.js, page.css). It asks
 * for nothing from elsewhere.
 *
 * Lifetime: everything given is borrowed; what is made lives in the arena given.
 * Errors:   STATUS_LIMIT where a drawing gets too large; those of file_write.
 */
#pragma once

#include "model/network.h"
#include "xml/document.h"

#include <jansson.h>

/* A model that the result is about. */
struct page_model {
    const char *name; /* of its file */
    const struct document *document;
    const struct network *network; /* NULL: no runs of it are shown */
    const char *states;            /* how many, in words; NULL: not known */
};

/* An abstraction of a round of decide, whose run is in the result. */
struct page_round {
    uint32_t query, round; /* both from 0, as in the result */
    struct str drawing;    /* of draw_page; */
    json_t *processes;     /* of page_processes */
};

/* The message sequence chart of the run of a query. */
struct page_chart {
    uint32_t query;     /* from 0, as in the result */
    struct str drawing; /* of draw_chart */
};

struct result_page {
    /* "abstraction", "certify", "check", "decide", "grid", "info", "refines" or "suggest" */
    const char *kind;
    const char *command; /* the command line; NULL: there is none */
    const json_t *result;
    struct page_model first, second; /* the document of the second may be NULL */
    bool is_comparison;              /* what is different in the second model is drawn, too */
    const struct page_round *rounds;
    uint32_t round_count;
    const struct page_chart *charts;
    uint32_t chart_count;
};

/* Templates by the names of processes, as the steps of a run name them: an object, which belongs to
 * the caller; an empty one without a network. */
json_t *page_processes(const struct network *network);

/* The page as bytes, in the arena; name: what it is called in messages. False (reported). */
bool page_make(struct str *bytes, const struct result_page *page, const char *name,
               struct arena *arena, struct diag *diag);
/* Writes the page to a file, or to standard output for "-". False (reported) if that fails. */
bool page_write(const struct result_page *page, const char *path, struct arena *arena,
                struct diag *diag);
