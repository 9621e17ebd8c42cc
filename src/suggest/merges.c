#include "suggest/merges.h"

#include "base/str.h"
#include "suggest/alike.h"

#include <math.h>
#include <string.h>

enum { MAX_MERGES = 32, MAX_KINDS = 16, MAX_ZONES = 16, MIN_CELLS = 3 };

struct proposer {
    struct arena *arena;
    const struct network *network;
    const struct cut_list *cuts;
    const char *bound; /* a name for the index of sums */
    const char *other; /* and for a second one */
};

/* Texts */

static const char *number_word(struct arena *arena, int32_t value) {
    return value < 0 ? arena_printf(arena, "m%lld", -(long long)value)
                     : arena_printf(arena, "%d", value);
}

/* "2", "1_to_3": for names. */
static const char *range_word(struct arena *arena, struct data_kind range) {
    const char *lower = number_word(arena, range.lower);
    if (range.lower == range.upper) return lower;
    return arena_printf(arena, "%s_to_%s", lower, number_word(arena, range.upper));
}

/* That a cell of the variable, or itself, has a value of a kind. */
static const char *kind_test(struct arena *arena, const struct cut_variable *variable,
                             const char *cell, struct data_kind kind) {
    if (variable->is_bool) return arena_printf(arena, "%s%s", kind.lower ? "" : "!", cell);
    if (kind.lower == kind.upper) return arena_printf(arena, "%s == %d", cell, kind.lower);
    if (kind.lower == variable->values.lower)
        return arena_printf(arena, "%s <= %d", cell, kind.upper);
    if (kind.upper == variable->values.upper)
        return arena_printf(arena, "%s >= %d", cell, kind.lower);
    return arena_printf(arena, "%s >= %d && %s <= %d", cell, kind.lower, cell, kind.upper);
}

/* "T." for what is of a template. */
static const char *owner_of(struct arena *arena, const struct cut_variable *variable) {
    return variable->template ? arena_printf(arena, "%s.", variable->template->symbol->name) : "";
}

static const char *fresh(const struct proposer *proposer, const char *base) {
    return intern_fresh(proposer->network->model->names, base);
}

/* Arrays */

static uint32_t number_of_part(const struct cut_parts *parts, int64_t value) {
    uint32_t i = 0;
    while (i + 1 < parts->list.count && parts->list.items[i].upper < value) i++;
    return i;
}

static int32_t initial_value(const struct proposer *proposer, const struct cut_variable *variable,
                             uint32_t offset) {
    const struct network *network = proposer->network;
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (network->slots[i].symbol == variable->symbol && network->slots[i].offset == offset)
            return network->slots[i].initial;
    return variable->values.lower;
}

static uint64_t size_of(struct data_kind range) {
    return (uint64_t)((int64_t)range.upper - range.lower + 1);
}

/* In how many ways n cells can be of k kinds, if it is no matter which: as a logarithm. */
static double log_ways(double n, double k) {
    return (lgamma(n + k) - lgamma(n + 1) - lgamma(k)) / log(2);
}

/* A kind of each field of a cell, the last of which goes round first; an array of numbers has
 * one. */
struct cell_kinds {
    const struct cut_variable *const *fields;
    uint32_t field_count, count;
    struct cut_parts *kinds; /* by field */
};

static struct data_kind kind_of_field(const struct cell_kinds *cell, uint32_t number,
                                      uint32_t field) {
    for (uint32_t i = cell->field_count - 1; i > field; i--) number /= cell->kinds[i].list.count;
    return cell->kinds[field].list.items[number % cell->kinds[field].list.count];
}

