#include "abstract/cells/kinds.h"

#include "abstract/edge/express.h"
#include "expr/build.h"
#include "expr/substitute.h"

#include <assert.h>

bool cell_group_split(struct cell_group *group, const bool *is_in) {
    uint32_t before = group->zone_count;
    uint32_t part[CELLS_MAX_ZONES];
    bool has[CELLS_MAX_ZONES][2] = {{false}};
    for (uint32_t p = 0; p < group->position_count; p++) has[group->zone_of[p]][is_in[p]] = true;
    for (uint32_t z = 0; z < before; z++) {
        assert(!group->zones[z].kinds.count); /* kinds come when zones are known */
        part[z] = z;
        if (!has[z][0] || !has[z][1]) continue;
        if (group->zone_count == CELLS_MAX_ZONES) return false;
        part[z] = group->zone_count++;
        group->zones[part[z]].operands = group->zones[z].operands;
    }
    for (uint32_t z = 0; z < group->zone_count; z++) group->zones[z].size = 0;
    for (uint32_t p = 0; p < group->position_count; p++) {
        if (is_in[p]) group->zone_of[p] = part[group->zone_of[p]];
        group->zones[group->zone_of[p]].size++;
    }
    return true;
}

bool cell_zone_add(struct cell_group *group, uint32_t zone, const int32_t *values) {
    assert(zone < group->zone_count);
    struct cell_zone *at = &group->zones[zone];
    size_t size = group->fields.count * sizeof *values;
    for (uint32_t k = 0; k < at->kinds.count; k++)
        if (!memcmp(at->kinds.items[k].values, values, size)) return true;
    if (at->kinds.count == CELLS_MAX_KINDS) return false;
    struct cell_kind kind = {
        .values = ARENA_ARRAY(group->context->arena, int32_t, group->fields.count + 1)};
    memcpy(kind.values, values, size);
    VEC_PUSH(group->context->arena, &at->kinds, kind);
    return true;
}

void cell_group_initial(const struct cell_group *group, const struct process *process,
                        uint32_t place, int32_t *values) {
    const struct network *network = group->context->network;
    const struct binding *bindings = process ? process->locals : network->globals;
    assert(place < group->position_count);
    for (uint32_t f = 0; f < group->fields.count; f++) {
        const struct cell_field *field = &group->fields.items[f];
        uint32_t size = field->removal->shape->cell_count / group->position_count;
        if (field->removal == group->pointer) {
            int32_t at = network->cells[bindings[field->removal->symbol->index].address];
            values[f] = at == group->lower[0] + (int64_t)place;
            continue;
        }
        values[f] = network->cells[bindings[field->removal->symbol->index].address + place * size +
                                   field->offset];
    }
}

/* Whether some edge leads into the scope of the group. */
static bool is_entered(const struct cell_group *group) {
    const struct template *template = group->folds[0].ghost->template;
    bool found = false;
    for (uint32_t e = 0; group->scope && e < template->edge_count; e++)
        found |=
            !group->scope[template->edges[e].source] && group->scope[template->edges[e].target];
    return found;
}

/* All kinds that the types of fields allow, from a field on. */
static bool add_all(struct cell_group *group, uint32_t zone, uint32_t field, int32_t *values) {
    if (field == group->fields.count) return cell_zone_add(group, zone, values);
    const struct cell_field *of = &group->fields.items[field];
    if ((int64_t)of->upper - of->lower >= CELLS_MAX_KINDS) return false;
    for (int64_t v = of->lower; v <= of->upper; v++) {
        values[field] = (int32_t)v;
        if (!add_all(group, zone, field + 1, values)) return false;
    }
    return true;
}

bool cell_group_start(struct cell_group *group) {
    const struct network *network = group->context->network;
    const struct template *template = group->folds[0].ghost->template;
    bool is_any = is_entered(group); /* with what cells hold outside */
    for (uint32_t z = 0; z < group->zone_count && is_any; z++) {
        int32_t values[CELLS_MAX_FIELDS] = {0};
        if (!add_all(group, z, 0, values)) return false;
    }
    if (is_any) return true;
    for (uint32_t p = 0; p < network->process_count || !template; p++) {
        const struct process *process = template ? &network->processes[p] : NULL;
        if (process && process->template != template) continue;
        for (uint32_t i = 0; i < group->position_count; i++) {
            int32_t values[CELLS_MAX_FIELDS] = {0};
            cell_group_initial(group, process, i, values);
            if (!cell_zone_add(group, group->zone_of[i], values)) return false;
        }
        if (!template) break;
    }
    return true;
}

