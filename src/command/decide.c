/* varabs decide: answers queries by abstractions from coarse to fine.
 *
 * Queries are decided side by side, and their text is written one after the other, as they go on.
 */
#include "command/command.h"
#include "command/fits.h"

#include "base/interrupt.h"
#include "draw/draw.h"
#include "lang/syntax/query_text.h"
#include "refine/original.h"
#include "refine/untimed.h"
#include "report/check/decide_report.h"
#include "report/check/epistemic_report.h"
#include "report/check/verdict_text.h"
#include "report/guarantee_report.h"
#include "suggest/irrelevant.h"

#include <assert.h>
#include <string.h>

/* Runs of rounds come with drawings of the abstractions that have them until these fill so many
 * bytes: a page stays small. */
enum { DRAWN_SIZE = 384 * 1024 };

struct deciding {
    const struct command_request *request;
    struct sink *sink;
    struct session session;            /* of the model that is looked at */
    const struct taken_out *taken_out; /* of its processes, as no query depends on them; or NULL */
    struct untimed *untimed;           /* where that is the model without clocks; or NULL */
    struct observed observed;
    struct verify_options verify; /* its time is that of all queries together */
    struct abstract_options strict;
    struct original_errors errors;
    struct original original;
    struct decide_report report;
    struct refine_result *results; /* by query of the session */
    struct original_search original_search;
    struct trial_memo trial_memo;
    size_t drawn_size; /* bytes of drawings */
    char where[64];    /* the current round */
    /* what is said amid the work: all of so many queries, and the beginning of the next one */
    uint32_t said_count, said_rounds;
    bool is_begun;
};

