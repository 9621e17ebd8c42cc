/* Both engines in turns: the explicit one begins, and the symbolic one may work at its pauses, for
 * as long as the states that were looked at allow. Work is counted, not time, so that the same
 * engine answers on every machine.
 *
 * Most models are small, and the explicit engine is done before the first pause. Where the symbolic
 * one meets few different vectors, makes few new nodes, or the first states are few nodes, its sets
 * stay small, and it gets most of the time; elsewhere the explicit engine does. */
#include "base/interrupt.h"
#include "explore/space/breadth.h"
#include "explore/symbolic/levels.h"
#include "explore/verdict/verify_internal.h"

#include <assert.h>

enum {
    FIRST_LOOK = 3000,      /* states, if nothing else is asked for */
    FIRST_PAUSE = 11,       /* times as many */
    QUICK_PAUSES = 3,       /* and again */
    LOOK_PART = 8,          /* of the states that a first look takes, the first part */
    FEW_STATES = 1 << 15,   /* up to here, as in looks, a little more costs nothing */
    GROWN_STATES = 1000000, /* where so many are ahead, as they double from level to level */
    CHAIN_WORK = 1 << 16,   /* of sets that are ahead, twice as much where they share nodes */
    MOST_GROWTH = 8,        /* of a level that is counted on */
    EVEN_STATES = 1 << 22,  /* from here on both get about as much, */
    MANY_STATES = 1 << 24,  /* and from here on whatever is ahead */
    TESTED = 200,           /* for tests: sets get so much to do for a state */
    FORMULA_WORK = 2,       /* of a formula for each state, where to find the state is 1 */
    ALONE_WORK = 64,        /* of sets alone for each state that there was room for, */
    LEAST_ALONE = 1 << 22,  /* and so much in any case */
    RACE_PART = 8,          /* of the memory is for sets as long as both run, */
    DENSE_PART = 2          /* or this one, where they get most of the time */
};

struct race {
    const struct network *network;
    const struct plan *plan;
    struct verify_options options; /* of the symbolic engine */
    size_t max_size;
    struct verification *verification; /* of the explicit engine, */
    struct verification other;         /* and of the symbolic one */
    struct sets *sets;                 /* NULL = closed */
    struct diag diag;                  /* of its preparation, not shown */
    bool has_sets, is_halfway, is_given_up, is_won, is_judged, is_regular, is_dense, is_quick,
        is_growing, is_ahead;
    uint64_t asked;  /* states until the first pause, which may come later, */
    uint64_t first;  /* and then so many were there */
    uint64_t last;   /* at the pause before */
    uint64_t weight; /* work for each state: 1 to find it, and what formulas take */
    bool is_alone;   /* sets, after the states of the explicit engine are gone */
};

/* Where sets are dense, but steps are quick, as none has to look for its partners: as long as the
 * explicit engine may be done before sets are. */
static bool waits(const struct race *race, uint64_t states) {
    return race->is_dense && !race->is_regular && race->is_quick &&
           states < race->asked * QUICK_PAUSES;
}

/* States after the next level, if they grow as they did, where they double at least; else 0. */
static uint64_t states_ahead(const struct race *race, uint64_t states) {
    if (!race->last || states < race->last * 2) return 0;
    uint64_t growth = states / race->last;
    return states * (growth < MOST_GROWTH ? growth : MOST_GROWTH);
}

/* Where sets seem to be slow they may still be the faster engine, and the more states there are, the
 * more that matters: what they get for a state grows until both get as much. */
static uint64_t share_of_slow(const struct race *race, uint64_t states) {
    uint64_t even = states * 3 / 5, least = states / 5;
    if (states >= EVEN_STATES) return even;
    if (states < FEW_STATES) least = states * 3 / 10;
    if (race->is_growing) least = states / 10;
    uint64_t share = least + even * states / EVEN_STATES;
    return share < even ? share : even;
}

static uint64_t share_of(const struct race *race, uint64_t states) {
    if (race->options.shuffle) return states * TESTED;
    uint64_t begun = states < race->asked ? states : race->asked;
    if (!race->is_judged) return race->is_halfway ? begun * 3 / 2 : begun * 3 / 4;
    if (waits(race, states)) return race->asked * 3 / 2; /* as they had */
    if (race->is_dense) return states * 16 + race->first * 16;
    if (race->is_regular) return states * 7;
    if (states >= MANY_STATES) return share_of_slow(race, states);
    if (race->is_ahead && states < CHAIN_WORK * 10)
        return race->is_growing ? CHAIN_WORK : CHAIN_WORK * 2;
    uint64_t ahead = race->is_growing ? 0 : states_ahead(race, states);
    return ahead >= GROWN_STATES ? ahead * 5 / 4 : share_of_slow(race, states);
}

