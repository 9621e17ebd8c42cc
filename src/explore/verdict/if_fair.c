#include "explore/verdict/if_fair.h"

#include "base/clock.h"
#include "lang/syntax/kinds.h"

#include <assert.h>

enum { MOST_STATES = 1 << 15, MOST_STEPS = 1 << 20 };

static const char *const every_process[] = {"*"};

/* Queries whose verdict stands because there is a run, and where the answers are. */
struct asked {
    struct query *queries;
    struct answer **answers;
    uint32_t count;
};

static bool has_run(const struct answer *answer) {
    const struct query_traits *traits = query_traits(answer->query->quantifier);
    return traits->family == FAMILY_LIVENESS &&
           answer->verdict == (traits->is_universal ? VERDICT_VIOLATED : VERDICT_SATISFIED);
}

/* Sets the limits to what is left of them; false if nothing is. */
static bool limit_options(struct search_options *search, const struct verification *verification,
                          struct diag *diag) {
    assert(verification->search);
    size_t used = verification->search->peak_size;
    double elapsed = clock_seconds() - verification->search->start;
    if (verification->search->limit != LIMIT_NONE) return false;
    if (!search->max_states || search->max_states > MOST_STATES) search->max_states = MOST_STATES;
    if (search->max_size && search->max_size <= used) return false;
    if (search->max_size) search->max_size -= used;
    if (search->max_seconds > 0 && search->max_seconds <= elapsed) return false;
    if (search->max_seconds > 0) search->max_seconds -= elapsed;
    search->jobs = 1;
    search->is_full = false;
    search->progress = NULL;
    search->pause = NULL;
    search->diag = diag;
    return true;
}

/* Leaves the queries that get the opposite verdict. */
static void leave_turned(struct asked *asked, struct arena *arena, const struct network *network,
                         const struct verify_options *options, enum turns_if_fair kind) {
    assert(fair_is_asked(&options->fair) && kind != TURNS_TOO_LARGE);
    struct verification verification;
    uint32_t kept = 0;
    if (!asked->count) return;
    bool is_done = verify(&verification, arena, network, asked->queries, asked->count, options);
    for (uint32_t i = 0; is_done && i < asked->count; i++) {
        enum verdict verdict = verification.answers[i].verdict;
        if (verdict == VERDICT_UNKNOWN && !verification.answers[i].problem)
            asked->answers[i]->turns_if_fair = TURNS_TOO_LARGE;
        if (verdict == VERDICT_UNKNOWN || verdict == asked->answers[i]->verdict) continue;
        asked->answers[i]->turns_if_fair = kind;
        asked->queries[kept] = asked->queries[i];
        asked->answers[kept++] = asked->answers[i];
    }
    verify_close(&verification);
    asked->count = kept;
}

void if_fair_find(struct verification *verification, const struct network *network,
                  const struct verify_options *options) {
    struct arena *arena = verification->arena;
    uint32_t count = verification->answer_count;
    struct asked asked = {.queries = ARENA_ARRAY(arena, struct query, count + 1),
                          .answers = ARENA_ARRAY(arena, struct answer *, count + 1)};
    struct verify_options strong = {.search = options->search,
                                    .semantics = options->semantics,
                                    .engine = ENGINE_EXPLICIT,
                                    .max_fair_steps = MOST_STEPS};
    struct diag diag;
    diag_init(&diag, arena, &network->model->document->source);
    if (fair_is_asked(&options->fair)) return;
    for (uint32_t i = 0; i < count; i++) {
        if (!has_run(&verification->answers[i])) continue;
        asked.queries[asked.count] = *verification->answers[i].query;
        asked.answers[asked.count++] = &verification->answers[i];
    }
    bool are_too_many = network->process_count > FAIR_MAX;
    if (are_too_many || !limit_options(&strong.search, verification, &diag)) {
        for (uint32_t i = 0; i < asked.count; i++)
            asked.answers[i]->turns_if_fair = are_too_many ? TURNS_TOO_MANY : TURNS_TOO_LARGE;
        return;
    }
    struct verify_options weak = strong;
    strong.fair = (struct fair_names){.strong = every_process, .strong_count = 1};
    weak.fair = (struct fair_names){.weak = every_process, .weak_count = 1};
    leave_turned(&asked, arena, network, &strong, TURNS_STRONGLY);
    leave_turned(&asked, arena, network, &weak, TURNS_WEAKLY);
}
