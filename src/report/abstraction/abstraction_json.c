/* The report of an abstraction (schemas/report.schema.json). */
#include "report/abstraction/abstraction_report.h"

#include "base/clock.h"
#include "classes/classes.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/print/print.h"
#include "normal/changed.h"
#include "report/abstraction/prepared_report.h"
#include "report/guarantee_report.h"
#include "report/json.h"
#include "xml/byte_map.h"

#include <assert.h>

enum { REPORT_MAX_VALUES = 64, REPORT_MAX_ORIGINS = 64 };

struct writer {
    const struct abstraction *abstraction;
    const struct document *document;
    struct arena *arena;
    const struct normal *normal; /* or NULL */
};

static json_t *options_entry(const struct abstract_options *options, const char *const *removals,
                             uint32_t count) {
    json_t *entry = json_object(), *list = json_array();
    for (uint32_t i = 0; i < count; i++) json_array_append_new(list, text(removals[i]));
    set(entry, "remove", list);
    set(entry, "approx",
        text(options->analysis.approximation == APPROX_COMBINED ? "combined" : "template"));
    set(entry, "budget", json_integer((json_int_t)options->analysis.budget));
    set(entry, "drop_priorities", json_boolean(options->drops_priorities));
    if (options->stutters) set(entry, "stutter", json_true());
    return entry;
}

static const char *cell_text(struct writer *writer, const struct removal *removal,
                             uint32_t offset) {
    struct buffer path = {0};
    shape_path(&path, removal->symbol->type, removal->shape, offset);
    const char *name = arena_printf(
        writer->arena, "%s%s", variable_name(writer->arena, removal->template, removal->symbol),
        path.data ? path.data : "");
    buffer_close(&path);
    return name;
}

static const struct shape *cell_shape(const struct shape *shape, uint32_t offset) {
    assert(offset < shape->cell_count);
    while (shape->kind != SHAPE_CELL) {
        if (shape->kind == SHAPE_ARRAY) {
            offset %= shape->element->cell_count;
            shape = shape->element;
            continue;
        }
        uint32_t field = shape->field_count - 1;
        while (shape->offsets[field] > offset) field--;
        offset -= shape->offsets[field];
        shape = shape->fields[field];
    }
    return shape;
}

/* Locations by name (S1). */
static json_t *scope_entry(const struct removal *removal) {
    assert(removal->template && removal->scope);
    json_t *list = json_array();
    for (uint32_t l = 0; l < removal->template->location_count; l++)
        if (removal->scope[l])
            json_array_append_new(list, text(removal->template->locations[l].name));
    return list;
}

/* Removed cells in runs of equal range. */
static json_t *removed_entries(struct writer *writer) {
    json_t *list = json_array();
    const struct request *request = writer->abstraction->request;
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        for (uint32_t k = 0; k < removal->shape->cell_count;) {
            if (!removal->is_removed[k]) {
                k++;
                continue;
            }
            const struct shape *cell = cell_shape(removal->shape, k);
            uint32_t from = k;
            for (k++; k < removal->shape->cell_count && removal->is_removed[k]; k++) {
                const struct shape *next = cell_shape(removal->shape, k);
                if (next->lower != cell->lower || next->upper != cell->upper ||
                    next->is_bool != cell->is_bool || next->is_scalar != cell->is_scalar)
                    break;
            }
            json_t *entry = json_object();
            set(entry, "variable",
                text(variable_name(writer->arena, removal->template, removal->symbol)));
            set(entry, "first_slot", text(cell_text(writer, removal, from)));
            set(entry, "last_slot", text(cell_text(writer, removal, k - 1)));
            set(entry, "slots", json_integer(k - from));
            set(entry, "type",
                text(type_text(cell_type(removal->symbol->type, removal->shape, from),
                               writer->arena)));
            set(entry, "lower", json_integer(cell->lower));
            set(entry, "upper", json_integer(cell->upper));
            if (removal->scope) set(entry, "scope", scope_entry(removal));
            json_array_append_new(list, entry);
        }
    }
    return list;
}

