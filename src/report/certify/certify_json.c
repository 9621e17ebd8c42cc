/* What `varabs certify` found, as JSON. */
#include "report/certify/certify_report.h"

#include "report/certify/lacking.h"
#include "report/check/symmetry_report.h"
#include "report/json.h"
#include "xml/byte_map.h"

#include <assert.h>

const char *mode_text(enum simulation_mode mode) {
    static const char *const names[] = {
        [SIMULATE_MAY] = "may", [SIMULATE_MUST] = "must", [SIMULATE_EXACT] = "exact"};
    assert((unsigned)mode < sizeof names / sizeof names[0]);
    return names[mode];
}

/* Static. */
const char *side_text(enum side side) { return side == SIDE_CONCRETE ? "concrete" : "abstract"; }

/* ---- the counterexample ---- */

const struct trace_state *refutation_state(const struct refutation *refutation, enum side side,
                                           uint32_t index) {
    assert(index < refutation->count);
    assert(refutation->at[side][index] < refutation->traces[side]->state_count);
    return &refutation->traces[side]->states[refutation->at[side][index]];
}

/* NULL where the side stays as it is, for a stuttering step. */
const struct trace_step *refutation_step(const struct refutation *refutation, enum side side,
                                         uint32_t index) {
    const uint32_t *at = refutation->at[side];
    assert(index + 1 < refutation->count && at[index + 1] - at[index] <= 1);
    if (at[index + 1] == at[index]) return NULL;
    return &refutation->traces[side]->steps[at[index]];
}

const struct trace_step *unmatched_step(const struct refutation *refutation) {
    const struct trace *trace = refutation->traces[refutation->mover];
    return refutation->is_stutter ? NULL : &trace->steps[trace->step_count - 1];
}

/* The last of the trace that shows the step. */
const struct trace_state *unmatched_state(const struct refutation *refutation) {
    const struct trace *trace = refutation->traces[refutation->mover];
    return &trace->states[trace->state_count - 1];
}

static json_t *parts_of(const struct trace_step *step, struct arena *arena) {
    return step ? step_entry(step, arena) : json_array();
}

static json_t *pair_entry(const struct certify_report *report, const struct refutation *refutation,
                          uint32_t index) {
    json_t *entry = json_object();
    const struct visible *visible = report->visible;
    for (int side = 0; side < SIDE_COUNT; side++)
        set(entry, side_text((enum side)side),
            state_entry(visible->networks[side], visible->names[side],
                        refutation_state(refutation, (enum side)side, index)));
    return entry;
}

static json_t *duel_entry(const struct certify_report *report, const struct refutation *refutation,
                          uint32_t index) {
    json_t *entry = json_object();
    set(entry, "mover", text(side_text(refutation->steps[index].mover)));
    for (int side = 0; side < SIDE_COUNT; side++)
        set(entry, side_text((enum side)side),
            parts_of(refutation_step(refutation, (enum side)side, index), report->arena));
    set(entry, "choices", json_integer(refutation->steps[index].choices));
    if (refutation->steps[index].is_silent) set(entry, "is_silent", json_true());
    return entry;
}

static json_t *unmatched_entry(const struct certify_report *report) {
    const struct refutation *refutation = report->certification->refutation;
    const struct visible *visible = report->visible;
    enum side mover = refutation->mover, other = other_side(mover);
    if (refutation->is_initial) return json_null();
    json_t *entry = json_object(), *error = refutation->has_fault ? json_object() : json_null();
    if (refutation->has_fault) {
        set(error, "message", text(fault_name(refutation->fault.kind)));
        set(error, "position",
            text(position_text(visible->networks[other], refutation->fault.span.begin,
                               report->arena)));
    }
    set(entry, "mover", text(side_text(mover)));
    set(entry, "step", parts_of(unmatched_step(refutation), report->arena));
    set(entry, "state",
        state_entry(visible->networks[mover], visible->names[mover], unmatched_state(refutation)));
    set(entry, "choices", json_integer(refutation->choices));
    set(entry, "error", error);
    return entry;
}

/* Both runs. */
static json_t *run_entry(const struct certify_report *report, const struct refutation *refutation) {
    json_t *entry = json_object(), *states = json_array(), *steps = json_array();
    for (uint32_t i = 0; i < refutation->count; i++)
        json_array_append_new(states, pair_entry(report, refutation, i));
    for (uint32_t i = 0; i + 1 < refutation->count; i++)
        json_array_append_new(steps, duel_entry(report, refutation, i));
    set(entry, "states", states);
    set(entry, "steps", steps);
    return entry;
}

static json_t *counterexample_entry(const struct certify_report *report) {
    const struct refutation *refutation = report->certification->refutation;
    if (!refutation) return json_null();
    json_t *entry = run_entry(report, refutation);
    set(entry, "unmatched", unmatched_entry(report));
    return entry;
}

static json_t *outcome_entry(enum simulation_outcome outcome) {
    return outcome == SIMULATION_UNKNOWN ? json_null() : json_boolean(outcome == SIMULATION_HOLDS);
}

static json_t *time_entry(const struct certify_report *report) {
    const struct certification *certification = report->certification;
    const struct refutation *refutation = certification->time_refutation;
    if (certification->outcome != SIMULATION_HOLDS) return json_null();
    json_t *entry = json_object(), *run = json_null();
    if (refutation) {
        run = run_entry(report, refutation);
        set(run, "passes", text(side_text(refutation->mover)));
    }
    set(entry, "is_alike", outcome_entry(certification->time));
    set(entry, "counterexample", run);
    return entry;
}

