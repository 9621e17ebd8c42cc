#include "explore/compare/pairs/reason.h"

#include "explore/compare/pairs/simulate_internal.h"

/* Whether all choices of a step, which is silent if the reason says so, were bad before the pair
 * was. Where time is compared, the one that is taken was good before: a pair that was good had bet
 * on such a one for every step. */
static bool explain(const struct deaths *deaths, const struct pair_look *look, uint32_t deadline,
                    enum side side, uint32_t node, struct reason *reason) {
    struct node_list choices = choices_of(look, side, node, reason->is_silent);
    *reason = (struct reason){true, reason->is_silent, side, node, choices.count, PAIR_NONE, 0};
    for (uint32_t i = 0; i < choices.count; i++) {
        uint32_t nodes[SIDE_COUNT];
        join_nodes(nodes, side, node, choices.nodes[i]);
        struct death death = deaths->death_of(deaths->context, nodes);
        if (!death.time || death.time >= deadline) return false;
        if (reason->choice != PAIR_NONE && reason->died < death.time) continue;
        if (deaths->is_timed && !death.has_held) continue;
        reason->choice = choices.nodes[i];
        reason->died = death.time;
    }
    return true;
}

struct reason reason_of(const struct deaths *deaths, const struct pair_look *look, uint32_t died) {
    struct reason best = {0};
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct node_list list = look->lists[side];
        for (uint32_t i = 0; deaths->moves[side] && i < list.count; i++)
            for (int kind = STEP_SEEN; kind <= STEP_SILENT; kind++) {
                struct reason reason = {.is_silent = kind == STEP_SILENT};
                if (is_step(look, side, list.nodes + i, (uint8_t)kind) &&
                    explain(deaths, look, died, (enum side)side, list.nodes[i], &reason) &&
                    (!best.is_found || reason.died < best.died))
                    best = reason;
            }
    }
    return best;
}