static void set_values(json_t *entry, const struct value_set *set_of, bool is_combined) {
    uint64_t size = value_set_size(set_of);
    set(entry, "analysis", text(is_combined ? "combined" : "template"));
    set(entry, "count", json_integer((json_int_t)size));
    if (!size) return;
    set(entry, "lower", json_integer(set_of->lower));
    set(entry, "upper", json_integer(set_of->upper));
    if (size > REPORT_MAX_VALUES) return;
    json_t *values = json_array();
    for (uint64_t i = 0; i < size; i++)
        json_array_append_new(values, json_integer(value_set_at(set_of, i)));
    set(entry, "values", values);
}

/* The value that stands for all values of a removed cell at a location. False if none does. */
static bool find_representative(const struct writer *writer, const struct removal *removal,
                                const struct template *template, uint32_t location, uint32_t cell,
                                int32_t *value) {
    const struct classes *classes = writer->abstraction->classes;
    *value = 0;
    return classes && (!removal->scope || removal->scope[location]) &&
           classes_is_one(classes, template, location, removal->symbol, cell, value);
}

/* Values of the cells of one removal at one location, in runs of cells with equal sets. */
static void add_values(struct writer *writer, json_t *list, const struct removal *removal,
                       const struct template *template, uint32_t location, bool is_within_step) {
    struct analysis *analysis = writer->abstraction->analysis;
    for (uint32_t k = 0; k < removal->shape->cell_count;) {
        if (!removal->is_removed[k]) {
            k++;
            continue;
        }
        const struct value_set *values =
            analysis_values(analysis, template, location, removal->symbol, k, is_within_step);
        int32_t representative, other;
        bool has_one = find_representative(writer, removal, template, location, k, &representative);
        uint32_t from = k;
        for (k++; k < removal->shape->cell_count && removal->is_removed[k]; k++)
            if (!value_set_equal(values, analysis_values(analysis, template, location,
                                                         removal->symbol, k, is_within_step)) ||
                has_one != find_representative(writer, removal, template, location, k, &other) ||
                other != representative)
                break;
        json_t *entry = json_object();
        set(entry, "template", text(template->symbol->name));
        set(entry, "location", text(template->locations[location].name));
        set(entry, "first_slot", text(cell_text(writer, removal, from)));
        set(entry, "last_slot", text(cell_text(writer, removal, k - 1)));
        set(entry, "within_step", json_boolean(is_within_step));
        set_values(entry, values, analysis->is_combined);
        if (has_one) set(entry, "representative", json_integer(representative));
        json_array_append_new(list, entry);
    }
}

/* Of what was taken out before, no values are known. */
static bool is_taken(const struct writer *writer, const struct removal *removal) {
    const struct split *split = writer->abstraction->split;
    const char *name = variable_name(writer->arena, removal->template, removal->symbol);
    for (uint32_t i = 0; split && i < split->record.variables.count; i++)
        if (!strcmp(split->record.variables.items[i], name)) return true;
    return false;
}

static json_t *value_entries(struct writer *writer) {
    json_t *list = json_array();
    const struct abstraction *abstraction = writer->abstraction;
    const struct model *model = abstraction->network->model;
    bool is_combined = abstraction->analysis->is_combined;
    for (uint32_t i = 0; i < abstraction->request->removals.count; i++) {
        const struct removal *removal = &abstraction->request->removals.items[i];
        for (uint32_t t = 0; t < model->template_count; t++) {
            const struct template *template = model->templates[t];
            if (removal->template && removal->template != template) continue;
            for (uint32_t l = 0; l < template->location_count && !is_taken(writer, removal); l++) {
                if (!analysis_reaches(abstraction->analysis, template, l)) continue;
                add_values(writer, list, removal, template, l, false);
                if (!removal->template && is_combined)
                    add_values(writer, list, removal, template, l, true);
            }
        }
    }
    return list;
}