/* ---- the whole ---- */

static json_t *model_entry(const struct visible *visible, enum side side) {
    const struct document *document = visible->networks[side]->model->document;
    return file_entry(document->source.name, document_file_bytes(document));
}

static json_t *side_entry(const struct certify_report *report, enum side side) {
    const struct certification *certification = report->certification;
    const struct figures *figures = &certification->figures[side];
    bool is_complete = certification->engine == ENGINE_SYMBOLIC
                           ? certification->limit == LIMIT_NONE
                           : certification->searches[side].is_complete;
    json_t *entry = json_object();
    set(entry, "input", model_entry(report->visible, side));
    set_exact(entry, "states", "states_text", &figures->states);
    set_exact(entry, "transitions", "transitions_text", &figures->transitions);
    set_exact(entry, "deadlocks", "deadlocks_text", &figures->deadlocks);
    set_exact(entry, "errors", "errors_text", &figures->errors);
    set(entry, "is_complete", json_boolean(is_complete));
    return entry;
}

/* Names of the slots of a side that have a role. */
static json_t *names_entry(const struct visible *visible, enum side side, enum slot_role role) {
    const struct network *network = visible->networks[side];
    json_t *list = json_array();
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (visible->roles[side][i] == role)
            json_array_append_new(list, text(visible->names[side][i]));
    return list;
}

/* Of those that are compared, by the values that stand for others. */
static json_t *exchanged_entry(const struct visible *visible) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < visible->slot_count; i++)
        if (visible->exchanges[visible->slots[i].index[SIDE_ABSTRACT]])
            json_array_append_new(
                list, text(visible->names[SIDE_CONCRETE][visible->slots[i].index[SIDE_CONCRETE]]));
    return list;
}

static json_t *observers_entry(const struct observer_list *observers) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < observers->list.count; i++) {
        const struct observer *observer = &observers->list.items[i];
        json_t *entry = json_object();
        bool is_known = !observer->problem;
        set(entry, "agent", text(observer->agent));
        set(entry, "sees_no_more", is_known ? json_boolean(observer->sees_no_more) : json_null());
        set(entry, "sees_no_less", is_known ? json_boolean(observer->sees_no_less) : json_null());
        if (!is_known) set(entry, "problem", text(observer->problem));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *symmetry_entry(const struct certification *certification) {
    const struct symmetry *joint = certification->joint;
    bool has_orbits = certification->has_orbits;
    json_t *entry = json_object();
    set(entry, "blocks", block_entries(joint));
    set(entry, "orbits",
        has_orbits ? json_integer((json_int_t)certification->orbits) : json_null());
    for (int side = 0; side < SIDE_COUNT; side++)
        set(entry, side_text((enum side)side),
            has_orbits ? json_integer((json_int_t)certification->figures[side].orbits)
                       : json_null());
    set(entry, "is_exact", json_boolean(!has_orbits || certification->are_orbits_exact));
    if (joint->refusal) set(entry, "because", text(joint->refusal));
    return entry;
}

/* Owned by the caller. */
json_t *report_certify(const struct certify_report *report) {
    const struct certification *certification = report->certification;
    const struct visible *visible = report->visible;
    json_t *object = json_object(), *ignored = json_object();
    set_header(object, "certify");
    set(object, "input", model_entry(visible, SIDE_CONCRETE));
    set(object, "mode", text(mode_text(report->options->mode)));
    set(object, "is_stuttering", json_boolean(report->options->is_stuttering));
    set(object, "holds", outcome_entry(certification->outcome));
    set(object, "limit", limit_entry(certification->limit));
    set(object, "concrete", side_entry(report, SIDE_CONCRETE));
    set(object, "abstract", side_entry(report, SIDE_ABSTRACT));
    set_exact(object, "pairs", "pairs_text", &certification->pairs);
    if (certification->joint) set(object, "symmetry", symmetry_entry(certification));
    set(object, "engine", text(engine_text(certification->engine)));
    if (certification->engine == ENGINE_EXPLICIT && certification->reason)
        set(object, "not_by_sets", text(certification->reason));
    set(object, "seconds", json_real(certification->seconds));
    set(object, "peak_bytes", json_integer((json_int_t)certification->peak_size));
    if (report->found_report) set(object, "report", text(report->found_report));
    const struct lacking lacking = {visible, certification, report->options, report->arena};
    if (visible->is_gone) set(object, "without", lacking_entry(&lacking));
    set(object, "compared", names_entry(visible, SIDE_CONCRETE, ROLE_VISIBLE));
    const struct symbol *clock = certify_idle_clock(visible);
    if (clock) set(object, "idle_clock", text(clock->name));
    const struct symbol *meta =
        visible_kept_meta(visible->networks[SIDE_CONCRETE], visible->networks[SIDE_ABSTRACT]);
    if (meta) set(object, "kept_meta", text(meta->name));
    set(object, "by_class", exchanged_entry(visible));
    for (int side = 0; side < SIDE_COUNT; side++)
        set(ignored, side_text((enum side)side),
            names_entry(visible, (enum side)side, ROLE_IGNORED));
    set(object, "ignored", ignored);
    set(object, "only_concrete", names_entry(visible, SIDE_CONCRETE, ROLE_ALONE));
    set(object, "only_abstract", names_entry(visible, SIDE_ABSTRACT, ROLE_ALONE));
    set(object, "counterexample", counterexample_entry(report));
    set(object, "time", time_entry(report));
    if (report->options->observes)
        set(object, "observers", observers_entry(&certification->observers));
    return object;
}