/* Where a query of the session stands in the report, in which there are no empty ones. */
static uint32_t report_index(const struct deciding *deciding, uint32_t query) {
    uint32_t place = 0;
    if (deciding->untimed) return untimed_place(deciding->untimed, query);
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

static const char *formula_of(const struct decide_report *report, const struct decided *decided) {
    return query_formula(report->arena, decided->query->xml->formula->text.content);
}

/* What is new of the next query. Whether it is over. */
static bool print_next(struct deciding *deciding, FILE *file) {
    const struct decide_report *report = &deciding->report;
    const struct decided *decided = &report->list.items[deciding->said_count];
    if (!deciding->is_begun)
        fprintf(file, "%s%s\n", deciding->said_count ? "\n" : "", formula_of(report, decided));
    deciding->is_begun = true;
    for (; deciding->said_rounds < decided->rounds.count; deciding->said_rounds++) {
        const struct refine_round *round = &decided->rounds.items[deciding->said_rounds];
        const struct decided_run *run = decided_run_of(decided, round->number);
        print_round(file, report, round);
        if (run && deciding->request->verify.wants_traces) print_round_run(file, run);
    }
    if (!decided->is_done) return false;
    print_decided(file, report, decided);
    deciding->is_begun = false;
    deciding->said_rounds = 0;
    deciding->said_count++;
    return true;
}

static void say_news(struct deciding *deciding) {
    const struct sink *sink = deciding->sink;
    if (!sink->live) return;
    sink->hold();
    while (deciding->said_count < deciding->report.list.count && print_next(deciding, sink->live)) {
    }
    fflush(sink->live);
    sink->release();
}

static void begin_round(void *context, uint32_t query, uint32_t round) {
    struct deciding *deciding = context;
    snprintf(deciding->where, sizeof deciding->where, "query %u, round %u",
             report_index(deciding, query) + 1, round);
    tell("%s: making the abstraction", deciding->where);
}

/* Draws the abstraction of a run. Where it cannot be drawn the run stands alone. */
static void draw_run(struct deciding *deciding, const struct refine_run *run,
                     struct decided_run *kept) {
    const struct session *abstract = run->may->session;
    struct diag unheard;
    if (deciding->drawn_size >= DRAWN_SIZE) return;
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
    bool draws_runs = deciding->request->wants_page;
    if (!draws_runs && !deciding->request->verify.wants_traces) return;
    decided_add_run(&deciding->report, decided, round, run);
    if (draws_runs) draw_run(deciding, run, &decided->runs.items[decided->runs.count - 1]);
}

static void show_strategy(void *context, uint32_t query, const struct refine_strategy *strategy) {
    struct deciding *deciding = context;
    decided_set_strategy(&deciding->report, decided_of(deciding, query), strategy);
}

static void end_round(void *context, uint32_t query, const struct refine_round *round) {
    struct deciding *deciding = context;
    VEC_PUSH(deciding->report.arena, &decided_of(deciding, query)->rounds, *round);
    say_news(deciding);
}

static void end_query(void *context, uint32_t query) {
    struct deciding *deciding = context;
    if (deciding->untimed)
        untimed_carry(deciding->untimed, query,
                      deciding->verify.semantics == SEMANTICS_KRIPKE ? PATH_KRIPKE : PATH_UPPAAL,
                      &deciding->results[query]);
    decided_of(deciding, query)->is_done = true;
    say_news(deciding);
}

/* ---- all queries ---- */

/* A query that cannot be decided is done at once. */
static void begin_query(struct deciding *deciding, const struct query *query,
                        struct refine_result *result) {
    struct decided decided = {.query = query, .is_done = !is_asked_query(query), .result = result};
    if (query->quantifier == QUERY_EMPTY) return;
    result->reason = query->problem;
    VEC_PUSH(deciding->report.arena, &deciding->report.list, decided);
}

/* What decides relies on no condition: where something may fail, abstractions take it to do so. */
static enum known_errors find_errors(struct original_errors *errors) {
    struct deciding *deciding = errors->context;
    bool cannot = original_condition(&deciding->original, false)->state == CONDITION_CANNOT_FAIL;
    return cannot ? ERRORS_NONE : ERRORS_SOME;
}

static void be_strict(struct deciding *deciding) {
    deciding->errors = (struct original_errors){
        .find = find_errors, .context = deciding, .arena = &deciding->session.arena};
    deciding->strict = deciding->request->abstract;
    deciding->strict.analysis.errors = &deciding->errors;
}

/* Queries that depend on time are done at once, too. */
static void begin_untimed(struct deciding *deciding) {
    struct untimed *untimed = deciding->untimed;
    for (uint32_t i = 0; i < untimed->queries.count; i++) {
        const struct untimed_query *query = &untimed->queries.items[i];
        if (query->number != NO_SLOT) {
            begin_query(deciding, &deciding->observed.items[query->number],
                        &deciding->results[query->number]);
            assert(deciding->report.list.count == i + 1);
            continue;
        }
        struct refine_result *result = ARENA_NEW(deciding->report.arena, struct refine_result);
        *result = untimed_unknown(query);
        VEC_PUSH(
            deciding->report.arena, &deciding->report.list,
            (struct decided){.query = query->guarantee->query, .is_done = true, .result = result});
    }
}

/* The session of the file that was named. */
static struct session *first_session(struct deciding *deciding) {
    return deciding->untimed ? &deciding->untimed->session : &deciding->session;
}

static void begin(struct deciding *deciding) {
    struct session *session = &deciding->session;
    be_strict(deciding);
    deciding->report = (struct decide_report){.network = first_session(deciding)->network,
                                              .is_untimed = deciding->untimed != NULL,
                                              .taken_out = deciding->taken_out,
                                              .input = deciding->request->first.name,
                                              .semantics = deciding->verify.semantics,
                                              .arena = &session->arena};
    deciding->results =
        ARENA_ARRAY(&session->arena, struct refine_result, deciding->observed.count + 1);
    if (deciding->untimed) begin_untimed(deciding);
    for (uint32_t i = 0; i < deciding->observed.count && !deciding->untimed; i++)
        begin_query(deciding, &deciding->observed.items[i], &deciding->results[i]);
    original_open(&deciding->original, session, deciding->verify.search.max_states);
    original_search_open(&deciding->original_search, &session->arena, session->network,
                         deciding->observed.items, deciding->observed.count, &deciding->strict);
    trial_memo_open(&deciding->trial_memo, &session->arena, session->network, &deciding->strict);
    if (deciding->request->look) deciding->original_search.first = deciding->request->look;
}

static void refine(struct deciding *deciding) {
    struct refine_options refine = {
        .abstract = &deciding->strict,
        .verify = deciding->verify,
        .original_search = deciding->request->has_no_look ? NULL : &deciding->original_search,
        .trial_memo = &deciding->trial_memo,
        .condition = original_condition(&deciding->original, false),
        .state_budget = deciding->original_search.first,
        .watch = {begin_round, show_run, show_strategy, end_round, end_query, deciding}};
    limits_complete(&refine.verify.search);
    refine_queries(deciding->results, deciding->session.network, deciding->observed.items,
                   deciding->observed.count, &refine, &deciding->session.arena);
}

static enum status status_of(const struct deciding *deciding, const struct decided *decided) {
    const struct refine_result *result = decided->result;
    bool may_hang =
        deciding->session.network->persistent.count && decided->query->quantifier != QUERY_INVALID;
    if (result->verdict == VERDICT_UNKNOWN)
        return result->limit != LIMIT_NONE || result->is_open ? STATUS_LIMIT
               : may_hang || deciding->untimed                ? STATUS_UNSUPPORTED
                                                              : STATUS_INVALID;
    return result->verdict == VERDICT_VIOLATED ? STATUS_VIOLATED : STATUS_DONE;
}

static enum status run(struct deciding *deciding) {
    enum status worst = STATUS_DONE;
    begin(deciding);
    if (deciding->taken_out && deciding->sink->live) {
        deciding->sink->hold();
        print_without(deciding->sink->live, &deciding->report);
        deciding->sink->release();
    }
    say_news(deciding);
    refine(deciding);
    original_search_close(&deciding->original_search);
    bool meets = deciding->original_search.is_complete && !deciding->original_search.has_errors;
    if (meets && !deciding->untimed && !deciding->taken_out) original_meets(&deciding->original);
    deciding->report.condition =
        deciding->untimed ? *original_condition(&deciding->untimed->original, false)
                          : *original_condition(&deciding->original, !interrupt_is_asked());
    for (uint32_t i = 0; i < deciding->report.list.count; i++) {
        const struct decided *decided = &deciding->report.list.items[i];
        enum status status = status_of(deciding, decided);
        assert(decided->is_done);
        if (status > worst) worst = status;
    }
    if (!deciding->report.list.count)
        diag_error(&first_session(deciding)->diag, STATUS_USAGE, 0,
                   "there is no query to decide; name one with --query");
    return worst;
}

/* What was drawn, for the page. */
static const struct page_round *drawn_rounds(const struct decide_report *report, uint32_t *count) {
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

/* Says what is about all queries, and leaves the result; where that fails, no verdict is lost. */
static void finish(struct deciding *deciding) {
    const struct decide_report *report = &deciding->report;
    struct sink *sink = deciding->sink;
    struct session *session = first_session(deciding);
    if (!report->list.count) return;
    if (sink->live) {
        sink->hold();
        fputc('\n', sink->live);
        print_condition(sink->live, &report->condition, true, report->arena);
        sink->release();
    }
    struct result_page page = command_page("decide", deciding->request, session, NULL);
    page.rounds = drawn_rounds(report, &page.round_count);
    FILE *text = sink_leave(sink, sink->wants_result ? report_decide(report) : NULL, page, session);
    for (uint32_t i = 0; text && !sink->live && i < report->list.count; i++) {
        const struct decided *decided = &report->list.items[i];
        verdict_print(text, decided->result->verdict, 0);
        fprintf(text, "  %s\n", formula_of(report, decided));
    }
}

/* False (reported) if a formula is asked for under semantics of runs that it does not have. */
static bool check_semantics(struct deciding *deciding) {
    bool is_fine = true;
    for (uint32_t i = 0; i < deciding->observed.count && deciding->request->is_uppaal; i++) {
        const struct query *query = &deciding->observed.items[i];
        if (query->quantifier != QUERY_FORMULA ||
            strcmp(semantics_of(query, SEMANTICS_UPPAAL), "kripke") != 0)
            continue;
        diag_error(&deciding->session.diag, STATUS_UNSUPPORTED, query->span.begin,
                   "operators in each other are answered under --semantics kripke only: leave "
                   "--semantics uppaal out");
        is_fine = false;
    }
    return is_fine;
}

/* Takes out the processes that no query depends on (X9). */
static bool take_out(struct deciding *deciding) {
    const struct command_request *request = deciding->request;
    struct session *session = &deciding->session;
    deciding->taken_out =
        irrelevant_find(session, deciding->observed.items, deciding->observed.count, false);
    return !deciding->taken_out ||
           (irrelevant_take_out(session, deciding->taken_out) &&
            session_build_observed(session, request->queries, request->query_count,
                                   &deciding->observed));
}

/* What is looked at: the model, or with --untime that without clocks. */
static bool open_model(struct deciding *deciding, struct untimed *untimed) {
    const struct command_request *request = deciding->request;
    struct session *session = &deciding->session;
    if (!request->abstract.untimes)
        return command_load(session, &request->first) &&
               session_build_observed(session, request->queries, request->query_count,
                                      &deciding->observed) &&
               model_fits(session->network, FOR_DECIDE) && check_semantics(deciding) &&
               take_out(deciding);
    deciding->untimed = untimed;
    return command_load(&untimed->session, &request->first) &&
           untimed_make(untimed, &request->abstract, request->queries, request->query_count,
                        session, &deciding->observed);
}

enum status command_decide(const struct command_request *request, struct sink *sink) {
    struct untimed untimed = {0};
    struct deciding deciding = {.request = request, .sink = sink, .verify = request->verify};
    enum status status = STATUS_DONE;
    deciding.verify.wants_traces = false; /* abstractions have theirs in any case */
    deciding.verify.search.progress = sink->search;
    deciding.verify.search.context = deciding.where;
    if (open_model(&deciding, &untimed) && sink->is_ready(sink, first_session(&deciding))) {
        sink->defer();
        status = run(&deciding);
        finish(&deciding);
        decide_report_close(&deciding.report);
        original_close(&deciding.original);
    }
    untimed_close(&untimed);
    return sink->end(sink, first_session(&deciding), deciding.untimed ? &deciding.session : NULL,
                     status);
}
