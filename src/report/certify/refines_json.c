/* What `varabs refines` found, as JSON. */
#include "report/certify/refines_report.h"

#include "report/json.h"
#include "xml/byte_map.h"

const char *refine_model_text(enum refine_model model) {
    return model == REFINE_FAILURES ? "failures" : "traces";
}

static const char *counterexample_text(enum counterexample_kind kind) {
    static const char *const names[] = {[COUNTER_BLOCKED] = "blocked",
                                        [COUNTER_REFUSED] = "refused",
                                        [COUNTER_STOPPED] = "stopped",
                                        [COUNTER_UNFAIR] = "unfair"};
    return names[kind];
}

const char *kept_text(const struct trace_refinement *refinement, uint32_t constraint) {
    if (refinement->violated & UINT64_C(1) << constraint) return "violated";
    return refinement->is_fairness_known ? "satisfied" : "unknown";
}

const char *hidden_where(const struct hidden_channel *hidden) {
    if (!hidden->is_in[SIDE_ABSTRACT]) return " (concrete only)";
    return hidden->is_in[SIDE_CONCRETE] ? "" : " (abstract only)";
}

static const char *side_name(enum side side) {
    return side == SIDE_CONCRETE ? "concrete" : "abstract";
}

/* ---- what is compared ---- */

static json_t *source_entry(const struct action_source *source) {
    if (!source->channel && !source->tag) return json_null();
    json_t *entry = json_object();
    if (source->channel) set(entry, "channel", text(source->channel));
    if (source->tag) set(entry, "tag", text(source->tag));
    return entry;
}

static json_t *visible_entry(const struct alphabet *alphabet) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < alphabet->actions.count; i++) {
        const struct visible_action *action = &alphabet->actions.items[i];
        json_t *entry = json_object();
        set(entry, "name", text(action->name));
        for (int side = 0; side < SIDE_COUNT; side++)
            set(entry, side_name((enum side)side), source_entry(&action->sources[side]));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *hidden_entry(const struct alphabet *alphabet) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < alphabet->hidden.count; i++) {
        const struct hidden_channel *hidden = &alphabet->hidden.items[i];
        json_t *entry = json_object(), *models = json_array();
        for (int side = 0; side < SIDE_COUNT; side++)
            if (hidden->is_in[side])
                json_array_append_new(models, text(side_name((enum side)side)));
        set(entry, "channel", text(hidden->name));
        set(entry, "models", models);
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *constraint_entry(const struct fair_constraint *constraint) {
    json_t *entry = json_object();
    set(entry, "name", text(constraint->name));
    set(entry, "kind", text(constraint->is_strong ? "strong" : "weak"));
    return entry;
}

static json_t *fairness_entry(const struct trace_refinement *refinement) {
    json_t *entry = json_object();
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct fair_constraints *constraints = &refinement->fair[side];
        json_t *list = json_array();
        for (uint32_t i = 0; i < constraints->list.count; i++) {
            json_t *constraint = constraint_entry(&constraints->list.items[i]);
            if (side == SIDE_ABSTRACT) set(constraint, "verdict", text(kept_text(refinement, i)));
            json_array_append_new(list, constraint);
        }
        set(entry, side_name((enum side)side), list);
    }
    return entry;
}

/* ---- the counterexample ---- */

static json_t *labels_entry(const struct refines_report *report, const uint32_t *labels,
                            uint32_t count) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(
            list, text(label_name(&report->refinement->labels, labels[i], report->arena)));
    return list;
}

static json_t *step_of(const struct refines_report *report, uint32_t index) {
    const struct counterexample *counter = report->refinement->counterexample;
    uint32_t label = counter->labels[index];
    json_t *entry = json_object();
    const char *name = label_name(&report->refinement->labels, label, report->arena);
    set(entry, "action", label == LABEL_HIDDEN ? json_null() : text(name));
    set(entry, "participants", step_entry(&counter->trace->steps[index], report->arena));
    return entry;
}

/* How a run that is not fair goes on. */
static void set_round(json_t *entry, const struct counterexample *counter) {
    bool is_unfair = counter->kind == COUNTER_UNFAIR;
    bool is_loop = is_unfair && counter->trace->end == TRACE_LOOP;
    set(entry, "loop", is_loop ? json_integer(counter->trace->loop) : json_null());
    set(entry, "constraint", is_unfair ? constraint_entry(counter->constraint) : json_null());
    set(entry, "enabled_at", is_unfair ? json_integer(counter->enabled_at) : json_null());
}

