#include "explore/compare/pairs/pair_look.h"

#include <assert.h>

bool is_step(const struct pair_look *look, int side, const uint32_t *node, uint8_t kind) {
    if (side == SIDE_ABSTRACT || !look->kinds) return kind == STEP_SEEN;
    return (look->kinds[node - look->lists[SIDE_CONCRETE].nodes] & kind) != 0;
}

struct pair_look look_of_sides(const struct pair_sides *sides) {
    struct pair_look look = {.still = sides->of[SIDE_ABSTRACT].count};
    if (sides->is_gone) look.kinds = sides->of[SIDE_CONCRETE].kinds;
    for (int side = 0; side < SIDE_COUNT; side++) {
        look.lists[side] = pair_side_nodes(&sides->of[side]);
        look.classes[side] = sides->of[side].classes;
    }
    return look;
}

struct pair_look look_of_graphs(const struct graph *graphs, const uint32_t nodes[SIDE_COUNT]) {
    const struct graph *concrete = &graphs[SIDE_CONCRETE];
    struct pair_look look = {.still = nodes[SIDE_ABSTRACT]};
    if (concrete->kinds) look.kinds = concrete->kinds + concrete->rows.first[nodes[0]];
    for (int side = 0; side < SIDE_COUNT; side++) {
        look.lists[side] = graph_successors(&graphs[side], nodes[side]);
        look.classes[side] = graphs[side].classes;
    }
    return look;
}

struct node_list choices_of(const struct pair_look *look, enum side side, uint32_t node,
                            bool is_silent) {
    enum side other = other_side(side);
    assert(!is_silent || side == SIDE_CONCRETE);
    if (is_silent) return (struct node_list){&look->still, 1};
    return nodes_of_class(look->lists[other], look->classes[other], look->classes[side][node]);
}

bool next_group(struct successor_group *group) {
    uint32_t class = PAIR_NONE;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct node_list *list = &group->look.lists[side];
        group->at[side] += group->same[side].count;
        if (group->at[side] == list->count) continue;
        uint32_t first = group->look.classes[side][list->nodes[group->at[side]]];
        if (first < class) class = first;
    }
    for (int side = 0; side < SIDE_COUNT && class != PAIR_NONE; side++) {
        const struct node_list *list = &group->look.lists[side];
        const uint32_t *classes = group->look.classes[side];
        uint32_t end = group->at[side];
        while (end < list->count && classes[list->nodes[end]] == class) end++;
        group->same[side] =
            (struct node_list){list->nodes + group->at[side], end - group->at[side]};
    }
    return class != PAIR_NONE;
}

bool is_stranded(const struct pair_look *look, const bool moves[SIDE_COUNT]) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct node_list list = look->lists[side], other = look->lists[!side];
        uint32_t at = 0;
        for (uint32_t i = 0; moves[side] && i < list.count; i++) {
            uint32_t class = look->classes[side][list.nodes[i]];
            while (at < other.count && look->classes[!side][other.nodes[at]] < class) at++;
            bool is_alike = at < other.count && look->classes[!side][other.nodes[at]] == class;
            if (!is_alike && is_step(look, side, list.nodes + i, STEP_SEEN)) return true;
        }
    }
    return false;
}
