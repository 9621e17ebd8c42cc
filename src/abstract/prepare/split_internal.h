/* Internals of the split: groups of processes, and what carries them in the new model. */
#pragma once

#include "abstract/prepare/split.h"
#include "abstract/request/named.h"

struct split_node;

/* Neighbours of one set and one group: all values between lower and upper of each parameter. */
struct split_run {
    const struct split_set *set;
    uint32_t group;
    int32_t *lower, *upper;
    const char *name; /* on the system line */
    bool is_part;     /* needs a partial instantiation */
};

/* An entry of the system line. */
struct split_set {
    const struct symbol *symbol;
    struct split_node *node; /* NULL if its template is not split */
    uint32_t first, count;   /* processes */
    struct symbol *const *parameters;
    uint32_t parameter_count;
    int32_t *lower, *upper; /* of the parameters */
    struct split_run *runs;
    uint32_t run_count;
};

/* A template or instantiation that processes of split templates come from, by group. */
struct split_node {
    const struct symbol *symbol;
    struct split_node *base; /* NULL for a template */
    struct split_groups *groups;
    const char **names;                 /* NULL where no process of the group uses it */
    uint32_t *uses;                     /* sets and instantiations made of it */
    const struct split_run **restricts; /* to which its parameters are restricted, or NULL */
    uint32_t keeper;                    /* the group for which it stays where it is */
};

/* The groups of one template; group 0 keeps the original. */
struct split_groups {
    const struct template *template;
    uint32_t count;
    const char **keys; /* by group: what its processes pass to reference parameters */
    const char ***ids; /* by group and node of the template: its id in the copy */
};

/* A word of a --remove argument. */
struct split_word {
    struct str text;
    struct named_variable named;
    bool *is_selected; /* by process; NULL = all of its template, or global */
    uint32_t argument;
};

struct splitter {
    struct arena *arena;
    const struct network *network;
    const struct model *model;
    struct diag *diag;
    struct split *split;
    struct splices *splices;
    struct environment environment; /* globals only */
    VEC(struct split_word) words;
    struct split_groups *groups; /* by template index */
    uint32_t *group_of;          /* by process */
    struct split_set *sets;      /* by place on the system line */
    struct map set_of, node_of;  /* by symbol */
    VEC(struct split_node *) nodes;
    uint32_t run_count;
    size_t text_size;          /* written for expressions so far */
    const position *places;    /* by argument; NULL = on the command line */
    const char *const *scopes; /* by argument: the text after its @, or NULL */
    uint32_t merged_from;      /* the first argument of a merge */
};

/* split_select.c: reads words and their selections, fills sets. */
bool split_read_words(struct splitter *splitter, const char *const *arguments, uint32_t count);
bool split_find_sets(struct splitter *splitter);

/* split_sets.c: from groups to runs, nodes and names. */
bool split_make_runs(struct splitter *splitter);

/* split_write.c: the edits of the document. False (reported) if they become too long. */
bool split_write(struct splitter *splitter);

/* split_query.c: an edit for each place in an expression that names processes anew. False if the
 * text becomes too long. */
bool split_rewrite_expr(struct splitter *splitter, const struct expr *expr,
                        struct text_edit **edits, uint32_t *count);