static json_t *counterexample_entry(const struct refines_report *report) {
    const struct counterexample *counter = report->refinement->counterexample;
    const struct network *concrete = report->alphabet->networks[SIDE_CONCRETE];
    const struct network *abstract = report->alphabet->networks[SIDE_ABSTRACT];
    if (!counter) return json_null();
    char **names = slot_names_of(concrete, report->arena);
    char **abstract_names = slot_names_of(abstract, report->arena);
    json_t *entry = json_object(), *steps = json_array(), *states = json_array();
    json_t *counts = json_array(), *where = json_array();
    uint32_t with_set = counter->trace->state_count - (counter->kind == COUNTER_BLOCKED ? 1 : 0);
    for (uint32_t i = 0; i < counter->trace->state_count; i++)
        json_array_append_new(states, state_entry(concrete, names, &counter->trace->states[i]));
    for (uint32_t i = 0; i < counter->trace->step_count; i++)
        json_array_append_new(steps, step_of(report, i));
    for (uint32_t i = 0; i < with_set; i++)
        json_array_append_new(counts, json_integer(counter->abstract_count[i]));
    for (uint32_t i = 0; i < counter->state_count; i++)
        json_array_append_new(where, state_entry(abstract, abstract_names, &counter->states[i]));
    set(entry, "kind", text(counterexample_text(counter->kind)));
    set(entry, "states", states);
    set(entry, "steps", steps);
    set(entry, "abstract_counts", counts);
    set(entry, "abstract_states", where);
    set(entry, "offered", labels_entry(report, counter->offered, counter->offered_count));
    bool has_left = counter->kind == COUNTER_REFUSED || counter->kind == COUNTER_STOPPED;
    set(entry, "left",
        has_left ? labels_entry(report, counter->left, counter->left_count) : json_null());
    set_round(entry, counter);
    return entry;
}

/* ---- the whole ---- */

static json_t *file_of(const struct network *network) {
    const struct document *document = network->model->document;
    return file_entry(document->source.name, document_file_bytes(document));
}

static json_t *side_entry(const struct refines_report *report, enum side side) {
    const struct network *network = report->alphabet->networks[side];
    const struct side_figures *figures = &report->refinement->sides[side];
    json_t *entry = json_object(), *error = json_null();
    if (figures->errors) {
        error = json_object();
        set(error, "message", text(fault_name(figures->first_error.kind)));
        set(error, "position",
            text(position_text(network, figures->first_error.span.begin, report->arena)));
    }
    set(entry, "input", file_of(network));
    set(entry, "states", json_integer((json_int_t)figures->states));
    set(entry, "expanded", json_integer((json_int_t)figures->expanded));
    set(entry, "transitions", json_integer((json_int_t)figures->transitions));
    set(entry, "errors", json_integer((json_int_t)figures->errors));
    set(entry, "first_error", error);
    return entry;
}

static json_t *product_entry(const struct trace_refinement *refinement) {
    json_t *entry = json_object();
    set(entry, "nodes", json_integer((json_int_t)refinement->nodes));
    set(entry, "transitions", json_integer((json_int_t)refinement->transitions));
    set(entry, "behind_error", json_integer((json_int_t)refinement->after));
    set(entry, "sets", json_integer(refinement->sets));
    set(entry, "largest_set", json_integer(refinement->largest_set));
    return entry;
}

/* Owned by the caller. */
json_t *report_refines(const struct refines_report *report) {
    const struct trace_refinement *refinement = report->refinement;
    json_t *object = json_object();
    set_header(object, "refines");
    set(object, "input", file_of(report->alphabet->networks[SIDE_CONCRETE]));
    set(object, "model", text(refine_model_text(report->options->model)));
    set(object, "refines",
        refinement->outcome == REFINE_UNKNOWN ? json_null()
                                              : json_boolean(refinement->outcome == REFINE_HOLDS));
    set(object, "limit", limit_entry(refinement->limit));
    const struct symbol *meta = visible_kept_meta(report->alphabet->networks[SIDE_CONCRETE],
                                                  report->alphabet->networks[SIDE_ABSTRACT]);
    if (meta) set(object, "kept_meta", text(meta->name));
    set(object, "visible", visible_entry(report->alphabet));
    set(object, "hidden", hidden_entry(report->alphabet));
    set(object, "hides_internal", json_boolean(report->alphabet->hides_internal));
    set(object, "fairness", fairness_entry(refinement));
    set(object, "concrete", side_entry(report, SIDE_CONCRETE));
    set(object, "abstract", side_entry(report, SIDE_ABSTRACT));
    set(object, "product", product_entry(refinement));
    set(object, "is_deterministic", json_boolean(refinement->is_deterministic));
    set(object, "counterexample", counterexample_entry(report));
    set(object, "seconds", json_real(refinement->seconds));
    set(object, "peak_bytes", json_integer((json_int_t)refinement->peak_size));
    return object;
}
