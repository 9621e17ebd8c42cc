/* SCHEMA - which elements Uppaal's reader knows inside which, and in what order.
 *
 * Source: flat-1_6.dtd and the order in which Uppaal's own library reads; where the two differ
 *         the library counts. Charts and stored results are known but their content is not.
 */
#pragma once

#include "base/str.h"

struct rule {
    const char *parent, *name;
    uint8_t rank;   /* siblings come in ascending rank */
    bool is_single; /* at most one per parent */
    bool has_text;  /* its text means something */
    bool has_children;
};

/* The rule for an element below a parent, or NULL if Uppaal does not know it there. */
const struct rule *schema_find(const char *parent, const char *name);

/* A number with one bit set, different for each rule. */
uint64_t schema_bit(const struct rule *rule);

/* Whether the element is known below some other parent. */
bool schema_is_known(const char *name);

/* The label kind that may have been meant by an unknown one, or NULL. */
const char *schema_similar_kind(const char *kind);
