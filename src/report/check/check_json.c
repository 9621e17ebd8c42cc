/* What `varabs check` found, as JSON. */
#include "report/check/check_report.h"

#include "lang/print/print.h"
#include "lang/syntax/kinds.h"
#include "lang/syntax/query_text.h"
#include "report/check/epistemic_report.h"
#include "report/check/symmetry_report.h"
#include "report/check/verdict_text.h"
#include "report/json.h"
#include "xml/byte_map.h"

#include <assert.h>
#include <stdlib.h>

/* 0 if there are no states, or too many to count. */
double bytes_per_state(const struct verification *verification) {
    double states =
        verification->figures.states.is_known ? strtod(verification->figures.states.text, NULL) : 0;
    return states > 0 ? (double)verification->search->peak_size / states : 0;
}

/* ---- the whole ---- */

json_t *bounds_entries(const struct query *query, const struct bounds_of *all,
                       struct arena *arena) {
    assert(all && query_traits(query->quantifier)->family == FAMILY_BOUNDS);
    json_t *list = json_array();
    for (uint32_t i = 0; i < query->expr_count; i++) {
        const struct bounds_of *bounds = &all[i];
        json_t *entry = json_object();
        set(entry, "expression", text(expr_text(query->exprs[i], arena)));
        bool has_lower = bounds->is_found && query_traits(query->quantifier)->wants_lower;
        bool has_upper = bounds->is_found && query_traits(query->quantifier)->wants_upper;
        set(entry, "lower", has_lower ? json_integer(bounds->lower) : json_null());
        set(entry, "upper", has_upper ? json_integer(bounds->upper) : json_null());
        json_array_append_new(list, entry);
    }
    return list;
}

bool concretize_report_of(const struct check_report *report, const struct answer *answer,
                          struct concretize_report *concrete) {
    size_t index = (size_t)(answer - report->verification->answers);
    assert(index < report->verification->answer_count);
    const struct concretization *result = report->original ? report->concretizations[index] : NULL;
    *concrete = (struct concretize_report){report->original, answer->trace, result, report->arena};
    return result != NULL;
}

const struct plan_played *played_of(const struct check_report *report,
                                    const struct answer *answer) {
    return report->original ? report->played[answer - report->verification->answers] : NULL;
}

/* A guard of the original that is false where a run breaks off, with the values that it reads. */
static json_t *false_guard_entry(const struct network *network, const struct false_guard *guard,
                                 struct arena *arena) {
    const struct template *template = guard->process->template;
    struct buffer label = {0};
    json_t *entry = json_object(), *values = json_object();
    print_expr(&label, guard_of_edge(network, template, guard->edge));
    set(entry, "process", text(guard->process->name));
    set(entry, "edge", json_integer(guard->edge - template->edges));
    set(entry, "source", text(template->locations[guard->source].name));
    set(entry, "target", text(template->locations[guard->target].name));
    set(entry, "guard", json_stringn(label.data, label.size));
    for (uint32_t i = 0; i < guard->slot_count; i++)
        set(values, slot_name(network, &network->slots[guard->slots[i]], arena),
            json_integer(guard->values[i]));
    set(entry, "values", values);
    buffer_close(&label);
    return entry;
}

json_t *false_guard_entries(const struct network *network, const struct concretization *result,
                            struct arena *arena) {
    json_t *guards = json_array();
    for (uint32_t i = 0; i < result->guard_count; i++)
        json_array_append_new(guards, false_guard_entry(network, &result->guards[i], arena));
    return guards;
}