static void count_kind(const struct proposer *proposer, struct merge_proposal *proposal,
                       const struct cut_variable *array, const struct cell_kinds *cells,
                       uint32_t number, struct data_kind zone) {
    struct arena *arena = proposer->arena;
    const char *name = array->symbol->name, *base = name, *test = "";
    for (uint32_t i = 0; i < cells->field_count; i++) {
        const struct cut_variable *field = cells->fields[i];
        struct data_kind kind = kind_of_field(cells, number, i);
        const char *column = array->inner ? arena_printf(arena, "[%s]", proposer->other) : "";
        const char *cell = arena_printf(arena, "%s[%s]%s%s", name, proposer->bound, column,
                                        field->path ? field->path : "");
        base = arena_printf(arena, "%s_%s", base, range_word(arena, kind));
        test = arena_printf(arena, "%s%s%s", test, i ? " && " : "",
                            kind_test(arena, field, cell, kind));
    }
    if (size_of(zone) < size_of(array->indices))
        base = arena_printf(arena, "%s_at_%s", base, range_word(arena, zone));
    const char *inner = "";
    unsigned long long most = size_of(zone);
    if (array->inner) {
        const struct data_kind columns = array->inner->indices;
        most *= size_of(columns);
        inner = arena_printf(arena, "sum(%s : int[%d,%d]) ", proposer->other, columns.lower,
                             columns.upper);
    }
    VEC_PUSH(arena, &proposal->arguments,
             arena_printf(arena, "%s%s:int[0,%llu]=sum(%s : int[%d,%d]) %s(%s)",
                          owner_of(arena, array), fresh(proposer, base), most, proposer->bound,
                          zone.lower, zone.upper, inner, test));
}

/* The kinds of a cell, and how many values it has, as a logarithm; false if there are too many. A
 * field that nothing asks for would stay where the others go. */
static bool find_kinds(const struct proposer *proposer, const struct cut_variable *const *fields,
                       uint32_t count, struct cell_kinds *cells, double *values) {
    *cells = (struct cell_kinds){.fields = fields, .field_count = count, .count = 1};
    cells->kinds = ARENA_ARRAY(proposer->arena, struct cut_parts, count);
    *values = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!cut_kinds(proposer->arena, fields[i], MAX_KINDS, &cells->kinds[i]) ||
            cells->kinds[i].list.count < 2)
            return false;
        cells->count *= cells->kinds[i].list.count;
        *values += log2((double)size_of(fields[i]->values));
    }
    return cells->count <= MAX_KINDS;
}

/* Whether all its cells are used alike by this index. */
static bool is_one_zone(const struct proposer *proposer, const struct cut_variable *array) {
    struct cut_parts zones;
    return cut_parts(proposer->arena, &array->borders, array->indices, 1, &zones);
}

/* Whether counting the cells of the array may be worth it; then that is added. */
static bool add_array(const struct proposer *proposer, struct merge_proposal *proposal,
                      const struct cut_variable *array) {
    struct cut_parts zones;
    struct cell_kinds cells;
    const struct cut_variable *const *fields =
        array->field_count ? (const struct cut_variable *const *)array->fields : &array;
    uint32_t width = array->field_count ? array->field_count : 1;
    bool has_zone = false;
    double values, after = 0, columns = array->inner ? (double)size_of(array->inner->indices) : 1;
    if (array->inner && (array->inner->why_not || !is_one_zone(proposer, array->inner) ||
                         !is_one_zone(proposer, array)))
        return false;
    if (array->why_not || !find_kinds(proposer, fields, width, &cells, &values) ||
        !cut_parts(proposer->arena, &array->borders, array->indices, MAX_ZONES, &zones))
        return false;
    double before = (double)size_of(array->indices) * columns * values;
    for (uint32_t z = 0; z < zones.list.count; z++) {
        double size = (double)size_of(zones.list.items[z]) * columns;
        has_zone |= size >= MIN_CELLS;
        after += log_ways(size, (double)cells.count);
    }
    if (!has_zone || before - after < 1) return false; /* P5 */
    for (uint32_t z = 0; z < zones.list.count; z++) {
        struct data_kind zone = zones.list.items[z];
        uint32_t first = (uint32_t)((int64_t)zone.lower - array->indices.lower);
        uint32_t rest = 0;
        for (uint32_t i = 0; i < width; i++) {
            int32_t value = initial_value(proposer, array, first * width + i);
            uint32_t k = number_of_part(&cells.kinds[i], value);
            rest = rest * cells.kinds[i].list.count + k;
        }
        for (uint32_t k = 0; k < cells.count; k++)
            if (k != rest) count_kind(proposer, proposal, array, &cells, k, zone);
    }
    proposal->gain += before - after;
    proposal->counts = true;
    proposal->is_index_seen |=
        array->is_index_seen || (array->inner && array->inner->is_index_seen);
    return true;
}

