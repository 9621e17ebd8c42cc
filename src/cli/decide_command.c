/* varabs decide IN.xml: decides queries by abstractions. */
#define _POSIX_C_SOURCE 200809L

#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "command/deciding.h"
#include "lang/syntax/query_text.h"
#include "report/check/check_report.h"
#include "report/guarantee_report.h"
#include "report/json.h"

struct shown {
    bool is_quiet;  /* standard output is for JSON */
    bool has_runs;  /* they are shown, too */
    char where[64]; /* of the round at hand, for progress */
    /* what is printed: all of so many queries, and the beginning of the next one */
    uint32_t query_count, round_count;
    bool is_begun;
};

static const char *formula_of(const struct decide_report *report, const struct decided *decided) {
    return query_formula(report->arena, decided->query->xml->formula->text.content);
}

/* What the next round is called. */
static void begin_round(void *context, uint32_t query, uint32_t round) {
    struct shown *shown = context;
    snprintf(shown->where, sizeof shown->where, "query %u, round %u", query + 1, round);
    progress_say("%s: making the abstraction", shown->where);
}

/* What is new of the next query. Whether it is over. */
static bool print_next(struct shown *shown, const struct decide_report *report) {
    const struct decided *decided = &report->list.items[shown->query_count];
    if (!shown->is_begun)
        printf("%s%s\n", shown->query_count ? "\n" : "", formula_of(report, decided));
    shown->is_begun = true;
    for (; shown->round_count < decided->rounds.count; shown->round_count++) {
        const struct refine_round *round = &decided->rounds.items[shown->round_count];
        const struct decided_run *run = decided_run_of(decided, round->number);
        print_round(stdout, round, report->arena);
        if (run && shown->has_runs) print_round_run(stdout, run);
    }
    if (!decided->is_done) return false;
    print_decided(stdout, report, decided);
    shown->is_begun = false;
    shown->round_count = 0;
    shown->query_count++;
    return true;
}

/* Queries are decided side by side, and printed one after the other. */
static void tell(void *context, const struct decide_report *report) {
    struct shown *shown = context;
    if (shown->is_quiet) return;
    progress_hold();
    while (shown->query_count < report->list.count && print_next(shown, report)) {
    }
    fflush(stdout);
    progress_release();
}

/* Writes and says what is about all queries. */
static void finish(const struct deciding *deciding, const struct options *options) {
    const struct decide_report *report = &deciding->report;
    const struct shown *shown = deciding->context;
    struct session *session = deciding->session;
    if (!report->list.count) return;
    if (!shown->is_quiet) {
        putchar('\n');
        print_condition(stdout, &report->condition, true, report->arena);
    }
    struct result_page page = {.kind = "decide", .first = page_model_of(session, options->input)};
    page.rounds = deciding_rounds(deciding, &page.round_count);
    if (!result_is_wanted(options) ||
        result_write(report_decide(report), options->values[OPTION_JSON], options, page,
                     &session->arena, &session->diag))
        return;
    for (uint32_t i = 0; shown->is_quiet && i < report->list.count; i++) {
        const struct decided *decided = &report->list.items[i];
        fprintf(stderr, "%s  %s\n", verdict_text(decided->result->verdict),
                formula_of(report, decided));
    }
}

/* varabs decide: answers queries by abstractions from coarse to fine. */
int command_decide(const struct options *options) {
    struct session session;
    struct shown shown = {.is_quiet = standard_output_is_taken(options),
                          .has_runs = options->verify.wants_traces};
    bool has_page = options->values[OPTION_HTML] != NULL;
    struct deciding deciding = {.session = &session,
                                .input = options->input,
                                .abstract = &options->abstract,
                                .verify = options->verify,
                                .has_no_looks = options->values[OPTION_NO_LOOK] != NULL,
                                .look = options->look,
                                .keeps_runs = shown.has_runs || has_page,
                                .draws_runs = has_page,
                                .begin_round = begin_round,
                                .tell = tell,
                                .context = &shown};
    deciding.verify.wants_traces = false; /* abstractions have theirs in any case */
    if (!open_observed(&session, options, &deciding.observed)) return end_session(&session);
    deciding.verify.search.progress = progress_search;
    deciding.verify.search.context = shown.where;
    signals_defer();
    enum status worst = deciding_run(&deciding);
    progress_end();
    finish(&deciding, options);
    deciding_close(&deciding);
    int of_session = end_session(&session);
    return of_session > STATUS_VIOLATED ? of_session : (int)worst;
}
