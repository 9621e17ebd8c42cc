/* Why one model cannot follow the other: the duel of states or of sets as a trace of each model. */
#include "explore/compare/certify_internal.h"

#include <assert.h>
#include <string.h>

enum { REFUTE_SECONDS = 1 /* and a tenth of those of the comparison */ };

/* Whether a row has no steps. Past a limit the expander is cut. */
static bool is_stuck(struct expander *expander, const struct search *search, uint32_t row,
                     uint64_t *state) {
    store_load(&search->store, row, state);
    expander_clear(expander);
    bool is_fine = expander_run(expander, state);
    assert(is_fine || expander_is_cut(expander));
    return is_fine && !expander_degree(expander);
}

/* What follows the last state of a side's trace, which has a successor unless it is stuck; true if
 * one more step belongs to the trace. */
static bool end_side(struct refutation *refutation, const struct duel *duel, enum side side,
                     const struct expander *expander) {
    bool is_stuck = !expander_degree(expander);
    if (side == duel->mover && !duel->is_initial && !duel->is_timed) {
        refutation->is_stutter = is_stuck;
        return !is_stuck;
    }
    refutation->choices = expander_degree(expander);
    refutation->has_fault = expander->error_count > 0;
    refutation->fault = expander->first_error;
    return false;
}

/* The same by the steps of the duel. */
static struct trace *trace_side_by(struct certifier *certifier, const struct duel *duel,
                                   enum side side, struct expander *expander) {
    struct refutation *refutation = certifier->refutation;
    struct arena *arena = certifier->arena;
    uint32_t *steps = ARENA_ARRAY(arena, uint32_t, duel->count + 1), count = 0;
    refutation->at[side] = ARENA_ARRAY(arena, uint32_t, duel->count);
    for (uint32_t i = 1; i < duel->count; i++) {
        if (duel->nodes[side][i] != NO_STEP) steps[count++] = duel->nodes[side][i];
        refutation->at[side][i] = count;
    }
    expander_clear(expander);
    expander->is_plain = true;
    bool is_fine = expander_run(expander, duel->last[side]);
    expander->is_plain = false;
    if (!is_fine) return NULL;
    if (end_side(refutation, duel, side, expander)) steps[count++] = duel->target;
    return trace_new_by(arena, certifier->refuted[side], expander, steps, count);
}

/* Whether a side stays where it is on the way to a position of the duel. Past a limit the expander
 * is cut. */
static bool is_still(struct certifier *certifier, const struct duel *duel, enum side side,
                     uint32_t at, struct expander *expander, uint64_t *state) {
    const uint32_t *rows = duel->nodes[side];
    if (side == SIDE_ABSTRACT && duel->steps[at - 1].is_silent) return true;
    return rows[at] == rows[at - 1] &&
           is_stuck(expander, &certifier->result->searches[side], rows[at], state);
}

/* The place of the step from a row to another one, where some processes are gone: of a silent one
 * if the duel has it so, else of one that is seen, if there is such a one. False past a limit. */
static bool choose_step(struct certifier *certifier, const uint32_t *rows, bool is_silent,
                        struct expander *expander, uint32_t *step) {
    const struct search *search = &certifier->result->searches[SIDE_CONCRETE];
    const uint32_t *classes = certifier->graphs[SIDE_CONCRETE].classes;
    uint64_t *state = layout_state(search->layout, certifier->arena);
    uint64_t *target = layout_state(search->layout, certifier->arena);
    uint32_t found = STORE_FULL;
    store_load(&search->store, rows[0], state);
    store_load(&search->store, rows[1], target);
    expander_clear(expander);
    expander->is_recording = true;
    bool is_fine = expander_run(expander, state);
    expander->is_recording = false;
    for (uint32_t i = 0; is_fine && i < expander_degree(expander); i++) {
        if (memcmp(expander_state(expander, expander->first + i), target,
                   expander->word_count * sizeof *target) != 0)
            continue;
        bool is_quiet =
            classes[rows[0]] == classes[rows[1]] &&
            step_is_of_gone(expander, &expander->records.items[i], certifier->visible->is_gone);
        if (found == STORE_FULL || is_quiet == is_silent) found = i;
        if (is_quiet == is_silent) break;
    }
    *step = found;
    assert(!is_fine || found != STORE_FULL);
    return is_fine;
}

