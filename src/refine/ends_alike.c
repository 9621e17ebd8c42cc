#include "refine/ends_alike.h"

#include "abstract/cells/plan.h"
#include "abstract/claim/alike.h"
#include "abstract/edge/open_edge.h"
#include "explore/verdict/verify.h"
#include "expr/find.h"
#include "session/queries.h"

/* Limits of exploring the output. */
enum { ALIKE_MAX_STATES = 100000, ALIKE_MAX_WORK = 20000000, ALIKE_MAX_SECONDS = 20 };

static bool is_wanted(const struct guarantees *guarantees) {
    bool is = false;
    for (uint32_t i = 0; i < guarantees->list.count; i++)
        for (int k = 0; k < PATH_COUNT; k++) is |= guarantees->list.items[i].carry[k].lacks_ends;
    return is;
}

static void note(struct abstraction *abstraction, const struct verification *verification,
                 const char *may_fail) {
    const struct figures *figures = &verification->figures;
    if (!figures->states.is_known || !verification->search->is_complete) return;
    abstraction->ends = (struct ends_alike){.is_shown = true,
                                            .states = figures->states.value,
                                            .stuck = verification->search->deadlocks,
                                            .may_fail = may_fail};
}

/* Over: whether some edge of the original may fail where none of those that it becomes would: a
 * guard keeps them from it, or they are left out. */
static bool has_condition(const struct abstraction *abstraction) {
    if (cells_plan_is_used(abstraction->context.cells)) return true;
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        for (uint32_t k = 0; k < fold->open_edge_count; k++)
            if (!expr_is_true(fold->open_edges[k]->condition) ||
                fold->open_edges[k]->folded.lacks_failing)
                return true;
    }
    return false;
}

/* Whether the original has no runtime errors as this model has none (L4). */
static bool meets(const struct abstraction *abstraction, const struct claim_condition *condition,
                  const struct verification *verification) {
    return verification->search->is_complete && !verification->has_error &&
           !verification->search->errors && condition->is_looked_at && !abstraction->may_fail &&
           !has_condition(abstraction) &&
           may_fail_visibly(&condition->may_fail, abstraction->request);
}

void ends_alike_show(struct abstraction *abstraction, const struct guarantees *guarantees) {
    const char *may_fail = NULL;
    struct session session;
    struct verification verification;
    struct arena arena;
    bool is_for = !abstraction->is_exact && !abstraction->stutters && !abstraction->has_exchanges &&
                  !abstraction->context.rules->is_universal &&
                  !abstraction->context.rules->is_mixed && !network_is_timed(abstraction->network);
    if (!is_for || !is_wanted(guarantees)) return;
    const char *question = alike_question(abstraction, &may_fail);
    if (!question) return;
    const struct query_source source = {.text = question};
    const struct verify_options options = {.search = {.max_states = ALIKE_MAX_STATES,
                                                      .max_work = ALIKE_MAX_WORK,
                                                      .max_seconds = ALIKE_MAX_SECONDS,
                                                      .is_full = true,
                                                      .jobs = 1}};
    if (session_load_bytes(&session, "(abstraction)", abstraction->output) &&
        session_build_for(&session, &source, 1) && session.network->model->query_count == 1) {
        arena_init(&arena);
        const struct query *query = &session.network->model->queries[0];
        if (verify(&verification, &arena, session.network, query, 1, &options) &&
            verification.answers[0].verdict == VERDICT_SATISFIED) {
            if (meets(abstraction, &guarantees->condition, &verification)) may_fail = NULL;
            note(abstraction, &verification, may_fail);
        }
        verify_close(&verification);
        arena_close(&arena);
    }
    session_drop(&session);
}
