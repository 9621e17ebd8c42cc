/* Which processes the --remove arguments select. */
#include "abstract/prepare/split_internal.h"
#include "expr/find.h"

#include <assert.h>
#include <stdlib.h>

__attribute__((format(printf, 4, 5))) static bool refuse(struct splitter *splitter,
                                                         const struct split_word *word,
                                                         enum status status, const char *format,
                                                         ...) {
    va_list arguments;
    va_start(arguments, format);
    position at = splitter->places ? splitter->places[word->argument] : 0;
    diag_error(splitter->diag, status, at, "%s%.*s: %s", at ? "" : "--remove ",
               (int)word->text.size, word->text.data,
               arena_vprintf(splitter->arena, format, arguments));
    va_end(arguments);
    return false;
}

/* Sets */

static bool find_ranges(struct splitter *splitter, struct split_set *set) {
    set->lower = ARENA_ARRAY(splitter->arena, int32_t, set->parameter_count);
    set->upper = ARENA_ARRAY(splitter->arena, int32_t, set->parameter_count);
    for (uint32_t k = 0; k < set->parameter_count; k++) {
        const struct shape *shape = eval_shape(&splitter->environment, set->parameters[k]->type);
        if (!shape) return false; /* the network had refused it */
        assert(shape->lower <= shape->upper);
        set->lower[k] = shape->lower;
        set->upper[k] = shape->upper;
    }
    return true;
}

/* All sets of processes, in order; false only for ranges that a network cannot have. */
bool split_find_sets(struct splitter *splitter) {
    const struct model *model = splitter->model;
    uint32_t process = 0;
    splitter->sets = ARENA_ARRAY(splitter->arena, struct split_set, model->process_count);
    for (uint32_t i = 0; i < model->process_count; i++) {
        struct split_set *set = &splitter->sets[i];
        const struct symbol *symbol = model->processes[i].symbol;
        const struct instance *instance = symbol->kind == SYMBOL_INSTANCE ? symbol->instance : NULL;
        *set = (struct split_set){.symbol = symbol,
                                  .first = process,
                                  .parameters = instance ? instance->parameters
                                                         : symbol->template->parameters,
                                  .parameter_count = instance ? instance->parameter_count
                                                              : symbol->template->parameter_count};
        while (process < splitter->network->process_count &&
               splitter->network->processes[process].symbol == symbol)
            process++;
        set->count = process - set->first;
        map_put(&splitter->set_of, map_key(symbol), set);
        if (!find_ranges(splitter, set)) return false;
    }
    assert(process == splitter->network->process_count); /* each process is of one set */
    return true;
}

/* Selections */

/* Reads "2", "2..4", "..3", "2.." or "..". */
static bool read_range(struct str text, int64_t *lower, int64_t *upper) {
    char *end;
    const char *at = text.data, *stop = text.data + text.size;
    bool has_lower = at < stop && *at != '.';
    if (has_lower) {
        *lower = strtol(at, &end, 10);
        if (end == at || end > stop || *lower < INT32_MIN || *lower > INT32_MAX) return false;
        at = end;
        if (at == stop) *upper = *lower;
    }
    if (at == stop) return has_lower;
    if (stop - at < 2 || at[0] != '.' || at[1] != '.') return false;
    at += 2;
    if (at == stop) return true;
    *upper = strtol(at, &end, 10);
    return end == stop && *upper >= INT32_MIN && *upper <= INT32_MAX;
}

/* Adds the values of "RANGE;RANGE..." of parameter k. */
static bool read_ranges(struct splitter *splitter, const struct split_word *word,
                        const struct split_set *set, uint32_t k, struct str text, bool *is_chosen) {
    const struct symbol *parameter = set->parameters[k];
    for (const char *from = text.data, *stop = text.data + text.size;;) {
        const char *to = from;
        while (to < stop && *to != ';') to++;
        struct str range = str_trim((struct str){from, (size_t)(to - from)});
        int64_t lower = set->lower[k], upper = set->upper[k];
        if (!read_range(range, &lower, &upper))
            return refuse(splitter, word, STATUS_USAGE,
                          "write a value, 2..4, ..3, 2.. or .. for '%s', and ; between them",
                          parameter->name);
        if (type_has_scalar(parameter->type) && !str_is(range, ".."))
            return refuse(splitter, word, STATUS_UNSUPPORTED,
                          "'%s' is a scalar, its values cannot be told apart; write ..",
                          parameter->name);
        if (lower > upper)
            return refuse(splitter, word, STATUS_USAGE, "the range %.*s is empty", (int)range.size,
                          range.data);
        if (lower < set->lower[k] || upper > set->upper[k])
            return refuse(splitter, word, STATUS_USAGE, "'%s' goes from %d to %d only",
                          parameter->name, set->lower[k], set->upper[k]);
        for (int64_t value = lower; value <= upper; value++)
            is_chosen[value - set->lower[k]] = true;
        if (to == stop) return true;
        from = to + 1;
    }
}