/* Results of operations that sets may take up to this state: either of two orders of the fields
 * gets so many, the others a fourth. A state costs about as much as three of them. Never none,
 * which would be no limit. */
static uint64_t work_for(const struct race *race, uint64_t states) {
    uint64_t share = share_of(race, states);
    if (race->is_judged) share *= race->weight;
    return share ? share : 1;
}

static uint64_t weight_of(const struct verification *verification) {
    uint64_t weight = 1;
    for (uint32_t i = 0; i < verification->answer_count; i++)
        if (verification->answers[i].query->quantifier == QUERY_FORMULA) weight += FORMULA_WORK;
    return weight;
}

static void give_up(struct race *race) {
    if (race->sets) sets_close(race->sets);
    if (race->other.search) search_close(race->other.search);
    race->sets = NULL;
    race->other.search = NULL;
    race->is_given_up = true;
}

/* The symbolic engine prepares the model on its own, as the explicit one could. From then on it has
 * so much memory, and its time is that of the whole run. */
static bool open_sets(struct race *race, size_t max_size) {
    const struct verification *verification = race->verification;
    struct arena *arena = verification->arena;
    assert(!race->sets && !race->other.search);
    uint32_t count = verification->answer_count;
    struct plan *plan = ARENA_NEW(arena, struct plan);
    double max_seconds = race->options.search.max_seconds;
    *plan = *race->plan;
    plan->watches = ARENA_ARRAY(arena, struct watch, plan->watch_count + 1);
    memcpy(plan->watches, race->plan->watches, plan->watch_count * sizeof *plan->watches);
    race->other =
        (struct verification){.arena = arena, .answer_count = count, .engine = ENGINE_SYMBOLIC};
    race->other.search = ARENA_NEW(arena, struct search);
    race->other.answers = ARENA_ARRAY(arena, struct answer, count + 1);
    for (uint32_t i = 0; i < count; i++)
        race->other.answers[i].query = verification->answers[i].query;
    race->options.search.max_seconds = 0;
    race->options.search.symmetry = NULL;
    race->options.search.find_symmetry = NULL;
    diag_init(&race->diag, arena, &race->network->model->document->source);
    race->options.search.diag = &race->diag;
    race->sets = sets_open(&race->other, race->network, &race->options, plan, verification->search);
    race->options.search.max_seconds = max_seconds;
    race->other.search->options.max_seconds = max_seconds;
    race->other.search->options.max_size = max_size;
    race->other.search->start = verification->search->start;
    if (!race->sets) give_up(race);
    return race->sets != NULL;
}

/* After the first look at sets. */
static void judge(struct race *race, const struct search *search, uint64_t states) {
    assert(!race->is_judged);
    race->is_regular = sets_are_regular(race->sets);
    race->is_dense = sets_are_dense(race->sets, search);
    race->is_quick = !search->program->loose.count;
    race->is_growing = sets_are_growing(race->sets);
    race->is_ahead = sets_are_ahead(race->sets, search);
    race->first = states;
    race->is_judged = true;
}

/* Whether the explicit engine goes on. The first look ends halfway where sets share little by
 * then. */
static bool run_turn(struct race *race, const struct search *search, uint64_t states) {
    assert(race->sets && !race->is_won && !race->is_given_up);
    for (;;) {
        enum sets_end end = sets_run(race->sets, work_for(race, states));
        race->is_won = end == SETS_DONE;
        if (race->is_won) return false;
        bool is_first = !race->is_judged, was_halfway = race->is_halfway;
        race->is_halfway = true;
        if (end == SETS_MORE && !was_halfway && !sets_are_growing(race->sets)) continue;
        if (is_first) judge(race, search, states);
        race->is_regular &= sets_are_regular(race->sets);
        bool has_more =
            race->is_regular || (race->is_dense && !waits(race, states)) || race->is_ahead;
        if (end == SETS_MORE && is_first && has_more) continue;
        if (end != SETS_MORE) give_up(race);
        return true;
    }
}

/* Memory of sets is not there for states. */
static size_t part_of(const struct race *race) {
    bool is_for_sets = race->is_dense || race->is_regular;
    return race->max_size / (is_for_sets ? DENSE_PART : RACE_PART);
}

static bool take_turn(struct race *race, struct search *search, uint64_t states) {
    assert(!race->is_won);
    if (search->is_kept) give_up(race);
    if (race->is_given_up || (!race->sets && !open_sets(race, part_of(race)))) return true;
    bool goes_on = run_turn(race, search, states);
    race->last = states;
    if (!race->max_size) return goes_on;
    size_t part = race->sets ? part_of(race) : 0;
    if (part) sets_allow(race->sets, part);
    search->store.size_limit = search->options.max_size = race->max_size - part;
    return goes_on;
}

