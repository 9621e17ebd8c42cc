/* The output edges with the source edges and values that each comes of, and source edges that have
 * none. */
#include "abstract/emit/reread.h"
#include "expr/find.h"
#include "lang/print/print.h"
#include "report/abstraction/abstraction_internal.h"

enum { REPORT_MAX_ORIGINS = 64 };

static json_t *edge_reference(struct report_writer *writer, const struct open_edge *open) {
    json_t *entry = json_object();
    assert(open->edge);
    struct source_location place =
        source_locate(&writer->document->source, open->edge->xml->element->at);
    set(entry, "edge", json_integer(open->edge_index + 1));
    set(entry, "line", json_integer(place.line));
    return entry;
}

static void set_expr(json_t *entry, const char *key, const struct expr *expr) {
    if (expr_is_true(expr) && !(expr && expr->kind != EXPR_INT && expr->kind != EXPR_BOOL)) return;
    struct buffer out = {0};
    print_expr(&out, expr);
    set(entry, key, text(out.data));
    buffer_close(&out);
}

static void set_sync(json_t *entry, const struct output_edge *out) {
    struct buffer channel = {0};
    print_expr(&channel, out->sync);
    buffer_add_text(&channel, out->base->edge->is_send ? "!" : "?");
    set(entry, "synchronisation", text(channel.data));
    buffer_close(&channel);
}

static json_t *origin_entries(struct report_writer *writer, const struct output_edge *out) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < out->origin_count && i < REPORT_MAX_ORIGINS; i++) {
        const struct origin *origin = &out->origins[i];
        json_t *entry = edge_reference(writer, origin->open), *values = json_object();
        for (uint32_t k = 0; k < origin->value_count; k++)
            set(values, origin->values[k].unknown->placeholder->name,
                json_integer(origin->values[k].value));
        set(entry, "values", values);
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *output_entry(struct report_writer *writer, const struct reread *reread,
                            const struct fold *fold, uint32_t place) {
    const struct output_edge *out = &fold->edges.items[place];
    const struct template *template = out->base->template;
    const struct edge *edge = out->base->edge;
    json_t *entry = json_object();
    set(entry, "template", text(template->symbol->name));
    set(entry, "source", text(template->locations[edge->source].name));
    set(entry, "target", text(template->locations[out->loop ? edge->source : edge->target].name));
    set(entry, "kind",
        text(out->loop == LOOP_STUTTER             ? "stutter"
             : out->loop                           ? "decline"
             : reread_is_same(reread, fold, place) ? "unchanged"
             : fold_keeps_element(fold, place)     ? "changed"
                                                   : "added"));
    static const char *const strengths[] = {"may", "sure", "must"};
    if (writer->abstraction->context.rules->is_mixed)
        set(entry, "certain", text(strengths[out->strength]));
    if (out->is_joint) set(entry, "several", json_true());
    if (out->is_either) set(entry, "either", json_true());
    if (out->is_natures) set(entry, "nature", json_true());
    json_t *selects = json_array();
    for (uint32_t i = 0; i < out->select_count; i++)
        json_array_append_new(selects, text(out->selects[i].unknown->placeholder->name));
    set(entry, "added_selects", selects);
    set_expr(entry, "guard", output_guard(out, writer->arena));
    if (out->sync) set_sync(entry, out);
    set(entry, "origin_count", json_integer(out->origin_count));
    set(entry, "origins", origin_entries(writer, out));
    return entry;
}

static const char *reason_of_drop(const struct abstraction *abstraction,
                                  const struct location_fold *fold, const struct open_edge *open) {
    if (!analysis_reaches(abstraction->analysis, fold->template, fold->location))
        return "its source location is never reached";
    if (abstraction->lower)
        return "no value of the lower set of its source leads into that of its target";
    bool is_lost = abstraction->context.rules->is_universal &&
                   (open->folded.differs || open->inexact.count); /* U1, U2 */
    return is_lost ? "it cannot be taken for every value that the removed variables can have"
                   : "no value that the removed variables can have enables it";
}

/* Source edges without an element of their own: merged into another one, or without any guard
 * that can hold. */
static void add_gone(struct report_writer *writer, json_t *merged, json_t *dropped,
                     const struct location_fold *fold) {
    for (uint32_t f = 0; f < fold->open_edge_count; f++) {
        bool is_base = false, is_dropped = false;
        for (uint32_t i = 0; i < fold->fold.edges.count; i++)
            is_base |= fold->fold.edges.items[i].base == fold->open_edges[f];
        for (uint32_t i = 0; i < fold->fold.dropped.count; i++)
            is_dropped |= fold->fold.dropped.items[i] == fold->open_edges[f];
        if (is_base) continue;
        json_t *entry = edge_reference(writer, fold->open_edges[f]);
        set(entry, "template", text(fold->template->symbol->name));
        if (is_dropped)
            set(entry, "reason",
                text(reason_of_drop(writer->abstraction, fold, fold->open_edges[f])));
        json_array_append_new(is_dropped ? dropped : merged, entry);
    }
}

json_t *edges_entry(struct report_writer *writer) {
    const struct abstraction *abstraction = writer->abstraction;
    json_t *entry = json_object(), *output = json_array(), *merged = json_array(),
           *dropped = json_array();
    struct reread reread;
    reread_open(&reread, abstraction);
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        for (uint32_t k = 0; k < fold->fold.edges.count; k++)
            json_array_append_new(output, output_entry(writer, &reread, &fold->fold, k));
        add_gone(writer, merged, dropped, fold);
    }
    reread_close(&reread);
    set(entry, "before", json_integer(abstraction->edges_before));
    set(entry, "after", json_integer(abstraction->edges_after));
    set(entry, "output", output);
    set(entry, "merged", merged);
    set(entry, "dropped", dropped);
    return entry;
}
