/* OPTIONS - a command line that was read, and what the commands share. */
#ifndef VARABS_CLI_OPTIONS_H
#define VARABS_CLI_OPTIONS_H

#include "abstract/claim/guarantee.h"
#include "cli/table.h"
#include "explore/verdict/verify.h"
#include "session/queries.h"

/* Names that options list, as they are given. */
enum name_list {
    LIST_VISIBLE,
    LIST_HIDE,
    LIST_WEAK,
    LIST_STRONG,
    LIST_ABSTRACT_WEAK,
    LIST_ABSTRACT_STRONG,
    LIST_COUNT
};

struct options {
    enum command command;
    bool wants_overview;              /* help without a command */
    const char *input, *second;       /* second: of certify and draw */
    const char *values[OPTION_COUNT]; /* the last given; "" for options without argument */
    const char **removals;            /* of certify: what is ignored */
    uint32_t removal_count;
    const char **checked;
    uint32_t checked_count;
    const char **merges, **specs;
    uint32_t merge_count, spec_count;
    struct query_source *queries;
    uint32_t query_count;
    const char **lists[LIST_COUNT];
    uint32_t list_counts[LIST_COUNT];
    bool wants_failures; /* of refines */
    struct abstract_options abstract;
    struct verify_options verify; /* limits that were not given are 0 */
    uint64_t look; /* states of the first one at the model without removals; 0 = as it suits */
};

/* False after an error, which is printed. */
bool options_parse(struct options *options, int argc, char **argv, struct arena *arena);
/* The names of all --ignore. */
const char **options_ignored(const struct options *options, struct arena *arena, uint32_t *count);

/* The names in a list, one by one. */
const char **options_names(const struct options *options, enum name_list list, struct arena *arena,
                           uint32_t *count);

#endif
