#include "explore/knowledge/game_by_sets.h"

#include <assert.h>
#include <string.h>

static struct ldd *ldd_of(const struct set_game *game) { return &game->decider->reach->ldd; }

/* Offers */

static struct set_decider *find_decider(struct set_game *game, uint32_t player, uint32_t channel) {
    for (uint32_t i = 0; i < game->deciders.count; i++) {
        struct set_decider *decider = &game->deciders.items[i];
        if (decider->player == player && decider->channel == channel) return decider;
    }
    struct set_decider decider = {.player = player, .channel = channel};
    VEC_PUSH(game->arena, &game->deciders, decider);
    return &game->deciders.items[game->deciders.count - 1];
}

static void add_offer(struct set_game *game, uint32_t move, uint32_t player, uint32_t channel,
                      uint32_t offer) {
    struct set_decider *decider = find_decider(game, player, channel);
    struct ldd *ldd = ldd_of(game);
    if (offer == LDD_NONE) return;
    for (uint32_t i = 0; i < decider->options.count; i++) {
        struct set_option *option = &decider->options.items[i];
        if (option->move != move) continue;
        option->offer = set_union(ldd, option->offer, offer);
        return;
    }
    VEC_PUSH(game->arena, &decider->options, ((struct set_option){.move = move, .offer = offer}));
}

/* The channel that code names in the state of a vector; NO_SLOT where it cannot be evaluated. */
static uint32_t channel_at(struct reach *reach, const struct unit *code) {
    struct machine *machine = &reach->expander.machine;
    if (machine_unit(machine, code, reach->point.words) != RUN_TRUE) return NO_SLOT;
    return (uint32_t)machine->registers[0];
}

/* By the channel, which depends on the state. */
static bool add_by_channel(struct set_game *game, const struct move_test *test, uint32_t offer) {
    struct reach *reach = game->decider->reach;
    struct seen_value channel = {.unit = *test->channel};
    struct set_list parts = {0};
    uint32_t fails = LDD_NONE;
    if (!split_by_value(game->decider, game->arena, &channel, offer, &parts, &fails)) return false;
    for (uint32_t i = 0; i < parts.list.count && !ldd_is_over(&reach->ldd); i++) {
        set_first(&reach->ldd, parts.list.items[i], reach->tuple, reach->levels.count);
        levels_point(&reach->levels, reach->tuple, &reach->point);
        uint32_t player = game->coalition->moves.items[test->move].player;
        add_offer(game, test->move, player, channel_at(reach, test->channel), parts.list.items[i]);
    }
    return true;
}

static bool add_test(struct set_game *game, const struct move_test *test, uint32_t source) {
    const struct move *move = &game->coalition->moves.items[test->move];
    bool is_own = is_own_move(game->coalition, move);
    struct verdicts verdicts = {.holds = source};
    if (!test->is_always && !decide(game->decider, &test->guard, source, false, &verdicts))
        return false;
    uint32_t offer = verdicts.holds;
    if (test->channel && !is_own) return add_by_channel(game, test, offer);
    if (test->channel) {
        if (!decide(game->decider, test->channel, offer, true, &verdicts)) return false;
        offer = set_minus(ldd_of(game), offer, verdicts.fails);
    }
    add_offer(game, test->move, move->player, is_own ? NO_SLOT : move->channel, offer);
    return true;
}

static bool find_offers(struct set_game *game) {
    const struct coalition *coalition = game->coalition;
    for (uint32_t i = 0; i < coalition->players.count; i++) {
        const struct player *player = &coalition->players.items[i];
        for (uint32_t l = 0; l < player->process->template->location_count; l++) {
            const struct row_range *range = &player->tests[l];
            if (!range->count) continue;
            uint32_t source = states_at(game->decider->reach, player->process, l);
            for (uint32_t k = range->first; k < range->first + range->count; k++)
                if (!add_test(game, &coalition->tests.items[k], source)) return false;
        }
    }
    return true;
}

