/* STAYING - where a process of the original may have no internal step of its own, for some values
 * of what was removed.
 *
 * An internal edge counts only if nothing but its guard can keep its step out (stuck.h), and
 * nothing in it may fail. Where the errors of the original are not known, it is taken to have none;
 * that is said (may_fail).
 */
#pragma once

#include "abstract/claim/stuck.h"
#include "abstract/fold/partition.h"
#include "abstract/fold/residual.h"
#include "model/errors.h"

struct staying {
    struct folder folder;
    struct sure_steps sure;
    bool has_urgent; /* a process also stays where some urgent edge is disabled */
    struct original_errors *errors;
    const char *may_fail; /* what must not fail, where the errors are not known; or NULL */
    /* of one location */
    struct partition partition;
    VEC(const struct open_edge *) sure_edges; /* internal edges that nothing hinders */
    VEC(const struct open_edge *) urgent;     /* edges on urgent channels */
    VEC(uint32_t) sure_cells;                 /* such internal edges that touch merged cells */
    bool is_always; /* an urgent edge may be disabled by more than its guard */
};

struct staying staying_of(struct abstraction *abstraction, bool has_urgent);
/* Whether the guard says that the step is possible, as far as errors are known. */
bool staying_relies_on(struct staying *staying, const struct open_edge *open);
/* Where a process at a location with edges may have to stay; NULL = everywhere. Over. */
const struct expr *staying_guard(struct staying *staying, const struct location_fold *fold);
