/* varabs IN.xml --auto without --may or --must: decides queries by abstractions. */
#define _POSIX_C_SOURCE 200809L

#include "base/resources.h"
#include "cli/options.h"
#include "lang/print.h"
#include "lang/query_text.h"
#include "refine/loop.h"
#include "report/check.h"
#include "report/suggest.h"
#include "report/trace.h"

#include <string.h>

struct decision {
    struct session *session;
    const struct options *options;
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

static void show_round(void *context, const struct refine_round *round) {
    const struct decision *decision = context;
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
    printf("  decided by: %svarabs %s", result->is_by_run ? "a run of " : "",
           shell_word(decision->options->input, arena));
    print_arguments(&result->last, arena);
    puts(!result->last.argument_count ? " (the model as it is)"
         : result->is_by_must         ? " --must"
                                      : " --may");
}

static enum status decide(struct decision *decision, const struct query *query) {
    struct session *session = decision->session;
    const struct options *options = decision->options;
    struct refine_options refine = {&options->abstract, options->verify, show_round, decision};
    struct search_options *search = &refine.verify.search;
    struct refine_result result;
    if (!search->max_size) search->max_size = resources_memory() / 10 * 8;
    if (!search->jobs) search->jobs = resources_processors();
    session->model->queries = (struct query *)query; /* alone: what others name goes, too */
    session->model->query_count = 1;
    printf("%s\n", query_formula(&session->arena, query->xml->formula->text.content));
    refine_query(&result, session->network, &refine, &session->arena);
    print_result(decision, query, &result);
    if (result.verdict == VERDICT_UNKNOWN) return STATUS_LIMIT;
    return result.verdict == VERDICT_VIOLATED ? STATUS_VIOLATED : STATUS_DONE;
}

int command_decide(const struct options *options) {
    struct session session;
    const struct query *queries;
    uint32_t count, decided = 0;
    enum status worst = STATUS_DONE;
    struct decision decision = {&session, options};
    if (!session_open_observed(&session, options->input, options->queries, options->query_count,
                               &queries, &count))
        return session_close(&session);
    for (uint32_t i = 0; i < count; i++) {
        if (queries[i].quantifier == QUERY_EMPTY || queries[i].quantifier == QUERY_INVALID)
            continue;
        if (decided++) puts("");
        enum status status = decide(&decision, &queries[i]);
        if (status > worst) worst = status;
    }
    if (decided)
        puts("\nThis is so if the original has no runtime errors, at which Uppaal would stop.");
    else
        diag_error(&session.diag, STATUS_USAGE, 0,
                   "there is no query to decide; name one with --query, or say --may or --must");
    int of_session = session_close(&session);
    return of_session > STATUS_VIOLATED ? of_session : (int)worst;
}
