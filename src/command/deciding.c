/* See deciding.h. */
#include "command/deciding.h"

#include "base/interrupt.h"
#include "command/limits.h"
#include "draw/draw.h"

#include <assert.h>

/* Where a query of the session stands in the report, in which there are no empty ones. */
static uint32_t report_index(const struct deciding *deciding, uint32_t query) {
    uint32_t place = 0;
    for (uint32_t i = 0; i < query; i++)
        place += deciding->observed.items[i].quantifier != QUERY_EMPTY;
    return place;
}

static struct decided *decided_of(struct deciding *deciding, uint32_t query) {
    uint32_t place = report_index(deciding, query);
    assert(place < deciding->report.list.count);
    return &deciding->report.list.items[place];
}

/* ---- meanwhile ---- */

static void tell(struct deciding *deciding) {
    if (deciding->tell) deciding->tell(deciding->context, &deciding->report);
}

static void begin_round(void *context, uint32_t query, uint32_t round) {
    struct deciding *deciding = context;
    if (deciding->begin_round)
        deciding->begin_round(deciding->context, report_index(deciding, query), round);
}

/* Draws the abstraction of a run. Where it cannot be drawn the run stands alone. */
static void draw_run(struct deciding *deciding, const struct refine_run *run,
                     struct decided_run *kept) {
    const struct session *abstract = run->may->session;
    struct diag unheard;
    if (deciding->drawn_size >= DECIDING_DRAWN) return;
    diag_init(&unheard, deciding->report.arena, &abstract->document.source);
    if (!draw_page(&kept->drawing, &abstract->document, NULL, NULL, deciding->report.arena,
                   &unheard))
        return;
    deciding->drawn_size += kept->drawing.size;
    kept->processes = page_processes(abstract->network);
}

static void show_run(void *context, uint32_t query, const struct refine_round *round,
                     const struct refine_run *run) {
    struct deciding *deciding = context;
    struct decided *decided = decided_of(deciding, query);
    if (!deciding->keeps_runs) return;
    decided_add_run(&deciding->report, decided, round, run);
    if (deciding->draws_runs)
        draw_run(deciding, run, &decided->runs.items[decided->runs.count - 1]);
}

static void end_round(void *context, uint32_t query, const struct refine_round *round) {
    struct deciding *deciding = context;
    VEC_PUSH(deciding->report.arena, &decided_of(deciding, query)->rounds, *round);
    tell(deciding);
}

static void end_query(void *context, uint32_t query) {
    struct deciding *deciding = context;
    decided_of(deciding, query)->is_done = true;
    tell(deciding);
}

/* ---- all queries ---- */

/* Those that cannot be decided are done at once. */
static void begin_query(struct deciding *deciding, const struct query *query,
                        struct refine_result *result) {
    struct decided decided = {.query = query, .is_done = !looks_are_for(query), .result = result};
    if (query->quantifier == QUERY_EMPTY) return;
    result->reason = query->problem;
    if (query->quantifier == QUERY_FORMULA) {
        result->reason = "operators in each other and knowledge are for `varabs check`";
        diag_error(&deciding->session->diag, STATUS_UNSUPPORTED, query->span.begin,
                   "this query cannot be decided by abstractions: %s", result->reason);
    }
    VEC_PUSH(deciding->report.arena, &deciding->report.list, decided);
}

/* What decides relies on no condition: where something may fail, abstractions take it to do so. */
static enum known_errors find_errors(struct original_errors *errors) {
    struct deciding *deciding = errors->context;
    bool cannot = original_condition(&deciding->original, false)->state == CONDITION_CANNOT_FAIL;
    return cannot ? ERRORS_NONE : ERRORS_SOME;
}

static void be_strict(struct deciding *deciding) {
    deciding->errors = (struct original_errors){.find = find_errors, .context = deciding};
    deciding->strict = *deciding->abstract;
    deciding->strict.analysis.errors = &deciding->errors;
}

static void begin(struct deciding *deciding) {
    struct session *session = deciding->session;
    be_strict(deciding);
    deciding->report = (struct decide_report){.network = session->network,
                                              .input = deciding->input,
                                              .semantics = deciding->verify.semantics,
                                              .arena = &session->arena};
    deciding->results =
        ARENA_ARRAY(&session->arena, struct refine_result, deciding->observed.count + 1);
    for (uint32_t i = 0; i < deciding->observed.count; i++)
        begin_query(deciding, &deciding->observed.items[i], &deciding->results[i]);
    original_open(&deciding->original, session, deciding->verify.search.max_states);
    looks_open(&deciding->looks, &session->arena, session->network, deciding->observed.items,
               deciding->observed.count, &deciding->strict);
    learnt_open(&deciding->learnt, &session->arena, session->network, &deciding->strict);
    if (deciding->look) deciding->looks.first = deciding->look;
}

static void refine(struct deciding *deciding) {
    struct refine_options refine = {
        .abstract = &deciding->strict,
        .verify = deciding->verify,
        .looks = deciding->has_no_looks ? NULL : &deciding->looks,
        .learnt = &deciding->learnt,
        .bound = deciding->looks.first,
        .watch = {begin_round, show_run, end_round, end_query, deciding}};
    limits_complete(&refine.verify.search);
    refine_queries(deciding->results, deciding->session->network, deciding->observed.items,
                   deciding->observed.count, &refine, &deciding->session->arena);
}

static enum status status_of(const struct deciding *deciding, const struct decided *decided) {
    const struct refine_result *result = decided->result;
    bool may_hang =
        deciding->session->network->carried.count && decided->query->quantifier != QUERY_INVALID;
    if (result->verdict == VERDICT_UNKNOWN)
        return result->limit != LIMIT_NONE ? STATUS_LIMIT
               : may_hang                  ? STATUS_UNSUPPORTED
                                           : STATUS_INVALID;
    return result->verdict == VERDICT_VIOLATED ? STATUS_VIOLATED : STATUS_DONE;
}

enum status deciding_run(struct deciding *deciding) {
    enum status worst = STATUS_DONE;
    begin(deciding);
    tell(deciding);
    refine(deciding);
    looks_close(&deciding->looks);
    if (deciding->looks.is_complete && !deciding->looks.has_errors)
        original_meets(&deciding->original);
    deciding->report.condition = *original_condition(&deciding->original, !interrupt_is_asked());
    for (uint32_t i = 0; i < deciding->report.list.count; i++) {
        const struct decided *decided = &deciding->report.list.items[i];
        enum status status = status_of(deciding, decided);
        assert(decided->is_done);
        if (status > worst) worst = status;
    }
    if (!deciding->report.list.count)
        diag_error(&deciding->session->diag, STATUS_USAGE, 0,
                   "there is no query to decide; name one with --query");
    return worst;
}

void deciding_close(struct deciding *deciding) {
    decide_report_close(&deciding->report);
    original_close(&deciding->original);
}

const struct page_round *deciding_rounds(const struct deciding *deciding, uint32_t *count) {
    const struct decide_report *report = &deciding->report;
    VEC(struct page_round) rounds = {0};
    for (uint32_t i = 0; i < report->list.count; i++)
        for (uint32_t k = 0; k < report->list.items[i].runs.count; k++) {
            const struct decided_run *run = &report->list.items[i].runs.items[k];
            if (run->drawing.size)
                VEC_PUSH(report->arena, &rounds,
                         (struct page_round){i, run->round - 1, run->drawing, run->processes});
        }
    *count = rounds.count;
    return rounds.items;
}
