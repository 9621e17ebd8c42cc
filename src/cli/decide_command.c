/* varabs decide IN.xml: decides queries by abstractions. */
#define _POSIX_C_SOURCE 200809L

#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "lang/syntax/query_text.h"
#include "report/check_report.h"
#include "report/json.h"
#include "work/deciding.h"

struct shown {
    bool is_quiet;  /* standard output is for JSON */
    bool has_runs;  /* they are shown, too */
    char where[64]; /* of the round at hand, for progress */
};

static const char *formula_of(const struct decide_report *report, const struct decided *decided) {
    return query_formula(report->arena, decided->query->xml->formula->text.content);
}

static void begin_query(void *context, const struct decide_report *report) {
    const struct shown *shown = context;
    const struct decided *decided = &report->list.items[report->list.count - 1];
    progress_hold();
    if (!shown->is_quiet)
        printf("%s%s\n", report->list.count > 1 ? "\n" : "", formula_of(report, decided));
    fflush(stdout);
    progress_release();
}

/* What the next round is called. */
static void begin_round(void *context, const struct decide_report *report, uint32_t number) {
    struct shown *shown = context;
    snprintf(shown->where, sizeof shown->where, "query %u, round %u", report->list.count, number);
    progress_say("%s: making the abstraction", shown->where);
}

static void end_round(void *context, const struct decide_report *report) {
    const struct shown *shown = context;
    const struct decided *decided = &report->list.items[report->list.count - 1];
    if (shown->is_quiet) return;
    progress_hold();
    const struct refine_round *round = &decided->rounds.items[decided->rounds.count - 1];
    const struct decided_run *run = decided_run_of(decided, round->number);
    print_round(stdout, round, report->arena);
    if (run && shown->has_runs) print_round_run(stdout, run);
    progress_release();
}

static void end_query(void *context, const struct decide_report *report) {
    const struct shown *shown = context;
    progress_hold();
    if (!shown->is_quiet)
        print_decided(stdout, report, &report->list.items[report->list.count - 1]);
    fflush(stdout);
    progress_release();
}

/* Writes and says what is about all queries. */
static void finish(const struct deciding *deciding, const struct options *options) {
    const struct decide_report *report = &deciding->report;
    const struct shown *shown = deciding->context;
    struct session *session = deciding->session;
    if (!report->list.count) return;
    if (!shown->is_quiet)
        puts("\nThis is so if the original has no runtime errors, at which Uppaal would stop.");
    struct result_page page = {.kind = "decide", .first = page_model_of(session, options->input)};
    page.rounds = deciding_rounds(deciding, &page.round_count);
    if (!result_is_wanted(options) ||
        result_write(report_decide(report), options->values[OPTION_JSON], options, page,
                     &session->arena, &session->diag))
        return;
    for (uint32_t i = 0; shown->is_quiet && i < report->list.count; i++) {
        const struct decided *decided = &report->list.items[i];
        fprintf(stderr, "%s  %s\n", verdict_text(decided->result.verdict),
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
                                .begin_query = begin_query,
                                .begin_round = begin_round,
                                .end_round = end_round,
                                .end_query = end_query,
                                .context = &shown};
    deciding.verify.wants_traces = false; /* abstractions have theirs in any case */
    if (!open_observed(&session, options, &deciding.observed)) return end_session(&session);
    deciding.verify.search.progress = progress_search;
    deciding.verify.search.context = shown.where;
    signals_defer();
    enum status worst = deciding_run(&deciding);
    progress_end();
    finish(&deciding, options);
    decide_report_close(&deciding.report);
    int of_session = end_session(&session);
    return of_session > STATUS_VIOLATED ? of_session : (int)worst;
}
