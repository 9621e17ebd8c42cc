#include "explore/successor/idle.h"

#include "explore/successor/successor_internal.h"

#include <assert.h>

/* By channel: the round in which a process was seen that may send, or receive. */
struct urgency {
    uint32_t *sent, *received;
    VEC(struct offer) offers; /* of one process */
    uint32_t round;
};

struct offer {
    uint32_t channel;
    bool is_send;
};

/* Room for the channels of the program, in the arena; nothing is looked at yet. */
struct urgency *urgency_new(struct arena *arena, const struct program *program) {
    struct urgency *urgency = ARENA_NEW(arena, struct urgency);
    urgency->sent = ARENA_ARRAY(arena, uint32_t, program->network->cell_count + 1);
    urgency->received = ARENA_ARRAY(arena, uint32_t, program->network->cell_count + 1);
    return urgency;
}

/* Finds the offers of a process on urgent channels; false at a limit. */
static bool find_offers(struct expander *expander, uint32_t process) {
    const struct program *program = expander->program;
    const struct row_range *range = &program->urgent_of[process][location_of(expander, process)];
    struct urgency *urgency = expander->urgency;
    urgency->offers.count = 0;
    for (uint32_t i = range->first; i < range->first + range->count; i++) {
        uint32_t instance = program->urgent.items[i], channel = NO_SLOT;
        if (!goes_on(expander)) return false;
        enum outcome outcome = look_at(expander, instance, &channel);
        assert(outcome != RUN_OVERFLOW); /* guards write nothing */
        if (outcome == RUN_LATE) return false;
        if (outcome != RUN_TRUE) continue;
        assert(program->channels[channel]); /* the address of a channel */
        if (!program->channels[channel]->is_urgent) continue;
        struct offer offer = {channel, program->instances.items[instance].is_send};
        VEC_PUSH(&expander->arena, &urgency->offers, offer);
    }
    return true;
}

/* Whether an earlier process waits for one of the offers, or one is a broadcast, which needs no
 * partner. */
static bool is_met(const struct expander *expander) {
    const struct urgency *urgency = expander->urgency;
    for (uint32_t i = 0; i < urgency->offers.count; i++) {
        struct offer offer = urgency->offers.items[i];
        const uint32_t *rounds = offer.is_send ? urgency->received : urgency->sent;
        bool is_broadcast = expander->program->channels[offer.channel]->is_broadcast;
        if (is_broadcast ? offer.is_send : rounds[offer.channel] == urgency->round) return true;
    }
    return false;
}

/* Whether guards let processes synchronise on an urgent channel, or that is not known at a limit.
 */
static bool has_urgent_pair(struct expander *expander) {
    struct urgency *urgency = expander->urgency;
    urgency->round++;
    for (uint32_t p = 0; p < expander->program->network->process_count; p++) {
        if (!find_offers(expander, p) || is_met(expander)) return true;
        for (uint32_t i = 0; i < urgency->offers.count; i++) {
            struct offer offer = urgency->offers.items[i];
            (offer.is_send ? urgency->sent : urgency->received)[offer.channel] = urgency->round;
        }
    }
    return false;
}

bool expander_can_idle(struct expander *expander) {
    const struct program *program = expander->program;
    if (expander->is_committed || (program->has_urgent && has_location(expander, false)))
        return false;
    return !program->urgent.count || !has_urgent_pair(expander);
}
