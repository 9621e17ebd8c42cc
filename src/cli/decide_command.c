/* varabs decide IN.xml: decides queries by abstractions. */
#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"
#include "base/resources.h"
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "lang/syntax/query_text.h"
#include "report/check_report.h"
#include "report/decide_report.h"
#include "report/json.h"

#include <string.h>

#define LEAST_SECONDS 0.001 /* for a query, when the time of all is over */

struct decision {
    struct session *session;
    const struct options *options;
    struct looks looks;
    struct decide_report report; /* with --json */
    bool is_quiet;               /* standard output is for JSON */
    double deadline;             /* of all queries together; 0 = none */
    char where[64];              /* of the round at hand, for progress */
};

/* What the next round is called. */
static void begin_round(struct decision *decision, uint32_t number) {
    snprintf(decision->where, sizeof decision->where, "query %u, round %u",
             decision->report.list.count, number);
    progress_say("%s: making the abstraction", decision->where);
}

static void take_round(void *context, const struct refine_round *round) {
    struct decision *decision = context;
    struct decide_report *report = &decision->report;
    VEC_PUSH(report->arena, &report->list.items[report->list.count - 1].rounds, *round);
    begin_round(decision, round->number + 1);
    if (decision->is_quiet) return;
    progress_hold();
    print_round(stdout, round, report->arena);
    progress_release();
}

static void refine(struct decision *decision, struct query *query, uint32_t number,
                   struct refine_result *result) {
    struct session *session = decision->session;
    const struct options *options = decision->options;
    struct refine_options refine = {.abstract = &options->abstract,
                                    .verify = options->verify,
                                    .looks =
                                        options->values[OPTION_NO_LOOK] ? NULL : &decision->looks,
                                    .number = number,
                                    .show = take_round,
                                    .context = decision};
    struct search_options *search = &refine.verify.search;
    if (decision->deadline > 0) {
        double left = decision->deadline - clock_seconds();
        search->max_seconds = left > LEAST_SECONDS ? left : LEAST_SECONDS;
    }
    if (!search->max_size) search->max_size = resources_memory() / 10 * 8;
    if (!search->jobs) search->jobs = resources_processors();
    search->progress = progress_search;
    search->context = decision->where;
    const struct model *alone = /* what other queries name goes, too */
        model_with_queries(&session->arena, session->model, query, 1);
    refine_query(result, network_with_model(&session->arena, session->network, alone), &refine,
                 &session->arena);
}

static enum status decide(struct decision *decision, struct query *query, uint32_t number) {
    struct decide_report *report = &decision->report;
    struct refine_result result = {.reason = query->problem};
    double start = clock_seconds();
    VEC_PUSH(report->arena, &report->list, (struct decided){.query = query});
    progress_hold();
    if (!decision->is_quiet)
        printf("%s%s\n", report->list.count > 1 ? "\n" : "",
               query_formula(report->arena, query->xml->formula->text.content));
    fflush(stdout);
    progress_release();
    begin_round(decision, 1);
    if (query->quantifier == QUERY_FORMULA) {
        result.reason = "operators in each other and knowledge are for `varabs check`";
        diag_error(&decision->session->diag, STATUS_UNSUPPORTED, query->span.begin,
                   "this query cannot be decided by abstractions: %s", result.reason);
    } else if (query->quantifier != QUERY_INVALID) {
        refine(decision, query, number, &result);
    }
    struct decided *decided = &report->list.items[report->list.count - 1];
    decided->result = result;
    decided->seconds = clock_seconds() - start;
    progress_hold();
    if (!decision->is_quiet) print_decided(stdout, report, decided);
    fflush(stdout);
    progress_release();
    if (result.verdict == VERDICT_UNKNOWN)
        return result.limit != LIMIT_NONE ? STATUS_LIMIT : STATUS_INVALID;
    return result.verdict == VERDICT_VIOLATED ? STATUS_VIOLATED : STATUS_DONE;
}

/* Writes and says what is about all queries. */
static void finish(struct decision *decision) {
    const char *json = decision->options->values[OPTION_JSON];
    struct session *session = decision->session;
    if (!decision->report.list.count)
        diag_error(&session->diag, STATUS_USAGE, 0,
                   "there is no query to decide; name one with --query");
    else if (!decision->is_quiet)
        puts("\nThis is so if the original has no runtime errors, at which Uppaal would stop.");
    struct result_page page = {.kind = "decide",
                               .first = page_model_of(session, decision->options->input)};
    if (!result_is_wanted(decision->options) || !decision->report.list.count ||
        result_write(report_decide(&decision->report), json, decision->options, page,
                     &session->arena, &session->diag))
        return;
    for (uint32_t i = 0; decision->is_quiet && i < decision->report.list.count; i++) {
        const struct decided *decided = &decision->report.list.items[i];
        fprintf(stderr, "%s  %s\n", verdict_text(decided->result.verdict),
                query_formula(&session->arena, decided->query->xml->formula->text.content));
    }
}

/* varabs decide: answers queries by abstractions from coarse to fine. */
int command_decide(const struct options *options) {
    struct session session;
    struct observed observed;
    enum status worst = STATUS_DONE;
    if (!open_observed(&session, options, &observed)) return end_session(&session);
    struct decision decision = {.session = &session,
                                .options = options,
                                .report = {.network = session.network,
                                           .input = options->input,
                                           .semantics = options->verify.semantics,
                                           .arena = &session.arena},
                                .is_quiet = standard_output_is_taken(options)};
    if (options->verify.search.max_seconds > 0)
        decision.deadline = clock_seconds() + options->verify.search.max_seconds;
    signals_defer();
    looks_open(&decision.looks, &session.arena, session.network, observed.items, observed.count,
               &options->abstract);
    if (options->look) decision.looks.first = options->look;
    for (uint32_t i = 0; i < observed.count; i++) {
        if (observed.items[i].quantifier == QUERY_EMPTY) continue;
        enum status status = decide(&decision, &observed.items[i], i);
        if (status > worst) worst = status;
    }
    looks_close(&decision.looks);
    progress_end();
    finish(&decision);
    int of_session = end_session(&session);
    return of_session > STATUS_VIOLATED ? of_session : (int)worst;
}
