#include "abstract/cells/sure.h"

#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"

#include <assert.h>

/* The members of one edge or two. */
struct sure_search {
    const struct counts *counts;
    const struct cell_group *group;
    struct arena *arena;
    const struct sure_edge *edges[2];
    uint32_t edge_count;
    const struct expr *sure; /* so far; NULL = always */
};

/* Whether nothing visible tells which cells it touches, or what they become, which may not fit. */
static bool is_hidden(const struct cell_member *member) {
    bool is_seen = false;
    for (uint32_t c = 0; c < member->of->cell_count; c++)
        is_seen |= member->of->is_seen[c] || member->becomes[c] == NO_SLOT;
    return !is_seen;
}

static void add_case(struct sure_search *search, const struct expr *guard,
                     const struct expr *test) {
    const struct expr *both = build_and(search->arena, guard, test);
    if (!search->sure || (both && expr_is_false(both))) return;
    search->sure = !both                         ? NULL
                   : expr_is_false(search->sure) ? both
                                                 : build_or(search->arena, search->sure, both);
}

/* One cell: all kinds of an atom have a member. */
static void add_single(struct sure_search *search, uint32_t zone, uint32_t atom) {
    const struct counts *counts = search->counts;
    const struct cell_zone *of = &search->group->zones[zone];
    const struct expr *guard = NULL;
    bool is_in[CELLS_MAX_KINDS] = {false};
    assert(zone < search->group->zone_count && atom < counts->atom_count[zone]);
    for (uint32_t k = 0; k < of->kinds.count; k++) {
        bool has_one = counts->atom_of[zone][k] != atom;
        for (uint32_t e = 0; e < search->edge_count && !has_one; e++)
            for (uint32_t i = 0; i < search->edges[e]->members->list.count && !has_one; i++) {
                const struct cell_member *member = search->edges[e]->members->list.items[i];
                has_one = member->of->cell_count == 1 && member->of->zone[0] == zone &&
                          member->kind[0] == k && member->of->is_closed && is_hidden(member);
                if (has_one) guard = build_and(search->arena, guard, search->edges[e]->guards[i]);
            }
        if (!has_one) return;
    }
    is_in[atom] = true;
    add_case(search, guard, counts_at_least(counts, zone, is_in, 1));
}

/* Two cells: one of a kind of its own each. */
struct kind_pair {
    uint32_t zone[2], kind[2];
};

static bool is_pair(const struct cell_member *member, const struct kind_pair *pair,
                    uint32_t first) {
    return member->of->zone[first] == pair->zone[0] && member->kind[first] == pair->kind[0] &&
           member->of->zone[1 - first] == pair->zone[1] && member->kind[1 - first] == pair->kind[1];
}

/* Whether the member touches cell p as the first of the pair, and q as the second. */
static bool touches(const struct sure_search *search, const struct cell_member *member,
                    const struct kind_pair *pair, uint32_t p, uint32_t q) {
    uint32_t size = search->group->position_count;
    const bool *pairs = member->of->pairs;
    return pairs && ((is_pair(member, pair, 0) && pairs[p * size + q]) ||
                     (is_pair(member, pair, 1) && pairs[q * size + p]));
}

/* Whether all cells of two kinds have a member; adds its guards. */
static bool pair_is_covered(const struct sure_search *search, const struct kind_pair *pair,
                            const struct expr **guard) {
    const struct cell_group *group = search->group;
    for (uint32_t p = 0; p < group->position_count; p++)
        for (uint32_t q = 0; q < group->position_count; q++) {
            bool is_found =
                p == q || group->zone_of[p] != pair->zone[0] || group->zone_of[q] != pair->zone[1];
            for (uint32_t e = 0; e < search->edge_count && !is_found; e++)
                for (uint32_t i = 0; i < search->edges[e]->members->list.count && !is_found; i++) {
                    const struct cell_member *member = search->edges[e]->members->list.items[i];
                    is_found = member->of->cell_count == 2 && is_hidden(member) &&
                               touches(search, member, pair, p, q);
                    if (is_found)
                        *guard = build_and(search->arena, *guard, search->edges[e]->guards[i]);
                }
            if (!is_found) return false;
        }
    return true;
}

static void add_pair(struct sure_search *search, const struct cell_member *seed) {
    const struct counts *counts = search->counts;
    const struct expr *guard = NULL, *test = NULL;
    struct kind_pair pair = {{seed->of->zone[0], seed->of->zone[1]}, {0}};
    uint32_t atoms[2];
    assert(seed->of->cell_count == 2 && seed->of->pairs);
    for (uint32_t c = 0; c < 2; c++) atoms[c] = counts->atom_of[pair.zone[c]][seed->kind[c]];
    for (pair.kind[0] = 0; pair.kind[0] < search->group->zones[pair.zone[0]].kinds.count;
         pair.kind[0]++)
        for (pair.kind[1] = 0; pair.kind[1] < search->group->zones[pair.zone[1]].kinds.count;
             pair.kind[1]++) {
            if (counts->atom_of[pair.zone[0]][pair.kind[0]] != atoms[0] ||
                counts->atom_of[pair.zone[1]][pair.kind[1]] != atoms[1])
                continue;
            if (!pair_is_covered(search, &pair, &guard)) return;
        }
    bool is_same = pair.zone[0] == pair.zone[1] && atoms[0] == atoms[1];
    for (uint32_t c = 0; c < (is_same ? 1 : 2); c++) {
        bool is_in[CELLS_MAX_KINDS] = {false};
        is_in[atoms[c]] = true;
        test = build_and(search->arena, test,
                         counts_at_least(counts, pair.zone[c], is_in, is_same ? 2 : 1));
    }
    add_case(search, guard, test);
}

/* Whether an earlier member asks for cells of the same atoms. */
static bool was_seed(const struct sure_search *search, const struct member_list *list,
                     uint32_t at) {
    const struct cell_member *seed = list->list.items[at];
    bool was = false;
    for (uint32_t i = 0; i < at && !was; i++) {
        const struct cell_member *other = list->list.items[i];
        was = other->of->cell_count == 2;
        for (uint32_t c = 0; c < 2 && was; c++)
            was = other->of->zone[c] == seed->of->zone[c] &&
                  search->counts->atom_of[seed->of->zone[c]][other->kind[c]] ==
                      search->counts->atom_of[seed->of->zone[c]][seed->kind[c]];
    }
    return was;
}

static void look(struct sure_search *search) {
    for (uint32_t z = 0; z < search->group->zone_count; z++)
        for (uint32_t a = 0; a < search->counts->atom_count[z]; a++) add_single(search, z, a);
    const struct member_list *seeds = search->edges[0]->members;
    for (uint32_t i = 0; i < seeds->list.count; i++)
        if (seeds->list.items[i]->of->cell_count == 2 && is_hidden(seeds->list.items[i]) &&
            seeds->list.items[i]->of->pairs && !was_seed(search, seeds, i))
            add_pair(search, seeds->list.items[i]);
}

const struct expr *sure_by_counts(const struct counts *counts, const struct sure_edge *edges,
                                  uint32_t count) {
    struct sure_search search = {.counts = counts,
                                 .group = counts->group,
                                 .arena = counts->group->context->arena,
                                 .sure = build_bool(counts->group->context->arena, false)};
    assert(count <= SURE_MAX_EDGES);
    for (uint32_t e = 0; e < count; e++)
        for (uint32_t f = e; f < count; f++) {
            search.edges[0] = &edges[e];
            search.edges[1] = &edges[f];
            search.edge_count = f == e ? 1 : 2;
            look(&search);
        }
    return search.sure;
}