/* What came of trying the product of all processes without being asked to. */
static json_t *product_entry(struct writer *writer) {
    static const char *const outcomes[] = {[TRIAL_BETTER] = "better",
                                           [TRIAL_NO_BETTER] = "no better",
                                           [TRIAL_TOO_LARGE] = "too large"};
    const struct network *network = writer->abstraction->network;
    const struct analysis *analysis = writer->abstraction->analysis;
    const struct slot *slot = &network->slots[analysis->widest.slot];
    json_t *entry = json_object();
    assert((unsigned)analysis->trial < sizeof outcomes / sizeof outcomes[0]);
    set(entry, "slot", text(slot_name(network, slot, writer->arena)));
    set(entry, "values", json_integer((json_int_t)analysis->widest.values));
    set(entry, "outcome", text(outcomes[analysis->trial]));
    return entry;
}

/* What makes no difference together: variables, or cells where not all of one go. */
static json_t *together_entries(struct writer *writer) {
    json_t *list = json_array();
    const struct request *request = writer->abstraction->request;
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (removal->is_whole)
            json_array_append_new(
                list, text(variable_name(writer->arena, removal->template, removal->symbol)));
        for (uint32_t k = 0; !removal->is_whole && k < removal->shape->cell_count; k++)
            if (removal->is_removed[k])
                json_array_append_new(list, text(cell_text(writer, removal, k)));
    }
    return list;
}

static json_t *edge_reference(struct writer *writer, const struct open_edge *open) {
    json_t *entry = json_object();
    assert(open->edge);
    struct place place = source_locate(&writer->document->source, open->edge->xml->element->at);
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

static json_t *origin_entries(struct writer *writer, const struct output_edge *out) {
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

/* Whether the update of an edge has lost items before the fold (prepare/record.h). */
static bool record_changes(const struct split *split, const struct output_edge *out) {
    bool changes = false;
    for (uint32_t i = 0; split && i < split->record.edges.count; i++) {
        const struct recorded_edge *edge = &split->record.edges.items[i];
        changes |= edge->index == out->base->edge_index &&
                   !strcmp(edge->template, out->base->template->symbol->name);
    }
    return changes;
}

static json_t *output_entry(struct writer *writer, const struct fold *fold, uint32_t place) {
    const struct output_edge *out = &fold->edges.items[place];
    bool is_unchanged = out->is_unchanged && !record_changes(writer->abstraction->split, out) &&
                        !normal_changes(writer->normal, writer->abstraction, fold, place);
    const struct template *template = out->base->template;
    const struct edge *edge = out->base->edge;
    json_t *entry = json_object();
    set(entry, "template", text(template->symbol->name));
    set(entry, "source", text(template->locations[edge->source].name));
    set(entry, "target", text(template->locations[out->loop ? edge->source : edge->target].name));
    set(entry, "kind",
        text(out->loop == LOOP_STUTTER         ? "stutter"
             : out->loop                       ? "decline"
             : is_unchanged                    ? "unchanged"
             : fold_keeps_element(fold, place) ? "changed"
                                               : "added"));
    json_t *selects = json_array();
    for (uint32_t i = 0; i < out->select_count; i++)
        json_array_append_new(selects, text(out->selects[i].unknown->placeholder->name));
    set(entry, "added_selects", selects);
    set_expr(entry, "guard", out->guard);
    if (out->sync) set_sync(entry, out);
    set(entry, "origin_count", json_integer(out->origin_count));
    set(entry, "origins", origin_entries(writer, out));
    return entry;
}

/* Source edges without an element of their own: merged into another one, or without any guard
 * that can hold. */
static void add_gone(struct writer *writer, json_t *merged, json_t *dropped,
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
                text(
                    !analysis_reaches(writer->abstraction->analysis, fold->template, fold->location)
                        ? "its source location is never reached"
                    : writer->abstraction->lower
                        ? "no value of the lower set of its source leads into that of its target"
                        : "no value that the removed variables can have enables it"));
        json_array_append_new(is_dropped ? dropped : merged, entry);
    }
}

