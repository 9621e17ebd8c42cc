/* Goes down a set and a term together. */
#include "explore/symbolic/select.h"

#include "base/arena.h"

#include <assert.h>
#include <stdlib.h>

/* serial: another one for each selection of the same ldd. Borrows all. */
void selector_init(struct selector *selector, struct ldd *ldd, struct terms *terms,
                   uint32_t serial) {
    assert(serial < 1u << 23); /* with the selection a part of an operation */
    *selector = (struct selector){.ldd = ldd, .terms = terms, .serial = serial};
}

/* Frees heap memory; selected sets stay in the ldd. */
void selector_close(struct selector *selector) { free(selector->entries); }

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

static struct selector_entry *place_of(const struct selector *selector, uint32_t set,
                                       uint32_t level, uint32_t term) {
    uint64_t hash = ((uint64_t)set << 32 | term) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 29 ^ level) * UINT64_C(0xD1B54A32D192ED03);
    uint32_t at = (uint32_t)(hash >> 32) & (selector->capacity - 1);
    for (;; at = (at + 1) & (selector->capacity - 1)) {
        struct selector_entry *entry = &selector->entries[at];
        if (!entry->is_used || (entry->set == set && entry->level == level && entry->term == term))
            return entry;
    }
}

static void reserve(struct selector *selector) {
    struct selector old = *selector;
    if (selector->count * 2 < selector->capacity) return;
    selector->capacity = old.capacity ? old.capacity * 2 : 1 << 10;
    selector->entries = heap_resize(NULL, selector->capacity, sizeof *selector->entries);
    for (uint32_t i = 0; i < selector->capacity; i++)
        selector->entries[i] = (struct selector_entry){0};
    for (uint32_t i = 0; i < old.capacity; i++) {
        const struct selector_entry *entry = &old.entries[i];
        if (entry->is_used) *place_of(selector, entry->set, entry->level, entry->term) = *entry;
    }
    free(old.entries);
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
    reserve(selector);
    struct selector_entry *entry = place_of(selector, set, level, index);
    if (entry->is_used) return entry->extremes;
    for (uint32_t at = set; at && !selector->terms->has_failed; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        uint32_t rest = term_know(selector->terms, index, level, node.value);
        extremes_join(&result, select_extremes(selector, node.down, level + 1, rest));
    }
    ldd_work(selector->ldd, 1);
    reserve(selector);
    entry = place_of(selector, set, level, index); /* the table may have grown */
    *entry = (struct selector_entry){set, level, index, true, result};
    selector->count++;
    return result;
}
