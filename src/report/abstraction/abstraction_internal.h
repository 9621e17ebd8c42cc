/* ABSTRACTION INTERNAL - what the parts of the report of an abstraction share.
 *
 * abstraction_json.c  the report as a whole, and what is neither about edges nor values
 * removed_json.c      the removed cells and their values
 * edges_json.c        the output edges and where they come from
 * normal_json.c       the values that are exchanged
 * prepared_json.c     what was changed before (prepared_report.h)
 */
#pragma once

#include "report/abstraction/abstraction_report.h"
#include "report/json.h"

/* The sources of all entries; borrowed. */
struct report_writer {
    const struct abstraction *abstraction;
    const struct document *document;
    struct arena *arena;
};

/* A cell of a removed variable as in a spec, `name[1].field`. */
const char *cell_text(struct report_writer *writer, const struct removal *removal, uint32_t offset);
/* "removed", "together", "data", "values", and "product". */
json_t *removed_entries(struct report_writer *writer);
/* The locations of a scope, by name. */
json_t *scope_entry(const struct template *template, const bool *scope);
json_t *together_entries(struct report_writer *writer);
json_t *data_entries(struct report_writer *writer);
void set_value_entries(json_t *object, struct report_writer *writer);
json_t *product_entry(struct report_writer *writer);
/* "edges". */
json_t *edges_entry(struct report_writer *writer);
/* "normalised". */
json_t *normal_entries(const struct normal *normal);
