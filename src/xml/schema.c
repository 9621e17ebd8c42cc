#include "xml/schema.h"

#include <assert.h>
#include <string.h>

static const struct rule rules[] = {
    /* parent, name, rank, is_single, has_text, has_children */
    {"nta", "imports", 0, false, false, false},
    {"nta", "declaration", 1, true, true, false},
    {"nta", "template", 2, false, false, true},
    {"nta", "lsc", 3, false, false, false},
    {"nta", "instantiation", 4, true, true, false},
    {"nta", "system", 5, true, true, false},
    {"nta", "simulator", 6, false, false, false},
    {"nta", "queries", 7, true, false, true},
    {"template", "transition", 6, false, false, true},
    {"template", "location", 3, false, false, true},
    {"template", "name", 0, true, true, false},
    {"template", "parameter", 1, true, true, false},
    {"template", "declaration", 2, true, true, false},
    {"template", "branchpoint", 4, false, false, false},
    {"template", "init", 5, true, false, false},
    {"location", "name", 0, true, true, false},
    {"location", "label", 1, false, true, false},
    {"location", "urgent", 2, true, false, false},
    {"location", "committed", 2, true, false, false},
    {"transition", "source", 0, true, false, false},
    {"transition", "target", 1, true, false, false},
    {"transition", "label", 2, false, true, false},
    {"transition", "nail", 3, false, false, false},
    {"queries", "query", 0, false, false, true},
    {"queries", "option", 0, false, false, false},
    {"query", "formula", 0, true, true, false},
    {"query", "comment", 0, true, true, false},
    {"query", "option", 0, false, false, false},
    {"query", "expect", 0, false, false, false},
    {"query", "result", 0, false, false, false},
};

enum { RULE_COUNT = sizeof rules / sizeof rules[0] };

const struct rule *schema_find(const char *parent, const char *name) {
    if (!strcmp(parent, "project")) parent = "nta";
    for (size_t i = 0; i < RULE_COUNT; i++)
        if (rules[i].name[0] == name[0] && !strcmp(rules[i].name, name) &&
            !strcmp(rules[i].parent, parent))
            return &rules[i];
    return NULL;
}

static_assert(RULE_COUNT <= 64, "schema_bit needs one bit a rule");

uint64_t schema_bit(const struct rule *rule) { return UINT64_C(1) << (rule - rules); }

bool schema_is_known(const char *name) {
    for (size_t i = 0; i < RULE_COUNT; i++)
        if (!strcmp(rules[i].name, name)) return true;
    return false;
}

/* Number of insertions, removals, changes and swaps of neighbours between two short words. */
static size_t word_distance(const char *left, const char *right) {
    enum { SIZE = 24 };
    size_t rows[3][SIZE] = {{0}}, right_size = strlen(right), left_size = strlen(left);
    if (left_size >= SIZE || right_size >= SIZE) return SIZE;
    for (size_t j = 0; j <= right_size; j++) rows[0][j] = j;
    for (size_t i = 1; i <= left_size; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= right_size; j++) {
            row[j] = above[j - 1] + (left[i - 1] != right[j - 1]);
            if (above[j] + 1 < row[j]) row[j] = above[j] + 1;
            if (row[j - 1] + 1 < row[j]) row[j] = row[j - 1] + 1;
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] &&
                second[j - 2] + 1 < row[j])
                row[j] = second[j - 2] + 1;
        }
    }
    return rows[left_size % 3][right_size];
}

const char *schema_similar_kind(const char *kind) {
    static const char *const kinds[] = {"select",    "guard",       "synchronisation", "assignment",
                                        "invariant", "probability", "exponentialrate"};
    static const struct {
        const char *wrong, *right;
    } synonyms[] = {{"update", "assignment"},    {"updates", "assignment"},
                    {"assign", "assignment"},    {"effect", "assignment"},
                    {"sync", "synchronisation"}, {"rate", "exponentialrate"},
                    {"weight", "probability"}};
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++)
        if (!strcmp(kind, synonyms[i].wrong)) return synonyms[i].right;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (word_distance(kind, kinds[i]) <= 2) return kinds[i];
    return NULL;
}
