/* Goes down a set and a term together. */
#include "explore/symbolic/select.h"

#include <assert.h>
#include <stdlib.h>

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

uint32_t select_vectors(struct selector *selector, uint32_t set, uint32_t level, uint32_t index,
                        enum selection selection) {
    struct ldd *ldd = selector->ldd;
    if (set == LDD_NONE || is_over(selector)) return LDD_NONE;
    const struct term *term = term_at(selector->terms, index);
    assert(term->first >= level);
    bool is_true = term->kind == TERM_CONSTANT && term->a != 0;
    if (term->first == NO_LEVEL)
        return (selection == SELECT_TRUE ? is_true : term->kind == TERM_FAULT) ? set : LDD_NONE;
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

struct extremes select_extremes(struct selector *selector, uint32_t set, uint32_t level,
                                uint32_t index) {
    const struct ldd *ldd = selector->ldd;
    struct extremes result = {0};
    if (set == LDD_NONE || is_over(selector)) return result;
    const struct term *term = term_at(selector->terms, index);
    assert(term->kind != TERM_FAULT);
    assert(term->first >= level);
    if (term->first == NO_LEVEL) return (struct extremes){true, term->a, term->a};
    const struct extremes *known = find(selector, set, level, index);
    if (known) return *known;
    for (uint32_t at = set; at && !selector->terms->has_failed; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t rest = term_know(selector->terms, index, level, node.value);
        extremes_join(&result, select_extremes(selector, node.down, level + 1, rest));
    }
    ldd_work(selector->ldd, 1);
    note(selector, (struct selector_entry){set, level, index, result});
    return result;
}
