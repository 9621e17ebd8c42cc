#include "explore/knowledge/sight.h"

#include "lang/syntax/ast.h"

#include <assert.h>
#include <string.h>

#define NO_FIELD UINT32_MAX

/* Before any machine is made: what is looked at */

void seen_value_compile(struct seen_value *value, struct compiler *compiler,
                        const struct expr *expr) {
    *value = (struct seen_value){.expr = expr};
    value->is_bool = expr->type && type_strip(expr->type)->kind == TYPE_BOOL;
    unit_begin(compiler);
    if (value->is_bool)
        unit_predicate(compiler, expr, false);
    else
        unit_value(compiler, expr);
    unit_end(compiler, &value->unit);
}

static void compile_guard(struct seen_value *value, struct compiler *compiler,
                          const struct observed_item *item) {
    struct leg_labels leg = {item->process, item->edge, item->selects};
    *value = (struct seen_value){.expr = item->edge->written_guard, .is_bool = true};
    unit_begin(compiler);
    unit_guard(compiler, &leg);
    unit_end(compiler, &value->unit);
}

void sight_compile(struct sight_units *units, struct compiler *compiler, struct agents *agents,
                   const struct agent *agent) {
    *units = (struct sight_units){.agent = agent};
    units->items = ARENA_ARRAY(agents->arena, struct seen_value, agent->items.count + 1);
    for (uint32_t i = 0; i < agent->items.count; i++) {
        const struct observed_item *item = &agent->items.items[i];
        if (item->kind == OBSERVED_GUARD) compile_guard(&units->items[i], compiler, item);
        if (item->kind != OBSERVED_VALUE) continue;
        seen_value_compile(&units->items[i], compiler, item->expr);
        units->items[i].slot = agents_slot(agents, item->expr);
    }
}

/* Levels */

static void mark_field(const struct reach *reach, uint32_t field) {
    const struct levels *levels = &reach->levels;
    assert(field <= reach->program->layout->field_count);
    for (uint32_t i = 0; i < levels->sizes[field]; i++)
        reach->kinds[levels->first[field] + i] = MARK_READ;
}

static uint32_t take_chain(struct reach *reach) {
    return marks_chain(&reach->marks, reach->kinds, 0, reach->levels.count);
}

uint32_t states_at(struct reach *reach, const struct process *process, uint32_t location) {
    assert(location < process->template->location_count);
    const struct layout *layout = reach->program->layout;
    uint32_t index = layout_location(layout, process->index);
    const struct packed *field = &layout->fields[index];
    uint32_t count = reach->levels.sizes[index];
    if (!field_holds(field, (int32_t)location)) return LDD_NONE;
    memcpy(reach->point.words, layout->initial, layout->word_count * sizeof(uint64_t));
    if (!count)
        return field_get(field, reach->point.words) == (int32_t)location ? reach->states : LDD_NONE;
    field_set(field, reach->point.words, (int32_t)location);
    memset(reach->kinds, MARK_SKIP, reach->levels.count);
    mark_field(reach, index);
    for (uint32_t i = 0; i < count; i++)
        reach->tuple[i] = level_get(&reach->levels, reach->levels.first[index] + i, &reach->point);
    uint32_t one = set_of(&reach->ldd, reach->tuple, count);
    return set_match(&reach->ldd, &reach->marks, reach->states, one, take_chain(reach));
}

/* Splitting */

static bool add_part(struct arena *arena, struct set_list *parts, uint32_t set) {
    if (set == LDD_NONE) return true;
    VEC_PUSH(arena, &parts->list, set);
    return parts->list.count <= SIGHT_MAX_PARTS;
}

static bool split_by_truth(struct decider *decider, struct arena *arena,
                           const struct seen_value *value, uint32_t set, struct set_list *parts,
                           uint32_t *fails) {
    struct ldd *ldd = &decider->reach->ldd;
    struct verdicts verdicts;
    if (!decide(decider, &value->unit, set, false, &verdicts)) return false;
    *fails = set_union(ldd, *fails, verdicts.fails);
    return add_part(arena, parts, verdicts.holds) &&
           add_part(arena, parts, set_minus(ldd, set, verdicts.holds));
}

/* One value after the other, among those that there are. */
bool split_by_value(struct decider *decider, struct arena *arena, const struct seen_value *value,
                    uint32_t set, struct set_list *parts, uint32_t *fails) {
    struct reach *reach = decider->reach;
    struct ldd *ldd = &reach->ldd;
    struct verdicts all, one;
    if (value->is_bool) return split_by_truth(decider, arena, value, set, parts, fails);
    if (!decide(decider, &value->unit, set, true, &all)) return false;
    *fails = set_union(ldd, *fails, all.fails);
    set = set_minus(ldd, set, all.fails);
    int64_t lower = all.extremes.lower, upper = all.extremes.upper;
    if (!all.extremes.is_found) return true;
    assert(lower <= upper);
    if (upper - lower >= SIGHT_MAX_PARTS) return false;
    for (int64_t v = lower; v <= upper && set != LDD_NONE; v++) {
        int32_t wanted = (int32_t)v;
        if (!support_decide(reach, &value->unit, set, false, &wanted, &one)) return false;
        if (!add_part(arena, parts, one.holds)) return false;
        set = set_minus(ldd, set, one.holds);
    }
    return set == LDD_NONE || ldd_is_over(ldd);
}