/* The result of looking for a run in the original, without the trace. */
static json_t *concretization_entry(const struct concretize_report *report) {
    static const char *const outcomes[] = {
        [CONCRETE_UNKNOWN] = "unknown", [CONCRETE_REAL] = "real", [CONCRETE_SPURIOUS] = "spurious"};
    const struct concretization *result = report->result;
    bool has_step = result->outcome == CONCRETE_SPURIOUS && !result->is_at_end;
    assert((unsigned)result->outcome < sizeof outcomes / sizeof outcomes[0]);
    json_t *entry = json_object(), *slots = json_array();
    set(entry, "outcome", text(outcomes[result->outcome]));
    set(entry, "step", has_step ? json_integer(result->step) : json_null());
    set(entry, "round", has_step ? json_integer(result->round) : json_null());
    for (uint32_t i = 0; i < result->slot_count; i++) {
        const struct slot *slot = &report->network->slots[result->slots[i]];
        json_array_append_new(slots, text(slot_name(report->network, slot, report->arena)));
    }
    set(entry, "depends_on", slots);
    set(entry, "false_guards", false_guard_entries(report->network, result, report->arena));
    set(entry, "limit", limit_entry(result->limit));
    if (result->problem) set(entry, "problem", text(result->problem));
    set(entry, "states", json_integer((json_int_t)result->states));
    return entry;
}

static json_t *original_entry(const struct check_report *report,
                              const struct concretize_report *concrete, const char *kind) {
    json_t *entry = concretization_entry(concrete);
    if (report->shows_traces && concrete->result->trace)
        set(entry, "trace",
            trace_entry(report->original, concrete->result->trace, kind, report->arena));
    return entry;
}

/* The observations of agents, and why one of them does not know. */
static void set_knowledge(json_t *entry, const struct check_report *report,
                          const struct answer *answer) {
    struct epistemic_report epistemic = {report->network, answer, report->arena};
    if (answer->known && answer->known->plan) set(entry, "strategy", strategy_entries(&epistemic));
    const struct plan_played *played = played_of(report, answer);
    if (played) set(entry, "in_original", played_entry(played));
    if (!answer->known || !answer->known->agents->list.count) return;
    set(entry, "observations",
        observation_entries(report->network, answer->known->agents, report->arena));
    if (!answer->known->has_pair) return;
    json_t *pair = epistemic_entry(&epistemic);
    if (answer->other && report->shows_traces)
        set(pair, "other",
            trace_entry(report->network, answer->other, "alternative", report->arena));
    set(entry, "epistemic", pair);
}

static json_t *if_fair_entry(const struct answer *answer) {
    if (answer->turns_if_fair >= TURNS_TOO_MANY) return json_pack("{s:s}", "kind", "unknown");
    bool is_weak = answer->turns_if_fair == TURNS_WEAKLY;
    json_t *entry = json_object();
    set(entry, "kind", text(is_weak ? "weak" : "strong"));
    set(entry, "verdict", text(answer->verdict == VERDICT_VIOLATED ? "satisfied" : "violated"));
    return entry;
}

static json_t *query_entry(const struct check_report *report, const struct answer *answer) {
    json_t *entry = json_object();
    struct str formula = answer->query->xml->formula->text.content;
    set(entry, "formula", text(query_formula(report->arena, formula)));
    set(entry, "verdict", text(verdict_text(answer->verdict)));
    set(entry, "semantics", text(semantics_of(answer->query, report->semantics)));
    if (answer->problem) set(entry, "problem", text(answer->problem));
    if (answer->known && answer->known->doubt)
        set(entry, "unknown_because", text(answer->known->doubt));
    if (answer->turns_if_fair != TURNS_UNKNOWN) set(entry, "if_fair", if_fair_entry(answer));
    if (answer->known && answer->known->tries)
        set(entry, "tries", json_integer((json_int_t)answer->known->tries));
    if (answer->bounds && answer->verdict != VERDICT_UNKNOWN)
        set(entry, "bounds", bounds_entries(answer->query, answer->bounds, report->arena));
    const char *kind = answer->verdict == VERDICT_SATISFIED ? "witness" : "counterexample";
    struct concretize_report concrete;
    if (answer->trace && report->shows_traces)
        set(entry, "trace", trace_entry(report->network, answer->trace, kind, report->arena));
    set_knowledge(entry, report, answer);
    if (concretize_report_of(report, answer, &concrete))
        set(entry, "original", original_entry(report, &concrete, kind));
    return entry;
}

