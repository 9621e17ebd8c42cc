/* See deciding.h. */
#include "work/deciding.h"

#include "base/clock.h"
#include "draw/draw.h"
#include "work/limits.h"

#define LEAST_SECONDS 0.001 /* for a query, when the time of all is over */

static struct decided *last_of(struct deciding *deciding) {
    return &deciding->report.list.items[deciding->report.list.count - 1];
}

static void begin_round(struct deciding *deciding, uint32_t number) {
    if (deciding->begin_round) deciding->begin_round(deciding->context, &deciding->report, number);
}

static void take_round(void *context, const struct refine_round *round) {
    struct deciding *deciding = context;
    VEC_PUSH(deciding->report.arena, &last_of(deciding)->rounds, *round);
    begin_round(deciding, round->number + 1);
    if (deciding->end_round) deciding->end_round(deciding->context, &deciding->report);
}

/* Draws the abstraction of a run. Where it cannot be drawn the run stands alone. */
static void draw_run(struct deciding *deciding, const struct refine_run *run,
                     struct decided_run *kept) {
    const struct session *abstract = &run->may->session;
    struct diag unheard;
    if (deciding->drawn_size >= DECIDING_DRAWN) return;
    diag_init(&unheard, deciding->report.arena, &abstract->document.source);
    if (!draw_page(&kept->drawing, &abstract->document, NULL, NULL, deciding->report.arena,
                   &unheard))
        return;
    deciding->drawn_size += kept->drawing.size;
    kept->processes = page_processes(abstract->network);
}

static void take_run(void *context, const struct refine_round *round,
                     const struct refine_run *run) {
    struct deciding *deciding = context;
    struct decided *decided = last_of(deciding);
    decided_add_run(&deciding->report, decided, round, run);
    if (deciding->draws_runs)
        draw_run(deciding, run, &decided->runs.items[decided->runs.count - 1]);
}

static void refine(struct deciding *deciding, struct query *query, uint32_t number,
                   struct refine_result *result) {
    struct session *session = deciding->session;
    struct refine_options refine = {.abstract = deciding->abstract,
                                    .verify = deciding->verify,
                                    .looks = deciding->has_no_looks ? NULL : &deciding->looks,
                                    .learnt = &deciding->learnt,
                                    .number = number,
                                    .show = take_round,
                                    .show_run = deciding->keeps_runs ? take_run : NULL,
                                    .context = deciding};
    struct search_options *search = &refine.verify.search;
    limits_complete(search);
    if (deciding->deadline > 0) {
        double left = deciding->deadline - clock_seconds();
        search->max_seconds = left > LEAST_SECONDS ? left : LEAST_SECONDS;
    }
    const struct model *alone = /* what other queries name goes, too */
        model_with_queries(&session->arena, session->model, query, 1);
    refine_query(result, network_with_model(&session->arena, session->network, alone), &refine,
                 &session->arena);
}

static enum status decide(struct deciding *deciding, struct query *query, uint32_t number) {
    struct decide_report *report = &deciding->report;
    struct refine_result result = {.reason = query->problem};
    double start = clock_seconds();
    VEC_PUSH(report->arena, &report->list, (struct decided){.query = query});
    if (deciding->begin_query) deciding->begin_query(deciding->context, report);
    begin_round(deciding, 1);
    if (query->quantifier == QUERY_FORMULA) {
        result.reason = "operators in each other and knowledge are for `varabs check`";
        diag_error(&deciding->session->diag, STATUS_UNSUPPORTED, query->span.begin,
                   "this query cannot be decided by abstractions: %s", result.reason);
    } else if (query->quantifier != QUERY_INVALID) {
        refine(deciding, query, number, &result);
    }
    last_of(deciding)->result = result;
    last_of(deciding)->seconds = clock_seconds() - start;
    if (deciding->end_query) deciding->end_query(deciding->context, report);
    if (result.verdict == VERDICT_UNKNOWN)
        return result.limit != LIMIT_NONE ? STATUS_LIMIT : STATUS_INVALID;
    return result.verdict == VERDICT_VIOLATED ? STATUS_VIOLATED : STATUS_DONE;
}

static void begin(struct deciding *deciding) {
    struct session *session = deciding->session;
    double seconds = deciding->verify.search.max_seconds;
    deciding->report = (struct decide_report){.network = session->network,
                                              .input = deciding->input,
                                              .semantics = deciding->verify.semantics,
                                              .arena = &session->arena};
    if (seconds > 0) deciding->deadline = clock_seconds() + seconds;
    looks_open(&deciding->looks, &session->arena, session->network, deciding->observed.items,
               deciding->observed.count, deciding->abstract);
    learnt_open(&deciding->learnt, &session->arena, session->network, deciding->abstract);
    if (deciding->look) deciding->looks.first = deciding->look;
}

enum status deciding_run(struct deciding *deciding) {
    enum status worst = STATUS_DONE;
    begin(deciding);
    for (uint32_t i = 0; i < deciding->observed.count; i++) {
        if (deciding->observed.items[i].quantifier == QUERY_EMPTY) continue;
        enum status status = decide(deciding, &deciding->observed.items[i], i);
        if (status > worst) worst = status;
    }
    looks_close(&deciding->looks);
    if (!deciding->report.list.count)
        diag_error(&deciding->session->diag, STATUS_USAGE, 0,
                   "there is no query to decide; name one with --query");
    return worst;
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