/* A guard holds nowhere but at the source of its edge, and not where it fails. */
static bool split_by_guard(struct decider *decider, struct arena *arena,
                           const struct seen_value *value, uint32_t source, uint32_t set,
                           struct set_list *parts) {
    struct ldd *ldd = &decider->reach->ldd;
    struct verdicts verdicts;
    uint32_t here = set_intersect(ldd, set, source);
    if (!decide(decider, &value->unit, here, false, &verdicts)) return false;
    return add_part(arena, parts, verdicts.holds) &&
           add_part(arena, parts, set_minus(ldd, set, verdicts.holds));
}

static bool split_by_item(struct set_sight *sight, struct decider *decider, struct arena *arena,
                          const struct seen_value *value, const struct observed_item *item) {
    assert(item->kind == OBSERVED_GUARD || item->kind == OBSERVED_VALUE); /* others are fields */
    struct set_list parts = {0};
    uint32_t source = LDD_NONE;
    bool is_guard = item->kind == OBSERVED_GUARD, is_fine = true;
    if (is_guard) source = states_at(decider->reach, item->process, item->edge->source);
    for (uint32_t i = 0; i < sight->parts.count && is_fine; i++) {
        uint32_t part = sight->parts.items[i];
        is_fine = is_guard ? split_by_guard(decider, arena, value, source, part, &parts)
                           : split_by_value(decider, arena, value, part, &parts, &sight->fails);
        if (sight->fails != LDD_NONE && !sight->failing) sight->failing = value;
    }
    sight->parts.count = 0;
    for (uint32_t i = 0; i < parts.list.count; i++)
        VEC_PUSH(arena, &sight->parts, parts.list.items[i]);
    return is_fine;
}

/* The field that an item is; NO_FIELD for guards and other expressions. */
static uint32_t field_of(const struct layout *layout, const struct sight_units *units,
                         uint32_t index) {
    assert(index < units->agent->items.count);
    const struct observed_item *item = &units->agent->items.items[index];
    switch (item->kind) {
    case OBSERVED_LOCATION: return layout_location(layout, item->process->index);
    case OBSERVED_SLOT: return item->slot;
    case OBSERVED_VALUE:
        return units->items[index].slot == NO_SLOT ? NO_FIELD : units->items[index].slot;
    case OBSERVED_GUARD: break;
    }
    return NO_FIELD;
}

bool sight_find(struct set_sight *sight, struct decider *decider, struct arena *arena,
                const struct sight_units *const *agents, uint32_t count) {
    struct reach *reach = decider->reach;
    const struct layout *layout = reach->program->layout;
    assert(reach->states != LDD_NONE);
    *sight = (struct set_sight){.fails = LDD_NONE};
    VEC_PUSH(arena, &sight->parts, reach->states);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t i = 0; i < agents[a]->agent->items.count; i++) {
            const struct observed_item *item = &agents[a]->agent->items.items[i];
            if (field_of(layout, agents[a], i) == NO_FIELD &&
                !split_by_item(sight, decider, arena, &agents[a]->items[i], item))
                return false;
        }
    memset(reach->kinds, MARK_SKIP, reach->levels.count);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t i = 0; i < agents[a]->agent->items.count; i++) {
            uint32_t field = field_of(layout, agents[a], i);
            if (field != NO_FIELD) mark_field(reach, field);
        }
    sight->chain = take_chain(reach);
    for (uint32_t i = 0; i < sight->parts.count; i++) ldd_hold(&reach->ldd, sight->parts.items[i]);
    return true;
}

/* Knowledge */

/* The subset of a part that is indistinguishable from some state of a set in it. */
static uint32_t same_in(const struct set_sight *sight, struct reach *reach, uint32_t part,
                        uint32_t set) {
    struct ldd *ldd = &reach->ldd;
    if (set == LDD_NONE) return LDD_NONE;
    if (sight->chain == MARKS_NONE) return part;
    uint32_t seen = set_project(ldd, &reach->marks, set, sight->chain);
    return set_match(ldd, &reach->marks, part, seen, sight->chain);
}

uint32_t sight_same(const struct set_sight *sight, struct reach *reach, uint32_t set) {
    struct ldd *ldd = &reach->ldd;
    uint32_t same = LDD_NONE;
    for (uint32_t i = 0; i < sight->parts.count; i++) {
        uint32_t part = sight->parts.items[i];
        same = set_union(ldd, same, same_in(sight, reach, part, set_intersect(ldd, part, set)));
    }
    return same;
}

uint32_t sight_known(const struct set_sight *sight, struct reach *reach, uint32_t set) {
    struct ldd *ldd = &reach->ldd;
    uint32_t known = LDD_NONE;
    for (uint32_t i = 0; i < sight->parts.count; i++) {
        uint32_t part = sight->parts.items[i];
        uint32_t doubted = same_in(sight, reach, part, set_minus(ldd, part, set));
        known = set_union(ldd, known, set_minus(ldd, part, doubted));
    }
    return known;
}

uint32_t sight_mixed(const struct set_sight *sight, struct reach *reach, uint32_t set) {
    struct ldd *ldd = &reach->ldd;
    uint32_t mixed = LDD_NONE;
    for (uint32_t i = 0; i < sight->parts.count; i++) {
        uint32_t part = sight->parts.items[i];
        uint32_t in = same_in(sight, reach, part, set_intersect(ldd, part, set));
        uint32_t out = same_in(sight, reach, part, set_minus(ldd, part, set));
        mixed = set_union(ldd, mixed, set_intersect(ldd, in, out));
    }
    return mixed;
}
