#include "abstract/facts/rules.h"

#include <assert.h>
#include <string.h>

/* The second round of a may-fold: only where it is not exact are there states that the original
 * does not have, in which visible updates could fail. */
static const struct fold_rules inexact_may = {
    .name = "may", .receivers_decline = true, .guards_visible_errors = true};

static const struct fold_rules inexact_mixed = {
    .name = "mixed", .receivers_decline = true, .is_mixed = true, .guards_visible_errors = true};

static const struct fold_rules rules[] = {
    [MODE_MAY] = {.name = "may", .receivers_decline = true, .when_inexact = &inexact_may},
    [MODE_MUST] = {.name = "must", .is_universal = true, .blocks_sends = true, .is_searched = true},
    [MODE_LOWER] = {.name = "must-lower",
                    .is_confined = true,
                    .disclaimer = "the paper's lower construction guarantees nothing"},
    [MODE_MIXED] = {.name = "mixed",
                    .receivers_decline = true,
                    .is_mixed = true,
                    .when_inexact = &inexact_mixed},
};

/* The row of the table; never NULL, never changed. */
const struct fold_rules *rules_of(enum mode mode) {
    assert((size_t)mode < sizeof rules / sizeof *rules);
    /* Over or under, never both: more steps by declining, fewer by what all tuples must allow. */
    assert(!rules[mode].receivers_decline ||
           !(rules[mode].is_universal || rules[mode].blocks_sends));
    return &rules[mode];
}

enum mode mode_named(const char *name) {
    enum mode mode = MODE_MAY;
    while (strcmp(rules[mode].name, name) != 0) {
        assert(mode < MODE_MIXED);
        mode++;
    }
    return mode;
}
