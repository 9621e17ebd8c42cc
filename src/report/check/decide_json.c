/* What `varabs decide` found out about queries, as JSON. */
#define _POSIX_C_SOURCE 200809L

#include "report/check/decide_report.h"

#include "lang/syntax/query_text.h"
#include "report/abstraction/prepared_report.h"
#include "report/check/check_report.h"
#include "report/check/epistemic_report.h"
#include "report/check/verdict_text.h"
#include "report/guarantee_report.h"
#include "report/json.h"
#include "report/trace_report.h"
#include "xml/byte_map.h"

#include <assert.h>
#include <stdlib.h>

static void set_removed(json_t *entry, const struct refine_round *round) {
    set(entry, "remove", texts(round->removals.arguments, round->removals.count));
    if (round->merges.count)
        set(entry, "merge", texts(round->merges.arguments, round->merges.count));
}

/* ---- runs ---- */

/* What is printed, to be kept. */
struct kept_text {
    FILE *file;
    char *bytes;
    size_t size;
};

static void kept_begin(struct kept_text *text) {
    *text = (struct kept_text){0};
    text->file = open_memstream(&text->bytes, &text->size);
    if (!text->file) memory_is_over();
}

static const char *kept_end(struct kept_text *text, struct arena *arena) {
    bool has_failed = ferror(text->file) != 0;
    if (fclose(text->file) || has_failed || !text->bytes) memory_is_over();
    const char *copy = arena_copy(arena, text->bytes, text->size);
    free(text->bytes);
    return copy;
}

void decided_add_run(struct decide_report *report, struct decided *decided,
                     const struct refine_round *round, const struct refine_run *run) {
    const struct answer *answer = run->may->answer;
    const struct trace *original = run->followed->trace;
    const char *kind = answer->verdict == VERDICT_SATISFIED ? "witness" : "counterexample";
    const struct network *network = run->may->session->network;
    struct kept_text text;
    kept_begin(&text);
    print_trace(text.file, network, answer->trace, report->arena);
    struct decided_run added = {.round = round->number,
                                .trace = trace_entry(network, answer->trace, kind, report->arena),
                                .text = kept_end(&text, report->arena)};
    added.guards = false_guard_entries(report->network, run->followed, report->arena);
    if (original) added.original = trace_entry(report->network, original, kind, report->arena);
    VEC_PUSH(report->arena, &decided->runs, added);
}

void decided_set_strategy(struct decide_report *report, struct decided *decided,
                          const struct refine_strategy *strategy) {
    const struct attempt *mixed = strategy->mixed;
    const struct epistemic_report epistemic = {mixed->session->network, mixed->answer,
                                               report->arena};
    struct kept_text text;
    kept_begin(&text);
    print_strategy(text.file, &epistemic, 2);
    print_played(text.file, strategy->played, 4);
    struct decided_strategy *own = ARENA_NEW(report->arena, struct decided_strategy);
    *own = (struct decided_strategy){.rules = strategy_entries(&epistemic),
                                     .original = played_entry(strategy->played),
                                     .text = kept_end(&text, report->arena)};
    decided->strategy = own;
}

const struct decided_run *decided_run_of(const struct decided *decided, uint32_t round) {
    for (uint32_t i = 0; i < decided->runs.count; i++)
        if (decided->runs.items[i].round == round) return &decided->runs.items[i];
    return NULL;
}

void decide_report_close(struct decide_report *report) {
    for (uint32_t i = 0; i < report->list.count; i++)
        for (uint32_t k = 0; k < report->list.items[i].runs.count; k++) {
            const struct decided_run *run = &report->list.items[i].runs.items[k];
            json_decref(run->trace);
            json_decref(run->original);
            json_decref(run->guards);
            json_decref(run->processes);
        }
    for (uint32_t i = 0; i < report->list.count; i++) {
        const struct decided_strategy *strategy = report->list.items[i].strategy;
        if (!strategy) continue;
        json_decref(strategy->rules);
        json_decref(strategy->original);
    }
}

/* ---- rounds ---- */

static json_t *side_entry(const struct refine_side *side) {
    assert(side->is_made || !side->carries); /* nothing is claimed of what was refused */
    if (!side->is_tried) return json_null();
    json_t *entry = json_object();
    set(entry, "is_refused", json_boolean(!side->is_made));
    set(entry, "exact", json_boolean(side->is_exact));
    set(entry, "verdict", text(verdict_text(side->verdict)));
    set(entry, "carries_over", json_boolean(side->carries));
    set(entry, "reason", text_or_null(side->reason));
    set(entry, "normalised", json_boolean(side->is_normal));
    set(entry, "states", json_integer((json_int_t)side->states));
    set(entry, "limit", limit_entry(side->limit));
    return entry;
}

