#include "explore/mixed/strength.h"

#include "explore/fair/tag.h"
#include "explore/successor/successor.h"

#include <assert.h>

static enum strength weaker(enum strength left, enum strength right) {
    return left < right ? left : right;
}

enum strength strength_of_edge(const struct edge *edge) {
    if (!edge->xml) return STRENGTH_MUST;
    if (edge_has_tag(edge, STR("may"))) return STRENGTH_MAY;
    return edge_has_tag(edge, STR("sure")) ? STRENGTH_SURE : STRENGTH_MUST;
}

bool edge_is_joint(const struct edge *edge) { return edge->xml && edge_has_tag(edge, STR("some")); }

bool edge_is_either(const struct edge *edge) {
    return edge->xml && edge_has_tag(edge, STR("either"));
}

/* Edges after a branchpoint count as well: each of them has to be there. */
const enum strength *strengths_of_program(struct arena *arena, const struct program *program) {
    uint32_t count = program->instances.count;
    enum strength *strengths = ARENA_ARRAY(arena, enum strength, count + 1);
    const struct edge *last = NULL;
    enum strength of_last = STRENGTH_MUST;
    for (uint32_t i = 0; i < count; i++) {
        const struct edge_instance *instance = &program->instances.items[i];
        assert(instance->edge_count);
        strengths[i] = STRENGTH_MUST;
        for (uint32_t k = 0; k < instance->edge_count; k++) {
            const struct edge *edge = instance->edges[k];
            if (edge != last) of_last = strength_of_edge(edge);
            if (edge != last && of_last == STRENGTH_MAY && edge_is_either(edge))
                of_last = STRENGTH_SURE;
            last = edge;
            strengths[i] = weaker(strengths[i], of_last);
        }
    }
    return strengths;
}

enum strength strength_of_step(const enum strength *strengths, const struct expander *expander,
                               const struct step_record *record) {
    enum strength strength = STRENGTH_MUST;
    assert(record->part_count);
    for (uint32_t i = 0; i < record->part_count; i++)
        strength = weaker(strength, strengths[expander->parts.items[record->first_part + i]]);
    return strength;
}
