#include "abstract/prepare/split.h"
#include "abstract/prepare/split_internal.h"

#include <assert.h>

/* Locations in the text after an @, as they are called in a copy. */
static void add_scope(struct splitter *splitter, struct buffer *out, const char *scope,
                      const struct split_groups *groups, uint32_t group) {
    struct str list = str_of(scope), word, rest;
    const struct template *template = groups->template;
    assert(group && group < groups->count && groups->ids[group]); /* the first is no copy */
    for (bool is_first = true; request_next_location(&list, &word, &rest); is_first = false) {
        const char *name = NULL;
        for (uint32_t l = 0; l < template->location_count && !name; l++)
            if (str_is(word, template->locations[l].name)) {
                const struct location *location = &template->locations[l];
                name = location->symbol
                           ? location->name
                           : arena_printf(splitter->arena, "_%s", groups->ids[group][l]);
            }
        for (uint32_t l = 0; l < template->location_count && !name; l++)
            if (str_is(word, template->locations[l].xml->id)) name = groups->ids[group][l];
        if (!name) name = arena_copy(splitter->arena, word.data, word.size);
        buffer_printf(out, "%s%s", is_first ? "@" : ",", name);
        if (rest.data) buffer_printf(out, ":=%.*s", (int)rest.size, rest.data);
    }
}

static void add_removal(struct splitter *splitter, struct buffer *text, uint32_t argument) {
    struct split *split = splitter->split;
    split->arguments[split->removal_count] = argument;
    split->removals[split->removal_count++] = buffer_take(text, splitter->arena);
}

/* Whether the word removes something from the processes of a group. */
static bool concerns(const struct splitter *splitter, const struct split_word *word,
                     uint32_t group) {
    const struct network *network = splitter->network;
    if (!word->is_selected) return true;
    for (uint32_t p = 0; p < network->process_count; p++)
        if (network->processes[p].template == word->named.template &&
            splitter->group_of[p] == group && word->is_selected[p])
            return true;
    return false;
}

/* The word for the template of each group that it concerns. */
static void add_removals(struct splitter *splitter, const struct split_word *word) {
    const struct named_variable *named = &word->named;
    const struct split_groups *groups =
        named->template ? &splitter->groups[named->template->index] : NULL;
    const char *scope = splitter->scopes[word->argument];
    struct buffer text = {0};
    const struct split_node *node =
        named->template ? map_get(&splitter->node_of, map_key(named->template->symbol)) : NULL;
    if (!node) {
        if (word->is_selected) /* all of its template */
            buffer_printf(&text, "%s.%s%.*s", named->template->symbol->name, named->symbol->name,
                          (int)named->path.size, named->path.data);
        else
            buffer_printf(&text, "%.*s", (int)word->text.size, word->text.data);
        if (scope) buffer_printf(&text, "@%s", scope);
        add_removal(splitter, &text, word->argument);
    }
    for (uint32_t g = 0; node && g < groups->count; g++) {
        if (!concerns(splitter, word, g)) continue;
        assert(groups->template == named->template && node->names[g]);
        buffer_printf(&text, "%s.%s%.*s", node->names[g], named->symbol->name,
                      (int)named->path.size, named->path.data);
        if (scope && g)
            add_scope(splitter, &text, scope, groups, g);
        else if (scope)
            buffer_printf(&text, "@%s", scope);
        add_removal(splitter, &text, word->argument);
    }
    buffer_close(&text);
}

/* "Voter_abstract(2)" for "Voter(2)". */
static void name_processes(struct splitter *splitter) {
    const struct network *network = splitter->network;
    for (uint32_t i = 0; i < splitter->model->process_count; i++) {
        const struct split_set *set = &splitter->sets[i];
        uint32_t run = 0, left = 0; /* processes keep their order */
        for (uint32_t p = set->first; p < set->first + set->count && set->run_count; p++) {
            if (!left) {
                assert(run < set->run_count);
                left = 1;
                for (uint32_t k = 0; k < set->parameter_count; k++)
                    left *= (uint32_t)(set->runs[run].upper[k] - set->runs[run].lower[k]) + 1;
                run++;
            }
            left--;
            const char *name = set->runs[run - 1].name, *before = network->processes[p].name;
            if (name == set->symbol->name) continue;
            VEC_PUSH(
                splitter->arena, &splitter->split->processes,
                (struct split_process){before, arena_printf(splitter->arena, "%s%s", name,
                                                            before + strlen(set->symbol->name))});
        }
        assert(!left && run == set->run_count); /* runs have all processes of the set */
    }
}

