/* LOWER_INTERNAL - what lower.c finds and lower_condition.c says in guards. */
#pragma once

/* The values of a group with which an instance of an edge may start, by where they lead. */
struct edge_outcome {
    struct tuple_set in, out; /* into the target's set, and elsewhere */
};

struct lower_group {
    const struct template *template;
    const bool *scope; /* by location; NULL = everywhere */
    struct variable_cell *cells;
    const struct removal **removals; /* by cell */
    uint32_t cell_count;
    struct tuple_set *sets;        /* by location */
    bool *is_known;                /* by location; the others have all values */
    struct edge_outcome *outcomes; /* by edge */
    bool *names_group;             /* by edge */
    uint32_t **addresses;          /* by process: of the cells */
};

struct lower {
    VEC(struct lower_group *) list;
};

static inline bool lower_is_inside(const struct lower_group *group, uint32_t location) {
    return !group->scope || group->scope[location];
}

static inline const int32_t *lower_row(const struct tuple_set *set, uint32_t index) {
    return set->values + (size_t)index * set->dimension;
}
