/* ACCESS - what a piece of text reads and writes, and whether it may run in another order (Y8, Y9).
 *
 * An access is to a variable, with the names that stand as indices: a[i][j] has i and j as keys.
 * Two runs of a text, for two values of a name, commute if each writes only cells that have that
 * name as an index, of arrays that both use there only; or only adds to, or sets to the same
 * constant, or conjoins or disjoins, something that neither reads.
 *
 * Lifetime: in the arena given; not to be copied.
 * Errors:   over-approximates. What a function with reference parameters does, and past some
 *           thousand calls all that is called, is taken for the whole of each variable.
 */
#pragma once

#include "base/vec.h"
#include "model/network.h"

enum { ACCESS_KEYS = 4 };

enum access_kind {
    ACCESS_READ,
    ACCESS_WRITE,
    ACCESS_ADD,      /* of something that is not negative; read nowhere */
    ACCESS_SUBTRACT, /* likewise */
    ACCESS_AND,
    ACCESS_OR,
    ACCESS_SET /* to a constant */
};

struct access {
    const struct symbol *root;
    const struct symbol *keys[ACCESS_KEYS]; /* by dimension; NULL = something else */
    enum access_kind kind;
    int64_t value; /* of ACCESS_SET */
    struct span span;
};

struct text_accesses {
    struct arena *arena;
    const struct network *network;
    VEC(struct access) list;
    VEC(const struct symbol *) own; /* names that are declared inside */
    const struct map *counting;     /* by symbol: variables of loops, which start anew; or NULL */
    const struct map *skipped;      /* by statement: those that belong to heads of loops */
    uint32_t depth, *calls;         /* inside each other, and in all, that were gone into */
    uint32_t own_calls;
    bool is_unknown;                /* there is more than the list says */
    bool returns, returns_constant; /* constant: always the same one */
    bool may_fail;                  /* not only where a value leaves its range */
    int64_t returned;
};

void accesses_init(struct text_accesses *accesses, struct arena *arena,
                   const struct network *network);
void accesses_add_list(struct text_accesses *accesses, const struct expr_list *list);
void accesses_add_statement(struct text_accesses *accesses, const struct statement *statement);

/* Whether rounds of a loop commute whose body this is. */
bool accesses_are_rounds(const struct text_accesses *accesses, const struct symbol *bound,
                         struct span *at);
/* Whether two updates commute, of different processes; for parameters of the templates says whether
 * those have different values there. */
bool accesses_commute(const struct text_accesses *left, const struct text_accesses *right,
                      bool (*differ)(const void *context, const struct symbol *left,
                                     const struct symbol *right),
                      const void *context);