/* What a decider can choose between. */
static void find_choice(struct set_game *game, struct set_decider *decider) {
    struct reach *reach = game->decider->reach;
    struct ldd *ldd = &reach->ldd;
    const struct set_sight *sight = game->sights[decider->player];
    decider->may_wait = is_own_decider(decider) && game->coalition->modes & MODE_WAIT;
    decider->has_choice = decider->may_wait;
    for (uint32_t i = 0; i < decider->options.count; i++) {
        struct set_option *option = &decider->options.items[i];
        option->seen = game->sees_all ? option->offer : sight_same(sight, reach, option->offer);
        decider->has_choice |= set_intersect(ldd, decider->seen, option->seen) != LDD_NONE;
        decider->offer = set_union(ldd, decider->offer, option->offer);
        decider->seen = set_union(ldd, decider->seen, option->seen);
        ldd_hold(ldd, option->offer);
        ldd_hold(ldd, option->seen);
    }
    for (uint32_t i = 0; i < decider->options.count; i++) {
        const struct set_option *option = &decider->options.items[i];
        uint32_t other = set_minus(ldd, option->seen, option->offer);
        decider->elsewhere = set_union(ldd, decider->elsewhere, other);
    }
    decider->elsewhere = set_intersect(ldd, decider->elsewhere, decider->offer);
    ldd_hold(ldd, decider->offer);
    ldd_hold(ldd, decider->seen);
    ldd_hold(ldd, decider->elsewhere);
}

/* Labels */

static bool is_before(struct set_condition left, struct set_condition right) {
    return left.decider != right.decider ? left.decider < right.decider
                                         : left.option < right.option;
}

/* Keeps the list in order, each condition once. */
static void insert(struct set_game *game, struct set_condition item) {
    uint32_t at = 0;
    while (at < game->list.count && is_before(game->list.items[at], item)) at++;
    if (at < game->list.count && !is_before(item, game->list.items[at])) return;
    VEC_PUSH(game->arena, &game->list, item);
    for (uint32_t i = game->list.count - 1; i > at; i--)
        game->list.items[i] = game->list.items[i - 1];
    game->list.items[at] = item;
}

static uint32_t number_of(struct set_game *game) {
    uint32_t count = game->list.count;
    size_t size = count * sizeof *game->list.items;
    for (uint32_t i = 0; i < game->labels.count; i++) {
        const struct set_label *label = &game->labels.items[i];
        if (label->count == count && (!count || !memcmp(label->conditions, game->list.items, size)))
            return i;
    }
    struct set_label label = {
        .conditions = ARENA_ARRAY(game->arena, struct set_condition, count + 1), .count = count};
    if (count) memcpy(label.conditions, game->list.items, size);
    VEC_PUSH(game->arena, &game->labels, label);
    return game->labels.count - 1;
}

/* The condition that an instance takes part, if its player has a choice there; channel: of what it
 * receives. */
static void add_condition(struct set_game *game, uint32_t move, uint32_t channel) {
    const struct move *of = &game->coalition->moves.items[move];
    if (is_own_move(game->coalition, of)) channel = NO_SLOT;
    for (uint32_t i = 0; i < game->deciders.count; i++) {
        const struct set_decider *decider = &game->deciders.items[i];
        if (decider->player != of->player || decider->channel != channel || !decider->has_choice)
            continue;
        for (uint32_t k = 0; k < decider->options.count; k++)
            if (decider->options.items[k].move == move) insert(game, (struct set_condition){i, k});
    }
}

uint32_t set_game_label(struct set_game *game, const struct step_record *record) {
    struct reach *reach = game->decider->reach;
    game->list.count = 0;
    for (uint32_t i = 0; i < record->part_count; i++) {
        uint32_t number = reach->expander.parts.items[record->first_part + i];
        const struct edge_instance *instance = &reach->program->instances.items[number];
        uint32_t move = game->coalition->move_of[number], channel = instance->channel;
        if (move == NO_MOVE) continue;
        if (channel == ANY_CHANNEL) channel = channel_at(reach, &instance->channel_code);
        add_condition(game, move, channel);
    }
    return number_of(game);
}

static uint32_t label_of(void *context, const struct step_record *record) {
    return set_game_label(context, record);
}

/* Whether what a process receives may be chosen. */
static bool chooses_to_receive(const struct set_game *game, uint32_t process) {
    uint32_t player = game->coalition->player_of[process];
    bool does = player != NO_PLAYER && game->coalition->modes & MODE_ACTIVE;
    for (uint32_t i = 0; i < game->deciders.count; i++) {
        const struct set_decider *decider = &game->deciders.items[i];
        does |= decider->player == player && !is_own_decider(decider) && decider->has_choice;
    }
    return does;
}

/* A broadcast in stages: who sends decides; false if some receiver does, too. */
static bool label_stages(struct set_game *game, const struct event *event) {
    const struct reach *reach = game->decider->reach;
    uint32_t sender = reach->deeds[event->index].group->parts.items[0].part.first;
    uint32_t move = game->coalition->move_of[sender];
    for (uint32_t i = 0; i < event->stage_count; i++) {
        const struct deed *deed = &reach->deeds[event->stages[i].index];
        if (chooses_to_receive(game, deed->group->parts.items[0].part.second)) return false;
    }
    game->list.count = 0;
    if (move != NO_MOVE) add_condition(game, move, NO_SLOT);
    VEC_PUSH(game->arena, &game->events, ((struct labelled_event){*event, number_of(game)}));
    return true;
}

