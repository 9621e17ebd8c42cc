#include "refine/untimed.h"

#include "expr/find.h"
#include "lang/syntax/query_text.h"

#include <assert.h>

/* Whether some verdict of the model without clocks says something. */
static bool is_taken(const struct guarantee *guarantee) {
    bool carries = false;
    for (int i = 0; i < PATH_COUNT; i++)
        carries |= guarantee->carry[i].satisfied || guarantee->carry[i].violated;
    return carries;
}

static bool make_model(struct untimed *untimed, const struct abstract_options *options,
                       const struct query_source *given, uint32_t given_count) {
    struct session *timed = &untimed->session;
    struct job *job = &untimed->job;
    *job = (struct job){.options = *options, .has_mode = true, .may_be_empty = true};
    job->options.mode = MODE_MAY;
    job->options.untimes = true;
    job->options.analysis.errors = &untimed->original.errors;
    if (!session_build_for(timed, given, given_count)) return false;
    job->options.asked =
        queries_as_text(&timed->arena, timed->model->queries, timed->model->query_count);
    original_open(&untimed->original, timed, 0);
    const struct diag before = timed->diag;
    if (!job_read(job, timed) || !job_make(job, timed)) return false;
    if (network_is_timed(timed->network)) timed->diag = before; /* nothing is written */
    guarantees_make(&job->guarantees, &job->abstraction);
    return true;
}

bool untimed_make(struct untimed *untimed, const struct abstract_options *options,
                  const struct query_source *given, uint32_t given_count, struct session *session,
                  struct observed *observed) {
    struct arena *arena = &untimed->session.arena;
    VEC(struct query_source) sources = {0};
    if (!make_model(untimed, options, given, given_count)) return false;
    const struct guarantees *guarantees = &untimed->job.guarantees;
    for (uint32_t i = 0; i < guarantees->list.count; i++) {
        const struct guarantee *guarantee = &guarantees->list.items[i];
        struct untimed_query query = {guarantee, NO_SLOT};
        if (is_taken(guarantee)) {
            struct str formula = guarantee->query->xml->formula->text.content;
            query.number = sources.count;
            VEC_PUSH(arena, &sources,
                     (struct query_source){.text = query_formula(arena, formula),
                                           .name = arena_printf(arena, "query %u", i + 1)});
        }
        VEC_PUSH(arena, &untimed->queries, query);
    }
    const char *name =
        arena_printf(arena, "%s without clocks", untimed->session.document.source.name);
    if (!session_load_bytes(session, name, untimed->job.abstraction.output)) return false;
    session->query_count = 0; /* those of the file: they are among the sources */
    *observed = (struct observed){0};
    bool ok = sources.count
                  ? session_build_observed(session, sources.items, sources.count, observed)
                  : session_build_with(session, NULL, 0);
    assert(!ok || observed->count == sources.count);
    if (ok) diag_forget(&session->diag, diag_mark(&session->diag)); /* of a file that nobody has */
    return ok;
}

uint32_t untimed_place(const struct untimed *untimed, uint32_t number) {
    uint32_t place = 0;
    assert(number != NO_SLOT);
    while (place < untimed->queries.count && untimed->queries.items[place].number != number)
        place++;
    assert(place < untimed->queries.count);
    return place;
}

void untimed_carry(const struct untimed *untimed, uint32_t number, enum path_semantics semantics,
                   struct refine_result *result) {
    const struct guarantee *guarantee =
        untimed->queries.items[untimed_place(untimed, number)].guarantee;
    const struct carry *carry = &guarantee->carry[semantics];
    bool is_satisfied = result->verdict == VERDICT_SATISFIED;
    if (result->verdict == VERDICT_UNKNOWN) return;
    if (is_satisfied ? carry->satisfied : carry->violated) {
        result->reason = "it needs no time";
        return;
    }
    result->verdict = VERDICT_UNKNOWN;
    result->way = BY_NOTHING;
    result->reason = is_satisfied ? "time is needed: without clocks it is satisfied"
                                  : "time is needed: without clocks it is violated";
}

struct refine_result untimed_unknown(const struct untimed_query *query) {
    assert(query->number == NO_SLOT);
    const struct query *of = query->guarantee->query;
    bool names_clock = expr_names_clock(of->predicate);
    for (uint32_t i = 0; i < of->expr_count; i++) names_clock |= expr_names_clock(of->exprs[i]);
    return (struct refine_result){.reason = of->problem   ? of->problem
                                            : names_clock ? "it names a clock, so time is needed"
                                                          : "time is needed"};
}

void untimed_close(struct untimed *untimed) {
    job_close(&untimed->job);
    original_close(&untimed->original);
}