static json_t *edges_entry(struct writer *writer) {
    const struct abstraction *abstraction = writer->abstraction;
    json_t *entry = json_object(), *output = json_array(), *merged = json_array(),
           *dropped = json_array();
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        for (uint32_t k = 0; k < fold->fold.edges.count; k++)
            json_array_append_new(output, output_entry(writer, &fold->fold, k));
        add_gone(writer, merged, dropped, fold);
    }
    set(entry, "before", json_integer(abstraction->edges_before));
    set(entry, "after", json_integer(abstraction->edges_after));
    set(entry, "output", output);
    set(entry, "merged", merged);
    set(entry, "dropped", dropped);
    return entry;
}

/* S2: as in a spec, and what each variable replaces. */
static json_t *merge_entries(struct writer *writer) {
    const struct request *request = writer->abstraction->request;
    json_t *list = json_array();
    for (uint32_t i = 0; i < request->ghosts.count; i++) {
        const struct ghost *ghost = request->ghosts.items[i];
        json_t *entry = json_object(), *slots = json_array();
        for (uint32_t k = 0; k < ghost->cells.count; k++) {
            const struct ghost_cell *cell = &ghost->cells.items[k];
            const struct removal *removal = removed_ever(request, cell->symbol);
            json_array_append_new(slots, text(cell_text(writer, removal, cell->offset)));
        }
        if (ghost->template) set(entry, "template", text(ghost->template->symbol->name));
        set(entry, "name", text(ghost->symbol->name));
        set(entry, "type", trimmed(ghost->definition->type.content));
        set(entry, "expression", trimmed(ghost->definition->value.content));
        set(entry, "replaces", slots);
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *rewritten_entries(struct writer *writer) {
    const struct abstraction *abstraction = writer->abstraction;
    json_t *list = json_array();
    for (uint32_t i = 0; i < abstraction->rewritten_queries.count; i++) {
        const struct rewritten_query *rewritten = &abstraction->rewritten_queries.items[i];
        const struct query *query = &abstraction->network->model->queries[rewritten->index];
        struct place place = source_locate(&writer->document->source, query->span.begin);
        json_t *entry = json_object();
        set(entry, "line", json_integer(place.line));
        set(entry, "column", json_integer(place.column));
        set(entry, "formula", trimmed(query->xml->formula->text.content));
        set(entry, "rewritten", trimmed(str_of(rewritten->formula)));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *dropped_entries(struct writer *writer) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < writer->abstraction->dropped_entries.count; i++) {
        const struct dropped_entry *dropped = &writer->abstraction->dropped_entries.items[i];
        struct place place = source_locate(&writer->document->source, dropped->span.begin);
        json_t *entry = json_object();
        set(entry, "what", text(dropped->what));
        set(entry, "line", json_integer(place.line));
        set(entry, "column", json_integer(place.column));
        set(entry, "variable", text(dropped->variable));
        if (dropped->text) set(entry, "formula", text(dropped->text));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *note_entries(struct writer *writer) {
    json_t *list = json_array();
    const struct analysis *analysis = writer->abstraction->analysis;
    for (uint32_t i = 0; i < analysis->notes.count; i++) {
        const struct analysis_note *note = &analysis->notes.items[i];
        json_t *entry = json_object();
        struct place place = source_locate(&writer->document->source,
                                           note->template->edges[note->edge].xml->element->at);
        set(entry, "template", text(note->template->symbol->name));
        set(entry, "edge", json_integer(note->edge + 1));
        set(entry, "line", json_integer(place.line));
        set(entry, "text", text(note->text));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *warning_entries(const struct diag *diag) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < diag->items.count; i++) {
        const struct diagnostic *item = &diag->items.items[i];
        if (item->status != STATUS_DONE) continue;
        struct place place = source_locate(diag->source, item->at);
        json_t *entry = json_object();
        set(entry, "line", json_integer(place.line));
        set(entry, "column", json_integer(place.column));
        set(entry, "message", text(item->message));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *timing_entry(const struct abstraction_report *report) {
    const struct abstraction *abstraction = report->abstraction;
    const struct timed_phase phases[] = {{"read_seconds", report->read_seconds},
                                         {"check_seconds", report->check_seconds},
                                         {"choose_seconds", report->choose_seconds},
                                         {"analysis_seconds", abstraction->analysis_seconds},
                                         {"fold_seconds", abstraction->fold_seconds},
                                         {"write_seconds", abstraction->write_seconds},
                                         {"exchange_seconds", report->exchange_seconds}};
    return json_timing(phases, sizeof phases / sizeof *phases, report->total_seconds);
}

static json_t *inexact_entries(const struct abstraction *abstraction) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < abstraction->inexact.count; i++)
        json_array_append_new(list, text(abstraction->inexact.items[i]));
    return list;
}

/* What exploring has shown, and the reasons why the fold has not. */
static json_t *shown_entry(const struct abstraction *abstraction) {
    const struct shown_exact *shown = abstraction->shown;
    json_t *entry = json_object();
    set(entry, "compared_with", text(shown->is_to_original ? "original" : "exact removals alone"));
    set(entry, "states_before", json_integer((json_int_t)shown->states_before));
    set(entry, "states_after", json_integer((json_int_t)shown->states_after));
    set(entry, "compared_before", json_integer((json_int_t)shown->compared_before));
    set(entry, "compared_after", json_integer((json_int_t)shown->compared_after));
    set(entry, "exchanged", json_boolean(shown->is_exchanged));
    set(entry, "otherwise_because", inexact_entries(abstraction));
    return entry;
}

/* The classes of more than one value; all of them if there is but one. */
static json_t *class_entries(const struct normal_place *place) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < place->count; i++) {
        if (place->normal[i] != place->values[i]) continue;
        json_t *values = json_array();
        for (uint32_t k = 0; k < place->count; k++)
            if (place->normal[k] == place->values[i])
                json_array_append_new(values, json_integer(place->values[k]));
        json_t *entry = json_object();
        set(entry, "representative", json_integer(place->values[i]));
        set(entry, "values", values);
        if (json_array_size(values) > 1)
            json_array_append_new(list, entry);
        else
            json_decref(entry);
    }
    return list;
}

static json_t *process_entries(const struct normal_place *place) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < place->processes.count; i++)
        json_array_append_new(list, text(place->processes.items[i]));
    return list;
}