const struct expr *cell_operand(const struct cell_group *group, uint32_t fold, uint32_t zone,
                                const struct expr *const *values) {
    assert(fold < group->fold_count && zone < group->zone_count);
    const struct expr *operand = group->zones[zone].operands[fold];
    for (uint32_t f = 0; operand && f < group->fields.count; f++)
        operand = expr_substitute(group->context->arena, operand,
                                  group->fields.items[f].placeholder, values[f]);
    return operand;
}

static bool is_truth(enum op op) { return op == OP_AND || op == OP_OR; }

static bool weigh_kind(struct cell_group *group, uint32_t zone, struct cell_kind *kind) {
    const struct expr *values[CELLS_MAX_FIELDS];
    struct arena *arena = group->context->arena;
    kind->weights = ARENA_ARRAY(arena, int32_t, group->fold_count);
    for (uint32_t f = 0; f < group->fields.count; f++)
        values[f] = group->fields.items[f].is_bool ? build_bool(arena, kind->values[f] != 0)
                                                   : build_int(arena, kind->values[f]);
    for (uint32_t g = 0; g < group->fold_count; g++) {
        const struct expr *operand = cell_operand(group, g, zone, values);
        if (operand && !closed_value(group->context, operand, &kind->weights[g]))
            return cell_group_refuse(group, 0, "it cannot be computed for all values of the cells");
        if (is_truth(group->folds[g].op)) kind->weights[g] = kind->weights[g] != 0;
    }
    return true;
}

/* The same of a fold about one cell. */
static void bound_pointed(const struct cell_group *group, uint32_t g, int64_t *low, int64_t *high) {
    *low = INT32_MAX, *high = INT32_MIN;
    for (uint32_t z = 0; z < group->zone_count; z++)
        for (uint32_t k = 0; k < group->zones[z].kinds.count; k++) {
            const struct cell_kind *kind = &group->zones[z].kinds.items[k];
            if (!cell_kind_is_pointed(group, kind)) continue;
            if (kind->weights[g] < *low) *low = kind->weights[g];
            if (kind->weights[g] > *high) *high = kind->weights[g];
        }
    assert(*low <= *high); /* it leads to some cell at first */
}

/* The totals of a fold lie between two bounds. */
static bool fits(struct cell_group *group, uint32_t g) {
    const struct cell_fold *fold = &group->folds[g];
    int64_t low = fold->base, high = fold->base;
    bool is_first = !fold->has_base;
    if (fold->is_pointed) bound_pointed(group, g, &low, &high);
    for (uint32_t z = 0; z < group->zone_count; z++) {
        const struct cell_zone *zone = &group->zones[z];
        if (!zone->operands[g] || fold->is_pointed) continue;
        int64_t least = INT64_MAX, most = INT64_MIN;
        for (uint32_t k = 0; k < zone->kinds.count; k++) {
            int32_t weight = zone->kinds.items[k].weights[g];
            if (weight < least) least = weight;
            if (weight > most) most = weight;
        }
        assert(least <= most); /* a zone has cells, and these have kinds */
        if (fold->op == OP_ADD) {
            low += least * zone->size;
            high += most * zone->size;
        } else if (is_truth(fold->op)) {
            low = 0, high = 1;
        } else if (fold->op == OP_BIT_XOR) {
            if (least < 0 || most > 1 || low < 0 || high > 1) return false; /* parity */
            low = 0, high = 1;
        } else {
            low = is_first || least < low ? least : low;
            high = is_first || most > high ? most : high;
        }
        is_first = false;
    }
    const struct shape *shape = context_shape(group->context, fold->ghost->symbol->type);
    return shape && shape->kind == SHAPE_CELL && low >= shape->lower && high <= shape->upper;
}

bool cell_group_weigh(struct cell_group *group) {
    for (uint32_t z = 0; z < group->zone_count; z++)
        for (uint32_t k = 0; k < group->zones[z].kinds.count; k++)
            if (!weigh_kind(group, z, &group->zones[z].kinds.items[k])) return false;
    for (uint32_t g = 0; g < group->fold_count; g++) {
        if (fits(group, g)) continue;
        return cell_group_refuse(group, 0, "not all totals fit its type");
    }
    return true;
}
