/* DATA - variables whose values are only handed on and compared (D1 to D4).
 *
 * Variables and selects that values flow between, or that are compared with each other, are one
 * class. Its range is cut where its values are compared with constants, assigned from constants, or
 * fit one type and not another; what is between two cuts is a kind.
 *
 *     value == this, message = value, message = 0, d : int[1,D]      kinds 0 | this = 1 | 2..D
 *
 * No label tells values of a kind from each other, but whether two of them are the same. So a model
 * has the same steps up to names of values if its selects take fewer of a kind, as long as there is
 * always one that nothing else holds: one is enough if no two are compared. Queries may ask more;
 * then they have no answer with fewer values.
 *
 * Lifetime: everything lives in the arena given.
 */
#pragma once

#include "model/network.h"

enum { DATA_MAX_KINDS = 64 };

struct data_kind {
    int32_t lower, upper;
};

struct data_class {
    VEC(const struct symbol *) variables; /* in the order of declaration */
    VEC(const struct symbol *) selects;   /* of edges and quantifiers */
    VEC(int64_t) cuts;                    /* least values of kinds; private, use kinds */
    VEC(struct data_kind) kinds;          /* ascending, from the least to the greatest value */
    VEC(const struct expr *) named;       /* names of constants that cut it */
    VEC(uint32_t) asking;                 /* queries that fewer values do not answer */
    uint32_t enough;                      /* so many values of a kind are as good as all */
    bool is_compared;                     /* labels compare two of them */
    const char *why_not;                  /* it is none: values are used otherwise; NULL = it is */
    position at;                          /* where */
    const struct symbol *own;             /* private: that it was made for */
    struct data_class *joined;            /* private: the class that this one is part of */
};

struct data {
    struct arena *arena;
    const struct network *network;
    struct map of; /* by symbol */
    VEC(struct data_class *) classes;
};

/* All classes that have a variable. Labels, functions and what queries compare with constants
 * count. */
const struct data *data_find(struct arena *arena, const struct network *network);
/* The class of a variable or select; NULL if it has none, or is used otherwise. */
const struct data_class *data_class_of(const struct data *data, const struct symbol *symbol);

/* The value of an expression that can be computed and is the same in all processes. */
bool data_fixed_value(const struct expr *expr, int64_t *value);
/* The range of a type of numbers; false if it is none, or not the same in all processes. */
bool data_range_of(const struct type *type, int64_t *lower, int64_t *upper);

/* Whether a query is answered with enough values only. */
bool data_answers(const struct data_class *class, uint32_t query);

/* The shortest part of a range, cut as the class is, with enough values of each of its kinds. */
struct data_kind data_enough_of(const struct data_class *class, struct data_kind range);

/* Selects that take fewer values than their types have. */
struct narrowed_selects {
    struct map of; /* by symbol: a struct data_kind; without an arena: none */
};
/* NULL if the select takes all values of its type; the list may be NULL. */
static inline const struct data_kind *narrowed_range(const struct narrowed_selects *selects,
                                                     const struct symbol *select) {
    return selects && selects->of.count ? map_get(&selects->of, map_key(select)) : NULL;
}