static json_t *key_entry(const struct normal_place *place) {
    json_t *entry = json_object(), *values = json_array();
    set(entry, "variable", text(place->key));
    for (uint32_t i = 0; i < place->key_count; i++)
        json_array_append_new(values, json_integer(place->key_values[i]));
    set(entry, "values", values);
    return entry;
}

static json_t *normal_entries(const struct normal *normal) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < normal->places.count; i++) {
        const struct normal_place *place = &normal->places.items[i];
        json_t *entry = json_object();
        set(entry, "variable", text(place->variable));
        if (place->template) set(entry, "template", text(place->template));
        if (place->location) set(entry, "location", text(place->location));
        if (place->processes.count) set(entry, "processes", process_entries(place));
        if (place->key_count) set(entry, "while", key_entry(place));
        set(entry, "lower", json_integer(place->lower));
        set(entry, "upper", json_integer(place->upper));
        if (place->is_one)
            set(entry, "representative", json_integer(place->representative));
        else
            set(entry, "classes", class_entries(place));
        json_array_append_new(list, entry);
    }
    return list;
}

/* ---- models for some of the queries ---- */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static json_t *measured_entry(const struct measured *measured) {
    json_t *entry = json_object();
    set(entry, "states", json_integer((json_int_t)measured->states.value));
    set(entry, "is_complete", json_boolean(measured->is_complete));
    return entry;
}

static json_t *share_entry(const struct abstraction_report *report, uint32_t number) {
    const struct query_share *share = &report->by_query->list.items[number];
    json_t *entry = json_object(), *queries = json_array();
    for (uint32_t i = 0; i < report->by_query->query_count; i++)
        if (share->is_asked[i]) json_array_append_new(queries, json_integer(i));
    set(entry, "queries", queries);
    set(entry, "output", file_entry(base_name(report->share_names[number]), share->normal.output));
    set(entry, "measured", measured_entry(&share->measured));
    return entry;
}