/* Numbers that are used alike */

/* "r" of r1, r2 and r3; of the first where they have nothing in common. */
static const char *common_name(struct arena *arena, const struct alike *alike) {
    const char *first = alike->list.items[0]->symbol->name;
    size_t size = strlen(first);
    for (uint32_t i = 1; i < alike->list.count; i++)
        while (strncmp(first, alike->list.items[i]->symbol->name, size) != 0) size--;
    while (size && (first[size - 1] == '_' || (first[size - 1] >= '0' && first[size - 1] <= '9')))
        size--;
    return size ? arena_copy(arena, first, size) : first;
}

/* As for an array of them (P3). */
static void add_alike(const struct proposer *proposer, struct merge_proposals *proposals,
                      const struct alike *alike) {
    struct arena *arena = proposer->arena;
    const struct cut_variable *first = alike->list.items[0];
    struct cut_parts kinds, others;
    uint32_t count = alike->list.count;
    struct merge_proposal proposal = {.counts = true};
    bool ok =
        count >= MIN_CELLS && cut_kinds(arena, first, MAX_KINDS, &kinds) && kinds.list.count >= 2;
    for (uint32_t i = 0; i < count && ok; i++) {
        ok = cut_kinds(arena, alike->list.items[i], MAX_KINDS, &others) &&
             others.list.count == kinds.list.count;
        for (uint32_t k = 0; k < kinds.list.count && ok; k++)
            ok = others.list.items[k].lower == kinds.list.items[k].lower;
        VEC_PUSH(arena, &proposal.variables, alike->list.items[i]);
    }
    if (!ok) return;
    proposal.gain =
        count * log2((double)size_of(first->values)) - log_ways(count, (double)kinds.list.count);
    uint32_t rest = number_of_part(&kinds, initial_value(proposer, first, 0));
    for (uint32_t k = 0; k < kinds.list.count; k++) {
        struct data_kind kind = kinds.list.items[k];
        struct buffer text = {0};
        if (k == rest) continue;
        const char *base =
            arena_printf(arena, "%s_%s", common_name(arena, alike), range_word(arena, kind));
        buffer_printf(&text, "%s%s:int[0,%u]=", owner_of(arena, first), fresh(proposer, base),
                      count);
        for (uint32_t i = 0; i < count; i++)
            buffer_printf(&text, "%s(%s)", i ? " + " : "",
                          kind_test(arena, first, alike->list.items[i]->symbol->name, kind));
        VEC_PUSH(arena, &proposal.arguments, buffer_finish(&text, arena));
    }
    if (proposal.gain >= 1) VEC_PUSH(arena, &proposals->list, proposal); /* P5 */
}

/* Numbers */

/* Whether the kinds of a variable's values are half as many at most. */
static bool has_few_kinds(const struct proposer *proposer, const struct cut_variable *variable,
                          struct cut_parts *kinds) {
    return !variable->is_array && !variable->why_not &&
           cut_kinds(proposer->arena, variable, MAX_KINDS, kinds) &&
           kinds->list.count * 2 <= size_of(variable->values);
}