static json_t *round_entry(const struct decided *decided, const struct refine_round *round) {
    static const char *const findings[] = {
        [FINDING_REAL] = "real", [FINDING_SPURIOUS] = "spurious"};
    json_t *entry = json_object();
    bool breaks = round->finding == FINDING_SPURIOUS && round->step;
    set_removed(entry, round);
    set(entry, "may", side_entry(&round->may));
    set(entry, "must", side_entry(&round->must));
    if (round->mixed.is_tried) set(entry, "mixed", side_entry(&round->mixed));
    set(entry, "run", text_or_null(findings[round->finding]));
    set(entry, "step", breaks ? json_integer((json_int_t)round->step - 1) : json_null());
    set(entry, "round", breaks ? json_integer(round->loop_rounds) : json_null());
    set(entry, "put_back", text_or_null(round->back));
    set(entry, "but_for", text_or_null(round->remains));
    const struct decided_run *run = decided_run_of(decided, round->number);
    if (run) set(entry, "trace", json_incref(run->trace));
    if (run && breaks) set(entry, "false_guards", json_incref(run->guards));
    if (run && run->original) set(entry, "original_trace", json_incref(run->original));
    return entry;
}

/* ---- results ---- */

static json_t *way_entry(const struct refine_result *result) {
    static const char *const ways[] = {[BY_MAY] = "may",
                                       [BY_MUST] = "must",
                                       [BY_BOTH] = "both",
                                       [BY_RUN] = "run",
                                       [BY_MIXED] = "mixed"};
    assert((result->way == BY_NOTHING) == (result->verdict == VERDICT_UNKNOWN));
    if (result->way == BY_NOTHING) return json_null();
    json_t *entry = json_object();
    set(entry, "way", text(ways[result->way]));
    set_removed(entry, &result->last);
    return entry;
}

static json_t *query_entry(const struct decide_report *report, const struct decided *decided) {
    const struct refine_result *result = decided->result;
    bool is_known = result->verdict != VERDICT_UNKNOWN;
    struct str formula = decided->query->xml->formula->text.content;
    json_t *entry = json_object(), *rounds = json_array();
    set(entry, "formula", text(query_formula(report->arena, formula)));
    set(entry, "verdict", text(verdict_text(result->verdict)));
    set(entry, "semantics", text(semantics_of(decided->query, report->semantics)));
    set(entry, "reason", text_or_null(result->reason));
    set(entry, "limit", is_known ? json_null() : limit_entry(result->limit));
    set(entry, "decided_by", way_entry(result));
    if (is_known && result->bounds)
        set(entry, "bounds", bounds_entries(decided->query, result->bounds, report->arena));
    if (decided->strategy) {
        set(entry, "strategy", json_incref(decided->strategy->rules));
        set(entry, "in_original", json_incref(decided->strategy->original));
    }
    for (uint32_t i = 0; i < decided->rounds.count; i++)
        json_array_append_new(rounds, round_entry(decided, &decided->rounds.items[i]));
    set(entry, "rounds", rounds);
    return entry;
}

static json_t *timing_entry(const struct decide_report *report) {
    json_t *entry = json_object(), *list = json_array();
    for (uint32_t i = 0; i < report->list.count; i++)
        json_array_append_new(list, json_real(report->list.items[i].result->seconds));
    set(entry, "query_seconds", list);
    return entry;
}

json_t *report_decide(const struct decide_report *report) {
    const struct document *document = report->network->model->document;
    json_t *object = json_object(), *queries = json_array();
    set_header(object, "decide");
    set(object, "input", file_entry(document->source.name, document_file_bytes(document)));
    if (report->is_untimed) set(object, "untimed", json_true());
    if (report->taken_out) set(object, "without", taken_out_entry(report->taken_out));
    for (uint32_t i = 0; i < report->list.count; i++)
        json_array_append_new(queries, query_entry(report, &report->list.items[i]));
    set(object, "condition", condition_entry(&report->condition, report->arena));
    set(object, "queries", queries);
    set(object, "timing", timing_entry(report));
    return object;
}