/* One comma part for each parameter; for a single one, each part adds to it. */
static bool read_parameters(struct splitter *splitter, const struct split_word *word,
                            const struct split_set *set, bool **is_chosen) {
    struct str rest = word->named.arguments, part;
    uint32_t parts = 0;
    for (uint32_t k = 0; k < set->parameter_count; k++)
        is_chosen[k] = ARENA_ARRAY(splitter->arena, bool,
                                   (size_t)((int64_t)set->upper[k] - set->lower[k]) + 1);
    while (request_next_word(&rest, &part)) {
        uint32_t k = set->parameter_count == 1 ? 0 : parts;
        if (k < set->parameter_count && !read_ranges(splitter, word, set, k, part, is_chosen[k]))
            return false;
        parts++;
    }
    if (set->parameter_count == 1 || parts == set->parameter_count) return true;
    return refuse(splitter, word, STATUS_USAGE,
                  set->parameter_count ? "'%s' has %u parameters; write one part for each"
                                       : "'%s' is one process; leave the parentheses out%.0u",
                  set->symbol->name, set->parameter_count);
}

static bool select_processes(struct splitter *splitter, struct split_word *word) {
    const struct split_set *set = map_get(&splitter->set_of, map_key(word->named.set));
    assert(set); /* a name of the system line */
    word->is_selected = ARENA_ARRAY(splitter->arena, bool, splitter->network->process_count + 1);
    if (!word->named.arguments.data) {
        for (uint32_t p = 0; p < set->count; p++) word->is_selected[set->first + p] = true;
        return true;
    }
    bool **is_chosen = ARENA_ARRAY(splitter->arena, bool *, set->parameter_count);
    if (!read_parameters(splitter, word, set, is_chosen)) return false;
    for (uint32_t p = 0; p < set->count; p++) {
        uint32_t rest = p;
        bool is_selected = true;
        for (uint32_t k = set->parameter_count; k-- > 0;) {
            uint32_t size = (uint32_t)(set->upper[k] - set->lower[k]) + 1;
            is_selected &= is_chosen[k][rest % size];
            rest /= size;
        }
        assert(!rest); /* a process for each combination */
        word->is_selected[set->first + p] = is_selected;
    }
    return true;
}

/* Adds a word; what removes the same from other processes is one word with it, but not what merges,
 * perhaps in another way. */
static void add_word(struct splitter *splitter, const struct split_word *word) {
    const struct named_variable *named = &word->named;
    const char *scope = splitter->scopes[word->argument];
    assert(word->named.symbol && (!word->is_selected || word->named.template));
    bool may_join = word->is_selected && word->argument < splitter->merged_from;
    for (uint32_t i = 0; i < splitter->words.count && may_join; i++) {
        const struct split_word *other = &splitter->words.items[i];
        const char *other_scope = splitter->scopes[other->argument];
        if (!other->is_selected || other->named.template != named->template ||
            other->named.symbol != named->symbol || !str_equal(other->named.path, named->path) ||
            !scope != !other_scope || (scope && strcmp(scope, other_scope) != 0))
            continue;
        for (uint32_t p = 0; p < splitter->network->process_count; p++)
            other->is_selected[p] |= word->is_selected[p];
        return;
    }
    VEC_PUSH(splitter->arena, &splitter->words, *word);
}

bool split_read_words(struct splitter *splitter, const char *const *arguments, uint32_t count) {
    const char **scopes = ARENA_ARRAY(splitter->arena, const char *, count);
    splitter->scopes = scopes;
    for (uint32_t i = 0; i < count; i++) {
        const char *at = strchr(arguments[i], '@');
        struct str rest = {arguments[i], at ? (size_t)(at - arguments[i]) : strlen(arguments[i])};
        struct split_word word = {.argument = i};
        scopes[i] = at ? at + 1 : NULL;
        struct str list = rest;
        while (request_next_word(&rest, &word.text)) {
            if (!word.text.size) {
                word.text = list;
                return refuse(splitter, &word, STATUS_USAGE, "a name is missing");
            }
            if (!request_read(splitter->arena, splitter->network, word.text,
                              splitter->places ? splitter->places[i] : 0, splitter->diag,
                              &word.named))
                return false;
            word.is_selected = NULL;
            if (word.named.set && !select_processes(splitter, &word)) return false;
            add_word(splitter, &word);
        }
    }
    return true;
}
