/* Takes away what hinders time: locations, and partners on urgent channels. */
#include "explore/symbolic/may_idle_sets.h"

#include <assert.h>

/* Vectors of a set in which a field, given by its bits, has one of some values. */
static uint32_t with_field(struct reach *reach, uint32_t field, const uint32_t *values,
                           uint32_t count, uint32_t set) {
    const struct levels *levels = &reach->levels;
    uint32_t first = levels->first[field], size = levels->sizes[field], wanted = LDD_NONE;
    assert(count && first + size <= levels->count);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < size; k++) {
            const struct level *level = &levels->items[first + k];
            reach->tuple[k] = values[i] >> level->shift & level->mask;
        }
        wanted = set_union(&reach->ldd, wanted, set_of(&reach->ldd, reach->tuple, size));
    }
    memset(reach->kinds, MARK_SKIP, levels->count);
    memset(reach->kinds + first, MARK_READ, size);
    uint32_t chain = marks_chain(&reach->marks, reach->kinds, 0, levels->count);
    return set_match(&reach->ldd, &reach->marks, set, wanted, chain);
}

/* The subset of a set with a process in an urgent location. */
static uint32_t in_urgent(struct reach *reach, struct arena *arena, uint32_t process,
                          uint32_t set) {
    const struct layout *layout = reach->program->layout;
    const struct template *template = reach->program->network->processes[process].template;
    uint32_t field = layout_location(layout, process), count = 0;
    uint32_t *values = ARENA_ARRAY(arena, uint32_t, template->location_count + 1);
    for (uint32_t l = 0; l < template->location_count; l++) {
        bool is_possible = field_holds(&layout->fields[field], (int32_t)l);
        if (template->locations[l].is_urgent && is_possible)
            values[count++] = (uint32_t)((int32_t)l - layout->fields[field].lower);
    }
    return count ? with_field(reach, field, values, count, set) : LDD_NONE;
}

/* In vectors of the reach. */
static bool decide_offer(void *context, const struct edge_instance *instance, uint32_t channel,
                         uint32_t set, uint32_t *offered) {
    struct decider *decider = context;
    struct verdicts verdicts = {0};
    int32_t wanted = (int32_t)channel;
    if (!decide_part(decider, &instance->guard, set, false, false, &verdicts)) return false;
    set = verdicts.holds;
    if (instance->channel == ANY_CHANNEL &&
        !support_decide(decider->reach, &instance->channel_code, set, false, &wanted, &verdicts))
        return false;
    *offered = verdicts.holds;
    return true;
}

/* Where guards let one process offer a channel. */
struct offers {
    uint32_t sent, received;
};

/* The subset of a set that has partners on a channel; false if that is not known. The instances of
 * a process are one after the other. */
static bool find_met(const struct offer_finder *finder, uint32_t channel, uint32_t set,
                     uint32_t *met) {
    struct ldd *ldd = finder->ldd;
    const struct program *program = finder->program;
    assert(program->channels[channel]);
    struct offers own = {0}, before = {0};
    const struct process *process = NULL;
    *met = LDD_NONE;
    for (uint32_t i = 0; i < program->urgent.count; i++) {
        const struct edge_instance *instance = &program->instances.items[program->urgent.items[i]];
        if (instance->channel != channel && instance->channel != ANY_CHANNEL) continue;
        if (instance->process != process) {
            before.sent = set_union(ldd, before.sent, own.sent);
            before.received = set_union(ldd, before.received, own.received);
            own = (struct offers){0};
            process = instance->process;
        }
        uint32_t found, *of_kind = instance->is_send ? &own.sent : &own.received;
        if (!finder->find(finder->context, instance, channel, set, &found)) return false;
        *of_kind = set_union(ldd, *of_kind, found);
        uint32_t partners = set_union(ldd, set_intersect(ldd, own.sent, before.received),
                                      set_intersect(ldd, own.received, before.sent));
        *met = set_union(ldd, *met, program->channels[channel]->is_broadcast ? own.sent : partners);
    }
    return true;
}

bool stops_time(const struct location *location) {
    return location->is_committed || location->is_urgent;
}

bool leave_urgent_pairs(const struct offer_finder *finder, uint32_t *states) {
    const struct program *program = finder->program;
    for (uint32_t c = 0; c < program->network->cell_count; c++) {
        uint32_t met;
        if (!program->channels[c] || !program->channels[c]->is_urgent) continue;
        if (!find_met(finder, c, *states, &met)) return false;
        *states = set_minus(finder->ldd, *states, met);
    }
    return true;
}

bool may_idle_states(struct decider *decider, uint32_t *states) {
    struct reach *reach = decider->reach;
    const struct program *program = reach->program;
    struct arena arena;
    uint32_t none = 0, left = reach->states;
    arena_init(&arena);
    if (program->has_committed)
        left = with_field(reach, committed_field(program->layout), &none, 1, left);
    for (uint32_t p = 0; p < program->network->process_count; p++)
        left = set_minus(&reach->ldd, left, in_urgent(reach, &arena, p, left));
    struct offer_finder finder = {&reach->ldd, program, decide_offer, decider};
    bool is_fine = leave_urgent_pairs(&finder, &left);
    arena_close(&arena);
    *states = left;
    return is_fine;
}