/* Whether it goes on after so many states, the rows up to the cursor. */
static bool pass_stop(struct race *race, struct search *search) {
    const struct verify_options *options = &race->options;
    uint32_t row = atomic_load(&search->cursor);
    if (!search->options.stop || row < search->options.stop + search->store.gap_states) return true;
    verify_found(race->verification, race->plan);
    search->options.stop = options->stop(options->stop_context, race->verification);
    return search->options.stop != 0;
}

/* Orbits instead of states, where sets do not get most of the time. */
static bool is_for_orbits(const struct race *race, const struct search *search) {
    bool is_known = race->is_given_up || race->is_judged;
    bool is_for_sets = !race->is_given_up && (race->is_dense || race->is_regular);
    return search->waiting && is_known && !is_for_sets;
}

static bool take_pause(void *context, struct search *search, uint64_t states) {
    struct race *race = context;
    if (race->has_sets && !take_turn(race, search, search_effort(search, states))) return false;
    search->is_symmetry_due = is_for_orbits(race, search);
    return !search->is_symmetry_due && pass_stop(race, search);
}

/* Whether everything that was asked for is known. */
static bool is_answered(const struct verification *verification, bool is_full) {
    bool is_known = !is_full && verification->answer_count;
    for (uint32_t i = 0; i < verification->answer_count; i++)
        is_known &= verification->answers[i].verdict != VERDICT_UNKNOWN ||
                    verification->answers[i].problem != NULL;
    return is_known;
}

/* Where states take too much memory, sets may do with all of it. The less that is, the sooner they
 * end, too: long chains of steps fit, but take very long. */
static void run_alone(struct race *race) {
    assert(race->verification->search->limit == LIMIT_MEMORY);
    uint64_t work = store_count(&race->verification->search->store) * ALONE_WORK;
    if (work < LEAST_ALONE) work = LEAST_ALONE;
    give_up(race);
    store_close(&race->verification->search->store);
    if (interrupt_is_for_memory()) interrupt_withdraw_memory(); /* for what is freed now */
    race->is_alone = true;
    if (open_sets(race, race->max_size))
        race->is_won = sets_run(race->sets, work * race->weight) == SETS_DONE;
}

/* By states and by sets in turns; the first one to be done answers. */
bool verify_in_turns(struct verification *verification, const struct network *network,
                     const struct verify_options *options, const struct plan *plan) {
    struct verify_options own = *options;
    struct race race = {.network = network,
                        .plan = plan,
                        .options = *options,
                        .max_size = options->search.max_size,
                        .verification = verification,
                        .weight = weight_of(verification)};
    struct search *search = verification->search;
    race.options.search.max_states = 0;
    uint64_t first = options->search.first_look ? options->search.first_look : FIRST_LOOK;
    verification->engine = ENGINE_EXPLICIT;
    /* sets do not tell equal states apart */
    race.is_given_up = network->persistent.count || plan->is_by_states;
    race.has_sets =
        !race.is_given_up && (!options->search.max_states || options->max_states_is_effort);
    own.search.pause = race.has_sets || options->stop ? take_pause : NULL;
    own.search.pause_context = &race;
    own.search.symmetry_waits = race.has_sets;
    if (options->only_counts && race.has_sets && !options->stop && !options->shuffle)
        own.search.keeps_from = LEVELS_MAX + 1; /* sets refuse states that are so large */
    own.search.first_pause = first * FIRST_PAUSE;
    own.search.bounds_effort = options->max_states_is_effort;
    if (options->max_states_is_effort)
        own.search.first_pause = options->search.max_states / LOOK_PART + 1;
    if (options->stop && options->first_stop < own.search.first_pause)
        own.search.first_pause = options->first_stop;
    own.search.stop = options->stop ? options->first_stop : 0;
    race.asked = own.search.first_pause;
    bool is_prepared = verify_explicitly(verification, network, &own, plan);
    if (is_prepared && options->max_states_is_effort && !race.is_won &&
        search->limit == LIMIT_STATES)
        take_turn(&race, search, options->search.max_states); /* the last */
    if (is_prepared && race.has_sets && !race.is_won && search->limit == LIMIT_MEMORY &&
        !options->stop && !is_answered(verification, options->search.is_full))
        run_alone(&race);
    if (!race.is_won) {
        give_up(&race);
        return is_prepared;
    }
    size_t *peak = &race.other.search->peak_size;
    if (!race.is_alone)
        *peak += search->peak_size;
    else if (search->peak_size > *peak)
        *peak = search->peak_size;
    search_close(search);
    sets_close(race.sets);
    *verification = race.other;
    return true;
}
