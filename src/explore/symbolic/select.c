/* Goes down a set and a term together. */
#include "explore/symbolic/select.h"

#include <assert.h>
#include <stdlib.h>

enum {
    MAX_DEPTH = 4, /* of conditions that are decided for a whole set */
    MAX_ENTRIES =
        1 << 20 /* extremes that are remembered; with more, no set is decided as a whole */
};

/* serial: another one for each selection of the same ldd. Borrows all. */
void selector_init(struct selector *selector, struct ldd *ldd, struct terms *terms,
                   uint32_t serial) {
    assert(serial <= SELECTIONS_MAX); /* with the selection a part of an operation */
    *selector = (struct selector){.ldd = ldd, .terms = terms, .serial = serial};
}

/* Frees heap memory; selected sets stay in the ldd. */
void selector_close(struct selector *selector) {
    free(selector->entries);
    index_close(&selector->index);
}

static bool is_over(const struct selector *selector) {
    return selector->terms->has_failed || ldd_is_over(selector->ldd);
}

/* Extremes */

static uint64_t hash_entry(uint32_t set, uint32_t level, uint32_t term) {
    return index_mix(level, (uint64_t)set << 32 | term);
}

static const struct extremes *find(const struct selector *selector, uint32_t set, uint32_t level,
                                   uint32_t term) {
    struct index_probe probe = index_begin(hash_entry(set, level, term));
    while (index_next(&selector->index, &probe)) {
        const struct selector_entry *entry = &selector->entries[probe.number];
        if (entry->set == set && entry->level == level && entry->term == term)
            return &entry->extremes;
    }
    return NULL;
}

static void note(struct selector *selector, struct selector_entry entry) {
    uint32_t number = (uint32_t)selector->index.count;
    index_add(&selector->index, hash_entry(entry.set, entry.level, entry.term), number);
    memory_room(&selector->index.memory, (void **)&selector->entries, &selector->capacity,
                selector->index.count, sizeof entry);
    selector->entries[number] = entry;
}

void extremes_join(struct extremes *into, struct extremes other) {
    if (!other.is_found) return;
    if (!into->is_found || other.lower < into->lower) into->lower = other.lower;
    if (!into->is_found || other.upper > into->upper) into->upper = other.upper;
    into->is_found = true;
}

/* Takes the constant off a sum. It moves the extremes by as much, so that sums which differ in it
 * alone are looked at once. */
static int32_t take_constant(struct terms *terms, uint32_t *index) {
    const struct term *term = term_at(terms, *index);
    int32_t constant = term->a;
    if (term->kind != TERM_SUM || (int64_t)term->lower - constant < INT32_MIN ||
        (int64_t)term->upper - constant > INT32_MAX)
        return 0;
    if (constant) *index = term_add(terms, *index, 1, *index, 0, -(int64_t)constant);
    return constant;
}

static struct extremes shifted(struct extremes extremes, int32_t by) {
    extremes.lower += by;
    extremes.upper += by;
    return extremes;
}

struct extremes select_extremes(struct selector *selector, uint32_t set, uint32_t level,
                                uint32_t index) {
    const struct ldd *ldd = selector->ldd;
    struct extremes result = {0};
    if (set == LDD_NONE || is_over(selector)) return result;
    const struct term *term = term_at(selector->terms, index);
    assert(term->kind != TERM_FAULT);
    assert(term->first >= level);
    if (term->first == NO_LEVEL) return (struct extremes){true, term->a, term->a};
    int32_t constant = take_constant(selector->terms, &index);
    const struct extremes *known = find(selector, set, level, index);
    if (known) return shifted(*known, constant);
    for (uint32_t at = set; at && !selector->terms->has_failed; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t rest = term_know(selector->terms, index, level, node.value);
        extremes_join(&result, select_extremes(selector, node.down, level + 1, rest));
    }
    ldd_work(selector->ldd, 1);
    note(selector, (struct selector_entry){set, level, index, result});
    return shifted(result, constant);
}

/* Vectors */

enum truth { NEVER, ALWAYS, OPEN };

/* Of a sum that may be at most, or exactly, a number. */
static enum truth truth_of_bound(const struct term *term, struct extremes sum) {
    assert(term->kind == TERM_AT_MOST || term->kind == TERM_EQUAL);
    bool is_at_most = term->kind == TERM_AT_MOST;
    if (!sum.is_found || sum.lower > term->a) return NEVER;
    if (is_at_most) return sum.upper <= term->a ? ALWAYS : OPEN;
    if (sum.upper < term->a) return NEVER;
    return sum.lower == sum.upper ? ALWAYS : OPEN;
}

/* Whether comparisons of sums hold in all vectors of a set, or in none, by the extremes of sums.
 * OPEN if that differs, or if extremes do not tell. It is not asked where something may fail: there
 * a sum may have no value in vectors in which the condition does not need it. */
static enum truth truth_in(struct selector *selector, uint32_t set, uint32_t level, uint32_t index,
                           uint32_t depth) {
    const struct term term = *term_at(selector->terms, index);
    if (term.kind == TERM_CONSTANT) return term.a ? ALWAYS : NEVER;
    if (selector->terms->faults.count || depth == MAX_DEPTH) return OPEN;
    if (selector->index.count >= MAX_ENTRIES) return OPEN;
    if (term.kind == TERM_IF) {
        enum truth condition = truth_in(selector, set, level, (uint32_t)term.a, depth + 1);
        if (condition == OPEN) return OPEN;
        return truth_in(selector, set, level, condition == ALWAYS ? term.b : term.c, depth + 1);
    }
    bool is_bound = term.kind == TERM_AT_MOST || term.kind == TERM_EQUAL;
    if (!is_bound || term_at(selector->terms, term.b)->kind != TERM_SUM) return OPEN;
    struct extremes sum = select_extremes(selector, set, level, term.b);
    return is_over(selector) ? OPEN : truth_of_bound(&term, sum);
}

uint32_t select_vectors(struct selector *selector, uint32_t set, uint32_t level, uint32_t index,
                        enum selection selection) {
    struct ldd *ldd = selector->ldd;
    if (set == LDD_NONE || is_over(selector)) return LDD_NONE;
    const struct term *term = term_at(selector->terms, index);
    assert(term->first >= level);
    bool is_true = term->kind == TERM_CONSTANT && term->a != 0;
    if (term->first == NO_LEVEL)
        return (selection == SELECT_TRUE ? is_true : term->kind == TERM_FAULT) ? set : LDD_NONE;
    enum truth truth = selection == SELECT_TRUE ? truth_in(selector, set, level, index, 0) : OPEN;
    if (truth != OPEN) return truth == ALWAYS ? set : LDD_NONE;
    uint32_t operation = LDD_SELECT | (selector->serial * 2 + selection) << 8, result;
    if (ldd_recall(ldd, operation, set, index, level, &result)) return result;
    size_t mark = ldd_mark(ldd);
    for (uint32_t at = set; at; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t rest = term_know(selector->terms, index, level, node.value);
        if (selector->terms->has_failed) break;
        ldd_push(ldd, node.value, select_vectors(selector, node.down, level + 1, rest, selection));
    }
    result = ldd_list(ldd, mark, LDD_NONE);
    if (!is_over(selector)) ldd_store(ldd, operation, set, index, level, result);
    return result;
}
