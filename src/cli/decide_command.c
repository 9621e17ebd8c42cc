/* varabs decide IN.xml: decides queries by abstractions. */
#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"
#include "base/resources.h"
#include "cli/options.h"
#include "cli/signals.h"
#include "lang/print/print.h"
#include "lang/syntax/query_text.h"
#include "report/check.h"
#include "report/decide.h"
#include "report/suggest.h"
#include "report/trace.h"

#include <string.h>

struct decision {
    struct session *session;
    const struct options *options;
    struct decide_report report; /* with --json */
    bool is_quiet;               /* standard output is for JSON */
};

/* ---- rounds ---- */

static void print_side(const char *mode, const struct refine_side *side) {
    if (!side->is_tried) return;
    if (!side->is_made) {
        printf(", %s refused (%s)", mode, side->reason);
        return;
    }
    printf(", %s%s %s in %llu states", side->is_exact ? "exact " : "", mode,
           verdict_text(side->verdict), (unsigned long long)side->states);
    if (side->limit != LIMIT_NONE) printf(" (%s)", limit_text(side->limit));
}

static void print_arguments(const struct refine_round *round, struct arena *arena) {
    for (uint32_t i = 0; i < round->argument_count; i++)
        printf(" --remove %s", shell_word(round->arguments[i], arena));
}

static void print_round(const struct decision *decision, const struct refine_round *round) {
    printf("  round %u: %u removed", round->number, round->argument_count);
    print_side("may", &round->may);
    print_side("must", &round->must);
    puts("");
    if (round->finding == FINDING_REAL) puts("    the original has the run, too");
    if (round->finding == FINDING_SPURIOUS && round->step)
        printf("    the original does not have the run: it breaks at step %u\n", round->step);
    else if (round->finding == FINDING_SPURIOUS)
        puts("    the original does not have the run");
    if (round->back)
        printf("    put back: %s%s%s\n", round->back, round->remains ? ", but for " : "",
               round->remains ? shell_word(round->remains, &decision->session->arena) : "");
    fflush(stdout);
}

static void take_round(void *context, const struct refine_round *round) {
    struct decision *decision = context;
    struct decide_report *report = &decision->report;
    VEC_PUSH(report->arena, &report->list.items[report->list.count - 1].rounds, *round);
    if (!decision->is_quiet) print_round(decision, round);
}

/* ---- results ---- */

static void print_bounds(const struct query *query, const struct refine_result *result,
                         struct arena *arena) {
    for (uint32_t i = 0; result->bounds && i < query->expr_count; i++) {
        const struct bounds_of *bounds = &result->bounds[i];
        struct buffer text = {0};
        print_expr(&text, query->exprs[i]);
        printf("  %s:", buffer_take(&text, arena));
        buffer_close(&text);
        if (!bounds->is_found) printf(" no values");
        if (bounds->is_found && query_wants_lower(query)) printf(" at least %d", bounds->lower);
        if (bounds->is_found && query_wants_upper(query)) printf(" at most %d", bounds->upper);
        puts("");
    }
}

static void print_result(const struct decision *decision, const struct query *query,
                         const struct refine_result *result) {
    struct arena *arena = &decision->session->arena;
    printf("  %s", verdict_text(result->verdict));
    if (result->limit != LIMIT_NONE && result->verdict == VERDICT_UNKNOWN)
        printf(": ended by %s", limit_text(result->limit));
    else if (result->reason)
        printf(": %s", result->reason);
    puts("");
    if (result->verdict == VERDICT_UNKNOWN) return;
    print_bounds(query, result, arena);
    printf("  decided by: %svarabs %s", result->way == BY_RUN ? "a run of " : "",
           shell_word(decision->options->input, arena));
    print_arguments(&result->last, arena);
    puts(!result->last.argument_count ? " (the model as it is)"
         : result->way == BY_MUST     ? " --must"
         : result->way == BY_BOTH     ? " --may, and --must"
                                      : " --may");
}

static void refine(struct decision *decision, const struct query *query,
                   struct refine_result *result) {
    struct session *session = decision->session;
    const struct options *options = decision->options;
    struct refine_options refine = {&options->abstract, options->verify, take_round, decision};
    struct search_options *search = &refine.verify.search;
    if (!search->max_size) search->max_size = resources_memory() / 10 * 8;
    if (!search->jobs) search->jobs = resources_processors();
    session->model->queries = (struct query *)query; /* alone: what others name goes, too */
    session->model->query_count = 1;
    refine_query(result, session->network, &refine, &session->arena);
}

static enum status decide(struct decision *decision, const struct query *query) {
    struct decide_report *report = &decision->report;
    struct refine_result result = {.reason = query->problem};
    double start = clock_seconds();
    VEC_PUSH(report->arena, &report->list, (struct decided){.query = query});
    if (!decision->is_quiet)
        printf("%s%s\n", report->list.count > 1 ? "\n" : "",
               query_formula(report->arena, query->xml->formula->text.content));
    if (query->quantifier != QUERY_INVALID) refine(decision, query, &result);
    struct decided *decided = &report->list.items[report->list.count - 1];
    decided->result = result;
    decided->seconds = clock_seconds() - start;
    if (!decision->is_quiet) print_result(decision, query, &result);
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
    if (!json || !decision->report.list.count ||
        session_write_json(session, report_decide(&decision->report), json))
        return;
    for (uint32_t i = 0; decision->is_quiet && i < decision->report.list.count; i++) {
        const struct decided *decided = &decision->report.list.items[i];
        fprintf(stderr, "%s  %s\n", verdict_text(decided->result.verdict),
                query_formula(&session->arena, decided->query->xml->formula->text.content));
    }
}

int command_decide(const struct options *options) {
    struct session session;
    const struct query *queries;
    uint32_t count;
    enum status worst = STATUS_DONE;
    const char *json = options->values[OPTION_JSON];
    if (!session_open_observed(&session, options->input, options->queries, options->query_count,
                               &queries, &count))
        return session_close(&session);
    if (!output_is_usable(&session.diag, options, options->values[OPTION_JSON], "result"))
        return session_close(&session);
    struct decision decision = {.session = &session,
                                .options = options,
                                .report = {.network = session.network,
                                           .semantics = options->verify.semantics,
                                           .arena = &session.arena},
                                .is_quiet = json && !strcmp(json, "-")};
    signals_defer();
    for (uint32_t i = 0; i < count; i++) {
        if (queries[i].quantifier == QUERY_EMPTY) continue;
        enum status status = decide(&decision, &queries[i]);
        if (status > worst) worst = status;
    }
    finish(&decision);
    int of_session = session_close(&session);
    return of_session > STATUS_VIOLATED ? of_session : (int)worst;
}
