/* See attempt.h. */
#include "refine/attempt.h"

#include "abstract/fold/choice.h"
#include "session/queries.h"
#include "suggest/candidate.h"

#include <assert.h>

/* Reads the output back, with the query alone, for which values are exchanged. */
static bool open_output(struct attempt *attempt, const struct query *query,
                        const struct abstract_options *options) {
    struct str formula = query->xml->formula->text.content;
    struct str output = attempt->work.abstraction.output;
    struct arena *arena = &attempt->work.arena;
    struct query_source source = {arena_copy(arena, formula.data, formula.size), false, NULL};
    const struct abstract_options short_look = suggest_short_look(options);
    normal_make(&attempt->normal, arena, output, &source, 1, &short_look.analysis);
    if (attempt->normal.places.count) output = attempt->normal.output;
    attempt->has_session = true;
    return session_load_bytes(&attempt->session, "(abstraction)", output) &&
           session_build_for(&attempt->session, &source, 1);
}

/* What holds for the original; deadlocks of the abstraction have been counted if it was explored
 * completely. */
static void judge(struct attempt *attempt, enum semantics semantics) {
    assert(attempt->is_made && attempt->answer);
    const struct verification *found = &attempt->verification;
    bool is_complete =
        found->engine == ENGINE_SYMBOLIC ? found->deadlocks.is_known : found->search->is_complete;
    struct guarantees guarantees = {0};
    if (is_complete)
        guarantees.output = (struct explored){true, found->deadlocks.value, found->errors.value};
    guarantees_make(&guarantees, &attempt->work.abstraction);
    assert(guarantees.list.count == 1);
    enum path_semantics path = semantics == SEMANTICS_KRIPKE ? PATH_KRIPKE : PATH_UPPAAL;
    const struct carry *carry = &guarantees.list.items[0].carry[path];
    attempt->reason = carry->reason;
    attempt->carries = (attempt->verdict == VERDICT_SATISFIED && carry->satisfied) ||
                       (attempt->verdict == VERDICT_VIOLATED && carry->violated);
}

static void check_output(struct attempt *attempt, const struct verify_options *options) {
    struct session *session = &attempt->session;
    struct verification *verification = &attempt->verification;
    attempt->has_verification = true;
    if (!verify(verification, &session->arena, session->network, session->model->queries,
                session->model->query_count, options)) {
        attempt->reason = trial_problem(&session->diag);
        return;
    }
    attempt->answer = &verification->answers[0];
    attempt->verdict = attempt->answer->verdict;
    attempt->states = verification->states.value;
    if (attempt->states > INT64_MAX) attempt->states = INT64_MAX;
    attempt->limit = verification->search->limit;
    judge(attempt, options->semantics);
    if (attempt->answer->problem) attempt->reason = attempt->answer->problem;
}

void attempt_make(struct attempt *attempt, const struct network *network,
                  const char *const *arguments, uint32_t count,
                  const struct abstract_options *options, const struct verify_options *verify) {
    assert(network->model->query_count == 1);
    *attempt = (struct attempt){.verdict = VERDICT_UNKNOWN};
    attempt->is_made = trial_begin(&attempt->work, network, arguments, count, options);
    if (!attempt->is_made) {
        attempt->reason = attempt->work.problem;
        return;
    }
    const struct abstraction *abstraction = &attempt->work.abstraction;
    attempt->is_exact = abstraction->is_exact;
    assert(attempt->is_exact || abstraction->inexact.count);
    if (!attempt->is_exact) attempt->culprit = abstraction->inexact.items[0];
    attempt->reason = choice_problem(abstraction);
    attempt->is_wide = !attempt->is_exact && attempt->reason;
    if (attempt->is_wide) return;
    if (open_output(attempt, &network->model->queries[0], options))
        check_output(attempt, verify);
    else
        attempt->reason = trial_problem(&attempt->session.diag);
}

/* In any case; what the attempt says is gone. */
void attempt_close(struct attempt *attempt) {
    if (attempt->has_verification) verify_close(&attempt->verification);
    if (attempt->has_session) session_drop(&attempt->session);
    trial_end(&attempt->work);
}
