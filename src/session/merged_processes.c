#include "session/merged_processes.h"

#include "lang/syntax/lex.h"

#include <assert.h>
#include <string.h>

/* Whether an owner is no template, but "Set(...)" or a name of the system line. */
static bool names_processes(const struct model *model, struct str owner) {
    if (!owner.size) return false;
    for (uint32_t i = 0; i < model->template_count; i++)
        if (str_is(owner, model->templates[i]->symbol->name)) return false;
    bool found = memchr(owner.data, '(', owner.size) != NULL;
    for (uint32_t i = 0; i < model->process_count; i++)
        found |= str_is(owner, model->processes[i].symbol->name);
    return found;
}

/* "Voter(1).x@here": the processes in which a variable goes; NULL if there is no such variable,
 * which goes to the diag. */
static const char *argument_of(struct session *session, const struct ghost_definition *merge,
                               struct str owner, const char *name, struct diag *diag) {
    struct arena *arena = &session->arena;
    struct named_variable named;
    const char *word = arena_printf(arena, "%.*s.%s", (int)owner.size, owner.data, name);
    if (!request_read(arena, session->network, str_of(word), merge->name.begin, diag, &named) ||
        !named.template)
        return NULL;
    const struct str *scope = &merge->scope.content;
    if (!merge->scope.begin) return word;
    return arena_printf(arena, "%s@%.*s", word, (int)scope->size, scope->data);
}

static bool is_new(const struct tokens *tokens, uint32_t index) {
    for (uint32_t i = 0; i < index; i++)
        if (tokens->list.items[i].kind == TOKEN_NAME &&
            tokens->list.items[i].name == tokens->list.items[index].name)
            return false;
    return true;
}

static bool find(struct merged_processes_list *merged, struct session *session,
                 const struct ghost_definition *merge, struct str owner, uint32_t number,
                 uint32_t before) {
    struct arena *arena = &session->arena;
    struct tokens tokens = {0};
    struct diag unheard;
    const char *last = "";
    struct merged_processes found = {number, before + merged->arguments.count, 0};
    diag_init(&unheard, arena, NULL);
    if (!lex(arena, &session->names, &merge->value, &tokens, &session->diag)) return false;
    for (uint32_t t = 0; t < tokens.list.count; t++) {
        if (tokens.list.items[t].kind != TOKEN_NAME || !is_new(&tokens, t)) continue;
        last = tokens.list.items[t].name;
        const char *argument = argument_of(session, merge, owner, last, &unheard);
        if (!argument) continue;
        VEC_PUSH(arena, &merged->arguments, argument);
        VEC_PUSH(arena, &merged->places, merge->name.begin);
        found.count++;
    }
    VEC_PUSH(arena, &merged->list, found);
    if (found.count) return true;
    if (!*last || argument_of(session, merge, owner, last, &session->diag))
        diag_error(&session->diag, STATUS_USAGE, merge->value.begin,
                   "this reads no variable of these processes");
    return false;
}

bool merged_processes_find(struct merged_processes_list *merged, const struct spec *spec,
                           struct session *session, uint32_t before) {
    bool ok = true;
    for (uint32_t i = 0; i < spec->merges.count && ok; i++) {
        struct str name, owner = ghost_owner(&spec->merges.items[i], &name);
        if (names_processes(session->model, owner))
            ok = find(merged, session, &spec->merges.items[i], owner, i, before);
    }
    return ok;
}

/* The merge as one of the template that an argument of the new model names. */
static struct ghost_definition merge_of(const struct ghost_definition *merge, const char *argument,
                                        struct arena *arena) {
    struct ghost_definition result = *merge;
    const char *dot = strchr(argument, '.'), *at = strchr(argument, '@');
    struct str name;
    ghost_owner(merge, &name);
    assert(dot);
    result.name.content = name;
    result.name.begin = merge->name.begin + (position)(name.data - merge->name.content.data);
    result.template.content = (struct str){argument, (size_t)(dot - argument)};
    result.template.begin = merge->name.begin;
    if (at) result.scope.content = str_of(arena_printf(arena, "%s", at + 1));
    return result;
}

static bool has(const struct spec *spec, uint32_t from, struct str template) {
    bool found = false;
    for (uint32_t i = from; i < spec->merges.count; i++)
        found |= str_equal(spec->merges.items[i].template.content, template);
    return found;
}

void merged_processes_settle(const struct merged_processes_list *merged, const struct split *split,
                             struct spec *spec, struct arena *arena) {
    for (uint32_t i = 0; i < merged->list.count; i++) {
        const struct merged_processes *own = &merged->list.items[i];
        struct ghost_definition merge = spec->merges.items[own->merge];
        uint32_t first = spec->merges.count;
        for (uint32_t k = 0; k < split->removal_count; k++) {
            if (split->arguments[k] < own->first || split->arguments[k] >= own->first + own->count)
                continue;
            struct ghost_definition result = merge_of(&merge, split->removals[k], arena);
            if (!has(spec, first, result.template.content)) VEC_PUSH(arena, &spec->merges, result);
        }
        assert(spec->merges.count > first); /* the processes are of some template */
        spec->merges.items[own->merge] = spec->merges.items[--spec->merges.count];
    }
}