/* The run of the concrete side where some processes are gone; is_silent: by step. */
static struct trace *trace_chosen(struct certifier *certifier, const struct row_path *path,
                                  const bool *is_silent, struct expander *expander) {
    uint32_t *steps = ARENA_ARRAY(certifier->arena, uint32_t, path->count + 1);
    for (uint32_t i = 0; i + 1 < path->count; i++)
        if (!choose_step(certifier, path->rows + i, is_silent[i], expander, &steps[i])) return NULL;
    return trace_new_by(certifier->arena, certifier->refuted[SIDE_CONCRETE], expander, steps,
                        path->count - 1);
}

/* The trace of a side along the duel, without its stutters; NULL past a limit. */
static struct trace *trace_side(struct certifier *certifier, const struct duel *duel,
                                enum side side, struct expander *expander) {
    struct refutation *refutation = certifier->refutation;
    const struct search *search = certifier->refuted[side];
    struct arena *arena = certifier->arena;
    assert(duel->count); /* the pair of the initial states */
    uint64_t *state = layout_state(search->layout, arena);
    struct row_path path = {ARENA_ARRAY(arena, uint32_t, duel->count + 1), 0};
    bool *is_silent = ARENA_ARRAY(arena, bool, duel->count + 1); /* by step of the path */
    if (duel->last[side]) return trace_side_by(certifier, duel, side, expander);
    refutation->at[side] = ARENA_ARRAY(arena, uint32_t, duel->count);
    for (uint32_t i = 0; i < duel->count; i++) {
        bool stays = i && is_still(certifier, duel, side, i, expander, state);
        if (expander_is_cut(expander)) return NULL;
        if (!stays && path.count) is_silent[path.count - 1] = duel->steps[i - 1].is_silent;
        if (!stays) path.rows[path.count++] = duel->nodes[side][i];
        assert(path.count); /* the first state is no stutter */
        refutation->at[side][i] = path.count - 1;
    }
    is_stuck(expander, search, duel->nodes[side][duel->count - 1], state);
    if (expander_is_cut(expander)) return NULL;
    if (end_side(refutation, duel, side, expander)) path.rows[path.count++] = duel->target;
    if (side == SIDE_CONCRETE && certifier->visible->is_gone)
        return trace_chosen(certifier, &path, is_silent, expander);
    return trace_new(arena, search, expander, &path);
}

/* A refutation may take a little longer. */
static void be_lenient(const struct certifier *certifier, struct expander *expander) {
    double seconds = certifier->options->search.max_seconds;
    expander->machine.grace = REFUTE_SECONDS;
    if (seconds > 0)
        expander->machine.deadline = certifier->ledger.deadline + REFUTE_SECONDS + seconds / 10;
}

/* False past a limit. */
static bool refute_side(struct certifier *certifier, const struct duel *duel, enum side side) {
    struct ledger *ledger = &certifier->ledger;
    struct expander expander;
    expander_init(&expander, certifier->refuted[side]->program);
    expander.max_size = ledger->max_size;
    be_lenient(certifier, &expander);
    struct trace *trace = trace_side(certifier, duel, side, &expander);
    certifier->refutation->traces[side] = trace;
    if (!trace) ledger->limit = expander_limit(&expander);
    expander_close(&expander);
    return trace != NULL;
}

struct refutation *certify_refute_by(struct certifier *certifier, const struct duel *duel,
                                     const struct search searches[SIDE_COUNT]) {
    struct refutation *refutation = ARENA_NEW(certifier->arena, struct refutation);
    for (int side = 0; side < SIDE_COUNT; side++) certifier->refuted[side] = &searches[side];
    certifier->refutation = refutation;
    *refutation = (struct refutation){.count = duel->count,
                                      .steps = duel->steps,
                                      .is_initial = duel->is_initial,
                                      .is_timed = duel->is_timed,
                                      .mover = duel->mover};
    bool is_done =
        refute_side(certifier, duel, SIDE_CONCRETE) && refute_side(certifier, duel, SIDE_ABSTRACT);
    return is_done ? refutation : NULL;
}

struct refutation *certify_refute(struct certifier *certifier) {
    assert(certifier->simulation.fates[0].died);
    certifier->owes_run = certifier->uses_orbits && certifier->orbits.work.is_cut;
    if (certifier->owes_run) return NULL;
    struct duel duel;
    for (int side = 0; side < SIDE_COUNT && certifier->uses_orbits; side++)
        be_lenient(certifier, &certifier->orbits.sides.of[side].expander);
    if (!simulation_refute(&certifier->simulation, &duel, certifier->arena)) return NULL;
    return certify_refute_by(certifier, &duel, certifier->result->searches);
}