/* Values that are copied to a variable that is kept are told apart. */
static void keep_others(const struct proposer *proposer) {
    const struct cut_list *cuts = proposer->cuts;
    struct cut_parts kinds;
    bool is_more = true;
    for (uint32_t round = 0; is_more && round <= cuts->variables.count; round++) {
        is_more = false; /* each round keeps a class at least */
        for (uint32_t i = 0; i < cuts->variables.count; i++) {
            const struct cut_variable *variable = cuts->variables.items[i];
            if (!variable->is_array && !has_few_kinds(proposer, variable, &kinds))
                is_more |= cut_keep(variable);
        }
    }
}

static bool add_number(const struct proposer *proposer, struct merge_proposal *proposal,
                       const struct cut_variable *variable) {
    struct arena *arena = proposer->arena;
    struct cut_parts kinds;
    struct buffer text = {0};
    const char *name = variable->symbol->name;
    if (!has_few_kinds(proposer, variable, &kinds) || kinds.list.count < 2) return false;
    uint32_t last = kinds.list.count - 1;
    buffer_printf(&text, "%s%s:int[0,%u]=", owner_of(arena, variable),
                  fresh(proposer, arena_printf(arena, "%s_kind", name)), last);
    for (uint32_t k = 0; k < last; k++) {
        struct data_kind kind = kinds.list.items[k];
        buffer_printf(&text, "%s %s %d ? %u : ", name,
                      kind.lower == kind.upper ? "==" : "<=", kind.upper, k);
    }
    buffer_printf(&text, "%u", last);
    VEC_PUSH(arena, &proposal->arguments, buffer_finish(&text, arena));
    proposal->gain += log2((double)size_of(variable->values)) - log2((double)kinds.list.count);
    return true;
}

/* Proposals */

static void add_group(const struct proposer *proposer, struct merge_proposals *proposals,
                      uint32_t first) {
    const struct cut_list *cuts = proposer->cuts;
    struct merge_proposal proposal = {.gain = 0};
    bool has_other = false; /* that is kept, so an index may be seen in it */
    for (uint32_t i = first; i < cuts->variables.count; i++) {
        const struct cut_variable *variable = cuts->variables.items[i];
        if (variable->first_of_group != first) continue;
        bool is_added = variable->is_array ? add_array(proposer, &proposal, variable)
                                           : add_number(proposer, &proposal, variable);
        if (is_added) VEC_PUSH(proposer->arena, &proposal.variables, variable);
        has_other |= !is_added;
    }
    proposal.is_index_seen |= has_other;
    if (proposal.arguments.count && proposal.arguments.count <= MAX_MERGES)
        VEC_PUSH(proposer->arena, &proposals->list, proposal);
}

static void sort(struct merge_proposals *proposals) {
    struct merge_proposal *list = proposals->list.items;
    for (uint32_t i = 1; i < proposals->list.count; i++) {
        struct merge_proposal own = list[i];
        uint32_t at = i;
        for (; at && own.gain > list[at - 1].gain; at--) list[at] = list[at - 1];
        list[at] = own;
    }
}

void merges_propose(struct merge_proposals *proposals, struct arena *arena,
                    const struct network *network, const struct query *queries,
                    uint32_t query_count) {
    struct proposer proposer = {.arena = arena,
                                .network = network,
                                .cuts = cuts_find(arena, network, queries, query_count)};
    *proposals = (struct merge_proposals){.list = {0}};
    if (!proposer.cuts->variables.count) return;
    proposer.bound = fresh(&proposer, "i");
    proposer.other = fresh(&proposer, "j");
    keep_others(&proposer);
    for (uint32_t i = 0; i < proposer.cuts->variables.count; i++)
        if (proposer.cuts->variables.items[i]->first_of_group == i)
            add_group(&proposer, proposals, i);
    struct alike_sets sets;
    alike_find(&sets, arena, network, proposer.cuts);
    for (uint32_t i = 0; i < sets.list.count; i++)
        add_alike(&proposer, proposals, &sets.list.items[i]);
    sort(proposals);
}