/* Whether processes of one template pass different variables to it, of those that are to go. */
static bool has_references(const struct splitter *splitter) {
    const struct network *network = splitter->network;
    struct map keys;
    map_init(&keys, splitter->arena);
    for (uint32_t p = 0; p < network->process_count && splitter->split->references.wanted.count;
         p++) {
        const struct process *process = &network->processes[p];
        const char *key =
            references_key(&splitter->split->references, network, process, splitter->arena);
        const char *other = map_get(&keys, map_key(process->template));
        if (other && strcmp(key, other) != 0) return true;
        map_put(&keys, map_key(process->template), (void *)(uintptr_t)key);
    }
    return false;
}

/* Whether some processes are to have a template of their own that share it with others. */
static bool has_apart(const struct splitter *splitter) {
    const struct network *network = splitter->network;
    const bool *apart = splitter->split->apart;
    for (uint32_t p = 0; p < network->process_count && apart; p++)
        for (uint32_t other = 0; other < p; other++)
            if (network->processes[p].template == network->processes[other].template &&
                apart[p] != apart[other])
                return true;
    return false;
}

/* Reports what is wrong with the --remove arguments whatever the processes that they name. */
static bool check_arguments(struct splitter *splitter) {
    struct request request = {.arena = splitter->arena};
    bool ok = true;
    for (uint32_t i = 0; i < splitter->words.count && ok; i++) {
        const struct split_word *word = &splitter->words.items[i];
        const struct named_variable *named = &word->named;
        assert(named->symbol);
        const char *scope = splitter->scopes[word->argument];
        const char *owner = named->template ? named->template->symbol->name : "";
        request.at = splitter->places ? splitter->places[word->argument] : 0;
        ok = request_add(&request, splitter->network,
                         arena_printf(splitter->arena, "%s.%s%.*s%s%s", owner, named->symbol->name,
                                      (int)named->path.size, named->path.data, scope ? "@" : "",
                                      scope ? scope : ""),
                         splitter->diag);
    }
    return ok;
}

static bool make(struct splitter *splitter, const char *const *arguments, uint32_t count) {
    if (!split_find_sets(splitter) || !split_read_words(splitter, arguments, count) ||
        !check_arguments(splitter) || !split_make_runs(splitter) || !split_write(splitter))
        return false;
    size_t most = (size_t)splitter->words.count * (SPLIT_MAX_GROUPS + 1);
    splitter->split->removals = ARENA_ARRAY(splitter->arena, const char *, most);
    splitter->split->arguments = ARENA_ARRAY(splitter->arena, uint32_t, most);
    for (uint32_t i = 0; i < splitter->words.count; i++)
        add_removals(splitter, &splitter->words.items[i]);
    assert(splitter->split->removal_count <= most);
    name_processes(splitter);
    return true;
}

bool split_plan(struct split *split, struct splices *splices, const struct network *network,
                const char *const *arguments, const position *places, uint32_t count,
                struct diag *diag) {
    struct splitter splitter = {.arena = splices->arena,
                                .network = network,
                                .model = network->model,
                                .diag = diag,
                                .split = split,
                                .splices = splices,
                                .places = places,
                                .merged_from = count - split->of_merges};
    assert(split->of_merges <= count);
    *split = (struct split){.removals = (const char **)arguments,
                            .removal_count = count,
                            .references = split->references,
                            .of_merges = split->of_merges,
                            .apart = split->apart,
                            .keeps_record = split->keeps_record,
                            .errors = split->errors,
                            .asked = split->asked};
    split->arguments = ARENA_ARRAY(splitter.arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) split->arguments[i] = i;
    bool names_processes =
        references_want_arguments(&split->references, network, arguments, count, splitter.arena);
    if (!names_processes && !has_references(&splitter) && !has_apart(&splitter)) return true;
    split->removal_count = 0;
    map_init(&splitter.set_of, splitter.arena);
    map_init(&splitter.node_of, splitter.arena);
    network_environment(network, &splitter.environment, splitter.arena);
    bool ok = make(&splitter, arguments, count);
    eval_close(&splitter.environment);
    return ok;
}