static json_t *error_entry(const struct check_report *report) {
    const struct verification *verification = report->verification;
    if (!verification->has_error) return json_null();
    json_t *entry = json_object();
    position at = verification->error.span.begin;
    set(entry, "message", text(fault_name(verification->error.kind)));
    set(entry, "position", text(position_text(report->network, at, report->arena)));
    if (verification->error_trace && report->shows_traces)
        set(entry, "trace",
            trace_entry(report->network, verification->error_trace, "error", report->arena));
    return entry;
}

static json_t *fairness_entries(const struct verification *verification) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < verification->fair.list.count; i++) {
        const struct fair_constraint *constraint = &verification->fair.list.items[i];
        json_t *entry = json_object();
        set(entry, "name", text(constraint->name));
        set(entry, "kind", text(constraint->is_strong ? "strong" : "weak"));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *orbits_entry(const struct symmetry *symmetry, const struct figures *figures) {
    json_t *entry = json_object();
    set(entry, "blocks", symmetry ? block_entries(symmetry) : json_array());
    set(entry, "orbits",
        figures->has_orbits ? json_integer((json_int_t)figures->orbits) : json_null());
    set(entry, "is_exact", json_boolean(figures->are_orbits_exact));
    if (symmetry && symmetry->refusal) set(entry, "because", text(symmetry->refusal));
    return entry;
}

static json_t *symmetry_entry(const struct verification *verification) {
    json_t *entry = orbits_entry(verification->symmetry, &verification->figures);
    if (!verification->apart) return entry;
    json_t *list = json_array();
    for (const struct answered_apart *apart = verification->apart; apart; apart = apart->next) {
        json_t *own = orbits_entry(apart->symmetry, &apart->figures), *queries = json_array();
        for (uint32_t i = 0; i < apart->count; i++)
            json_array_append_new(queries, json_integer((json_int_t)apart->queries[i] + 1));
        set(own, "queries", queries);
        json_array_append_new(list, own);
    }
    set(entry, "apart", list);
    return entry;
}

/* Owned by the caller. */
json_t *report_check(const struct check_report *report) {
    const struct verification *verification = report->verification;
    const struct search *search = verification->search;
    json_t *object = json_object(), *queries = json_array();
    const struct document *document = report->network->model->document;
    set_header(object, "check");
    set(object, "input", file_entry(document->source.name, document_file_bytes(document)));
    set(object, "engine", text(engine_text(verification->engine)));
    if (report->network->model->is_mixed) set(object, "mixed", json_true());
    set_exact(object, "states", "states_text", &verification->figures.states);
    set_exact(object, "transitions", "transitions_text", &verification->figures.transitions);
    set_exact(object, "deadlocks", "deadlocks_text", &verification->figures.deadlocks);
    set_exact(object, "errors", "errors_text", &verification->figures.errors);
    if (verification->symmetry) set(object, "symmetry", symmetry_entry(verification));
    set(object, "is_complete", json_boolean(search->is_complete));
    set(object, "limit", limit_entry(search->limit));
    set(object, "seconds", json_real(search->seconds));
    set(object, "peak_bytes", json_integer((json_int_t)search->peak_size));
    set(object, "bytes_per_state", json_real(bytes_per_state(verification)));
    set(object, "jobs", json_integer(search->options.jobs));
    set(object, "first_error", error_entry(report));
    for (uint32_t i = 0; i < verification->answer_count; i++)
        json_array_append_new(queries, query_entry(report, &verification->answers[i]));
    set(object, "queries", queries);
    if (verification->fair.list.count) set(object, "fairness", fairness_entries(verification));
    return object;
}