/* Adds the condition that an instance takes part; false if that depends on the state. */
static bool add_instance(struct set_game *game, uint32_t number) {
    uint32_t move = number == NO_INSTANCE ? NO_MOVE : game->coalition->move_of[number];
    if (move == NO_MOVE) return true;
    uint32_t channel = game->decider->reach->program->instances.items[number].channel;
    if (channel == ANY_CHANNEL &&
        !is_own_move(game->coalition, &game->coalition->moves.items[move]))
        return false;
    add_condition(game, move, channel);
    return true;
}

/* The label of all that an event does; false if there are several, or it depends on the state. */
static bool find_label(struct set_game *game, const struct event *event, uint32_t *label) {
    const struct reach *reach = game->decider->reach;
    const struct step_group *group = reach->deeds[event->index].group;
    for (uint32_t i = 0; i < group->parts.count; i++) {
        struct step_part part = part_by_instances(reach->program, group->parts.items[i].part);
        if (part.kind == PART_BROADCAST) return false;
        game->list.count = 0;
        if (!add_instance(game, part.first) || !add_instance(game, part.second)) return false;
        uint32_t number = number_of(game);
        if (i && number != *label) return false;
        *label = number;
    }
    return true;
}

static bool label_event(struct set_game *game, uint32_t index) {
    struct reach *reach = game->decider->reach;
    const struct event *event = &reach->events[index];
    uint32_t relation, label = 0;
    if (event->stage_count) return label_stages(game, event);
    if (event->relation == LDD_NONE) return true; /* it has no steps */
    if (find_label(game, event, &label)) {
        VEC_PUSH(game->arena, &game->events, ((struct labelled_event){*event, label}));
        return true;
    }
    if (!reach_label(reach, index, label_of, game, &relation)) return false;
    ldd_hold(&reach->ldd, relation);
    for (; relation; relation = reach->ldd.nodes[relation].right) {
        struct labelled_event labelled = {*event, reach->ldd.nodes[relation].value};
        labelled.event.relation = reach->ldd.nodes[relation].down;
        VEC_PUSH(game->arena, &game->events, labelled);
    }
    return true;
}

uint32_t set_game_before(const struct set_game *game, uint32_t label, uint32_t set,
                         uint32_t target) {
    struct reach *reach = game->decider->reach;
    uint32_t found = LDD_NONE;
    if (set == LDD_NONE || target == LDD_NONE) return LDD_NONE;
    for (uint32_t i = 0; i < game->events.count; i++) {
        const struct labelled_event *at = &game->events.items[i];
        if (at->label != label) continue;
        uint32_t more = event_preimage(&reach->ldd, &reach->marks, &at->event, set, target);
        found = set_union(&reach->ldd, found, more);
    }
    return found;
}

/* Deciders that have labels in common are kin. */
static void find_kin(struct set_game *game) {
    game->kin = ARENA_ARRAY(game->arena, uint32_t, game->deciders.count + 1);
    for (uint32_t i = 0; i < game->deciders.count; i++) game->kin[i] = i;
    for (uint32_t l = 0; l < game->labels.count; l++) {
        const struct set_label *label = &game->labels.items[l];
        for (uint32_t k = 1; k < label->count; k++) {
            uint32_t one = game->kin[label->conditions[0].decider];
            uint32_t other = game->kin[label->conditions[k].decider];
            for (uint32_t i = 0; i < game->deciders.count; i++)
                if (game->kin[i] == one || game->kin[i] == other)
                    game->kin[i] = one < other ? one : other;
        }
    }
}

bool set_game_open(struct set_game *game, struct arena *arena, struct decider *decider,
                   const struct coalition *coalition, const struct set_sight *const *sights) {
    struct reach *reach = decider->reach;
    *game =
        (struct set_game){.arena = arena,
                          .decider = decider,
                          .coalition = coalition,
                          .sights = sights,
                          .sees_all = !coalition->players.count || coalition->modes & MODE_PERFECT};
    assert(reach->states != LDD_NONE);
    if (!find_offers(game)) return false;
    for (uint32_t i = 0; i < game->deciders.count; i++) find_choice(game, &game->deciders.items[i]);
    number_of(game);
    for (uint32_t i = 0; i < reach->event_count; i++)
        if (!label_event(game, i)) return false;
    find_kin(game);
    for (uint32_t l = 0; l < game->labels.count; l++) {
        game->labels.items[l].sources = set_game_before(game, l, reach->states, reach->states);
        ldd_hold(&reach->ldd, game->labels.items[l].sources);
    }
    return true;
}