static json_t *by_query_entry(const struct abstraction_report *report) {
    json_t *entry = json_object(), *list = json_array();
    for (uint32_t i = 0; i < report->by_query->list.count; i++)
        json_array_append_new(list, share_entry(report, i));
    set(entry, "together", measured_entry(&report->by_query->together));
    set(entry, "models", list);
    return entry;
}

struct abstraction_report abstraction_report_of(const struct job *job,
                                                const struct session *session) {
    return (struct abstraction_report){.abstraction = &job->abstraction,
                                       .guarantees = &job->guarantees,
                                       .options = &job->options,
                                       .removals = job->removals,
                                       .removal_count = job->removal_count,
                                       .diag = &session->diag,
                                       .read_seconds = session->read - session->start,
                                       .check_seconds = session->check_seconds,
                                       .choose_seconds = job->choose_seconds,
                                       .exchange_seconds = job->exchange_seconds,
                                       .total_seconds = clock_seconds() - session->start};
}

/* Owned by the caller, like all JSON that is returned here. */
json_t *report_abstraction(const struct abstraction_report *report) {
    const struct abstraction *abstraction = report->abstraction;
    const struct guarantees *guarantees = report->guarantees;
    const struct split *split = abstraction->split;
    const struct document *document = abstraction->network->model->document;
    struct writer writer = {abstraction, document, abstraction->arena, report->normal};
    json_t *object = json_object();
    assert(abstraction->is_exact == (!abstraction->inexact.count || abstraction->shown));
    assert(!abstraction->shown || abstraction->inexact.count); /* a reason for each doubt (X1) */
    set_header(object, "report");
    set(object, "mode", text(rules_of(report->options->mode)->name));
    set(object, "exact", json_boolean(abstraction->is_exact));
    set(object, "inexact_because",
        abstraction->shown ? json_array() : inexact_entries(abstraction));
    if (abstraction->shown) set(object, "shown", shown_entry(abstraction));
    if (abstraction->not_shown) set(object, "not_shown", text(abstraction->not_shown));
    if (abstraction->may_fail) set(object, "relies_on", text(abstraction->may_fail));
    set(object, "input", file_entry(document->source.name, document_file_bytes(document)));
    set(object, "output", file_entry(NULL, abstraction->output));
    set(object, "options", options_entry(report->options, report->removals, report->removal_count));
    if (split && split->copies.count) set(object, "split", split_entry(split, &document->source));
    if (split && split->references.list.count)
        set(object, "references", references_entry(&split->references, &document->source));
    if (split && split->record.variables.count) set(object, "record", record_entry(&split->record));
    set(object, "condition", condition_entry(&guarantees->condition, abstraction->arena));
    set(object, "guarantees", guarantee_entries(guarantees, abstraction->arena));
    if (guarantees->original.is_known || guarantees->output.is_known)
        set(object, "explored", explored_entries(guarantees));
    set(object, "removed", removed_entries(&writer));
    if (abstraction->classes) set(object, "together", together_entries(&writer));
    if (abstraction->request->ghosts.count) {
        set(object, "merges", merge_entries(&writer));
        set(object, "rewritten_queries", rewritten_entries(&writer));
    }
    if (report->normal && report->normal->places.count)
        set(object, "normalised", normal_entries(report->normal));
    if (report->by_query) set(object, "by_query", by_query_entry(report));
    set(object, "values", value_entries(&writer));
    if (abstraction->analysis->trial) set(object, "product", product_entry(&writer));
    set(object, "edges", edges_entry(&writer));
    set(object, "lost", dropped_entries(&writer));
    set(object, "notes", note_entries(&writer));
    set(object, "warnings", warning_entries(report->diag));
    set(object, "timing", timing_entry(report));
    return object;
}
