#include "abstract/request/request.h"

#include "base/similar.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

struct where where_invariant(const struct template *template, uint32_t location) {
    assert(location < template->location_count);
    return (struct where){template, NULL, location, location};
}

/* The target does not count yet: source and target are the source. */
struct where where_guard(const struct template *template, const struct edge *edge) {
    assert(template_has_edge(template, edge));
    return (struct where){template, edge, edge->source, edge->source};
}

/* Removed there is what is removed at both ends. */
struct where where_update(const struct template *template, const struct edge *edge) {
    assert(template_has_edge(template, edge));
    return (struct where){template, edge, edge->source, edge->target};
}

/* A removal without scope counts everywhere, outside of templates too. */
bool removal_counts(const struct removal *removal, struct where where) {
    if (!removal->scope) return true;
    assert(removal->template); /* only local variables have scopes (S1) */
    uint32_t nodes = removal->template->location_count + removal->template->branchpoint_count;
    assert(where.template != removal->template || (where.source < nodes && where.target < nodes));
    return where.template == removal->template && removal->scope[where.source] &&
           removal->scope[where.target];
}

int32_t removal_rest(const struct removal *removal, uint32_t location, uint32_t cell) {
    assert(removal->initial && cell < removal->shape->cell_count);
    bool is_said = removal->has_rest && removal->has_rest[location];
    assert(!is_said || (!cell && removal->scope[location]));
    return is_said ? removal->rests[location] : removal->initial[cell];
}

bool edge_changes_rest(const struct removal *removal, const struct template *template,
                       const struct edge *edge) {
    if (!removal->scope || removal->template != template) return false;
    if (removal->scope[edge->source] != removal->scope[edge->target]) return true;
    return removal->has_rest && removal->scope[edge->source] &&
           removal_rest(removal, edge->source, 0) != removal_rest(removal, edge->target, 0);
}

const struct removal *removed_ever(const struct request *request, const struct symbol *symbol) {
    if (!request->removals.count) return NULL;
    const uint32_t *index = map_get(&request->of_symbol, map_key(symbol));
    assert(!index || request->removals.items[*index].symbol == symbol);
    return index ? &request->removals.items[*index] : NULL;
}

const struct removal *removed_at(const struct request *request, const struct symbol *symbol,
                                 struct where where) {
    const struct removal *removal = removed_ever(request, symbol);
    return removal && removal_counts(removal, where) ? removal : NULL;
}

bool clock_is_removed(const struct request *request, const struct symbol *symbol) {
    if (!request->is_untimed && !request->clocks.count) return false;
    if (!symbol || !symbol_is_clock(symbol)) return false;
    if (request->is_untimed) return true;
    for (uint32_t i = 0; i < request->clocks.count; i++)
        if (request->clocks.items[i] == symbol) return true;
    return false;
}

struct clock_search {
    const struct request *request;
    const struct symbol *found;
};

static bool find_clock(void *context, const struct expr *expr) {
    struct clock_search *search = context;
    bool is_name = expr->kind == EXPR_NAME || expr->kind == EXPR_FIELD;
    if (!search->found && is_name && clock_is_removed(search->request, expr->symbol))
        search->found = expr->symbol;
    return !search->found;
}

const struct symbol *removed_clock_in(const struct request *request, const struct expr *expr) {
    struct clock_search search = {request, NULL};
    if (request->is_untimed || request->clocks.count) walk_expr(expr, find_clock, &search);
    return search.found;
}

static struct removal *push(struct request *request, struct removal removal) {
    uint32_t *index = ARENA_NEW(request->arena, uint32_t);
    if (!request->removals.count) map_init(&request->of_symbol, request->arena);
    assert(!map_get(&request->of_symbol, map_key(removal.symbol))); /* a symbol once */
    *index = request->removals.count;
    map_put(&request->of_symbol, map_key(removal.symbol), index);
    VEC_PUSH(request->arena, &request->removals, removal);
    return &request->removals.items[*index];
}

static struct removal *removal_of(struct argument_reader *reader, struct named_symbol variable) {
    struct request *request = reader->request;
    VEC_PUSH(request->arena, &reader->named, variable.symbol);
    struct removal *old = (struct removal *)removed_ever(request, variable.symbol);
    assert(!old || old->template == variable.template);
    if (old) return old;
    const struct shape *shape = network_shape(reader->network, variable.template, variable.symbol);
    assert(shape); /* some process has it */
    struct removal removal = {.symbol = variable.symbol,
                              .template = variable.template,
                              .shape = shape,
                              .is_removed = ARENA_ARRAY(request->arena, bool, shape->cell_count)};
    return push(request, removal);
}

static void remove_cells(struct removal *removal, uint32_t offset, uint32_t count) {
    assert(count && offset + count <= removal->shape->cell_count);
    for (uint32_t i = 0; i < count; i++) removal->is_removed[offset + i] = true;
    removal->is_whole = true;
    for (uint32_t i = 0; i < removal->shape->cell_count; i++)
        removal->is_whole &= removal->is_removed[i];
}

/* Whether no process has the variable: then there is nothing to remove, which is said. */
static bool is_nowhere(struct argument_reader *reader, struct named_symbol variable) {
    if (network_shape(reader->network, variable.template, variable.symbol)) return false;
    assert(variable.template); /* a global variable is somewhere */
    diag_warning(reader->diag, variable.symbol->span.begin,
                 "'%s' is left as it is: template '%s' has no process in the system line",
                 variable.symbol->name, variable.template->symbol->name);
    reader->request->is_partly_left = true;
    return true;
}

/* Whether some process has the clock under the name of a parameter, too. */
static const struct symbol *find_clock_parameter(const struct network *network,
                                                 const struct symbol *clock) {
    const struct binding *own = NULL;
    assert(symbol_is_clock(clock));
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        const struct template *template = process->template;
        if (clock->scope == SCOPE_GLOBAL) own = &network->globals[clock->index];
        for (uint32_t i = 0; own && i < template->parameter_count; i++) {
            const struct symbol *parameter = template->parameters[i];
            uint32_t address = process->locals[parameter->index].address;
            if (symbol_is_clock(parameter) && address >= own->address &&
                address < own->address + own->shape->cell_count)
                return parameter;
        }
    }
    return NULL;
}

/* T3.10: a clock has no values that could be put in for it, so it is removed as a whole. */
static bool add_clock(struct argument_reader *reader, const struct symbol *clock) {
    const struct symbol *parameter = find_clock_parameter(reader->network, clock);
    if (reader->at < reader->end)
        argument_fail(reader,
                      "'%s' is a clock, which is removed as a whole; leave out what is after it",
                      clock->name);
    else if (parameter)
        argument_fail(
            reader, "a process has clock '%s' as its parameter '%s'; remove all clocks by --untime",
            clock->name, parameter->name);
    else if (!clock_is_removed(reader->request, clock))
        VEC_PUSH(reader->request->arena, &reader->request->clocks, clock);
    return clock_is_removed(reader->request, clock);
}

static bool add_variable(struct argument_reader *reader) {
    struct named_symbol variable = argument_variable(reader);
    if (!variable.symbol) return false;
    if (symbol_is_clock(variable.symbol)) return add_clock(reader, variable.symbol);
    if (is_nowhere(reader, variable)) return true;
    if (reader->set)
        return diag_error(
            reader->diag, STATUS_UNSUPPORTED, reader->place,
            "--remove %.*s: processes of one template are not told apart here; name the "
            "template",
            (int)reader->word.size, reader->word.data);
    struct removal *removal = removal_of(reader, variable);
    const struct shape *shape = removal->shape;
    uint32_t offset = 0;
    /* Otherwise the whole is refused, or processes of one shape are told apart first. */
    bool has_one_shape = network_has_one_shape(reader->network, variable.template, variable.symbol);
    if (has_one_shape && !argument_path(reader, variable.symbol, &shape, &offset)) return false;
    remove_cells(removal, offset, shape->cell_count);
    struct request_part part = {variable.symbol, offset, shape->cell_count};
    VEC_PUSH(reader->request->arena, &reader->request->parts, part);
    return true;
}

/* Scopes (S1) */

static void refuse_location(struct argument_reader *reader, const struct template *template,
                            struct str name) {
    if (memchr(name.data, '@', name.size)) {
        argument_fail(reader,
                      "'%.*s' is no location; after '@' stand locations only: give each variable "
                      "with locations a --remove of its own",
                      (int)name.size, name.data);
        return;
    }
    struct similar similar = {.word = name};
    for (uint32_t i = 0; i < template->location_count; i++)
        similar_offer(&similar, template->locations[i].name);
    argument_fail(reader, "template '%s' has no location '%.*s'%s", template->symbol->name,
                  (int)name.size, name.data,
                  similar_hint(&similar, reader->request->arena, "; `varabs draw` shows them"));
}

/* S7: "2", "-1", "true": the value at which a variable rests at a location. */
static bool add_rest(struct argument_reader *reader, struct removal *removal, uint32_t location,
                     struct str text) {
    const struct template *template = removal->template;
    const char *name = removal->symbol->name;
    bool is_true = str_is(text, "true"), is_false = str_is(text, "false");
    char *end = NULL;
    errno = 0;
    const char *digits = arena_copy(reader->request->arena, text.data, text.size);
    long long value = is_true || is_false ? is_true : strtoll(digits, &end, 10);
    bool is_number = is_true || is_false || (text.size && !*end && !errno);
    if (!is_number || value < INT32_MIN || value > INT32_MAX)
        return argument_fail(
            reader, "'%.*s' is no number; write the value at which '%s' rests, as in @l:=2",
            (int)text.size, text.data, name);
    if (removal->shape->kind != SHAPE_CELL)
        return argument_fail(reader,
                             "'%s' is an array or struct, which rests at its initial value; leave "
                             "out ':=' and what is after it",
                             name);
    if (!removal->has_rest) {
        removal->has_rest = ARENA_ARRAY(reader->request->arena, bool, template->location_count);
        removal->rests = ARENA_ARRAY(reader->request->arena, int32_t, template->location_count);
    }
    assert(location < template->location_count);
    if (removal->has_rest[location] && removal->rests[location] != value)
        return argument_fail(reader, "'%s' rests at one value in '%s', not at %d and at %lld", name,
                             template->locations[location].name, removal->rests[location], value);
    removal->has_rest[location] = true;
    removal->rests[location] = (int32_t)value;
    return true;
}

/* One location of a scope, with what stands after := (data is NULL if nothing does). */
static bool add_location(struct argument_reader *reader, struct removal *removal, struct str name,
                         struct str rest) {
    const struct template *template = removal->template;
    uint32_t location = location_named(template, name);
    if (location == UINT32_MAX) {
        refuse_location(reader, template, name);
        return false;
    }
    assert(location < template->location_count); /* branchpoints have no names */
    removal->scope[location] = true;
    return !rest.data || add_rest(reader, removal, location, rest);
}

static bool add_scope(struct argument_reader *reader, struct removal *removal, bool is_old,
                      const char *locations) {
    struct request *request = reader->request;
    if (!removal->template)
        return argument_fail(
            reader, "'%s' is global; scopes are for variables of templates, so leave out '@'",
            removal->symbol->name);
    if (is_old && !removal->scope) return true; /* it is removed everywhere already */
    const struct template *template = removal->template;
    if (!removal->scope)
        removal->scope = ARENA_ARRAY(request->arena, bool,
                                     template->location_count + template->branchpoint_count);
    bool ok = true;
    struct str list = str_of(locations), name, rest;
    while (ok && request_next_location(&list, &name, &rest))
        ok = add_location(reader, removal, name, rest);
    return ok;
}

static bool add_variables(struct argument_reader *reader, struct str list) {
    bool ok = true;
    for (struct str rest = list; request_next_word(&rest, &reader->word);) {
        if (!reader->word.size) {
            reader->word = list;
            argument_fail(reader, "a name is missing; write VAR, or VAR,VAR for several");
            ok = false;
        } else {
            ok &= add_variable(reader);
        }
    }
    return ok;
}

/* Whether all of a variable is named by some of the parts. */
static bool is_named_whole(const struct request *request, const struct removal *removal,
                           uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        const struct request_part *part = &request->parts.items[i];
        if (part->symbol == removal->symbol && part->count == removal->shape->cell_count)
            return true;
    }
    return false;
}

bool request_add(struct request *request, const struct network *network, const char *argument,
                 struct diag *diag) {
    assert(!request->slot_is_removed); /* not finished yet */
    struct argument_reader reader = {.request = request,
                                     .network = network,
                                     .diag = diag,
                                     .arena = request->arena,
                                     .place = request->at};
    const char *at = strchr(argument, '@');
    uint32_t before = request->removals.count, clocks = request->clocks.count;
    uint32_t parts = request->parts.count;
    bool ok = add_variables(
        &reader, (struct str){argument, at ? (size_t)(at - argument) : strlen(argument)});
    reader.word = str_of(argument);
    if (ok && at && request->clocks.count > clocks) {
        argument_fail(&reader, "a clock is removed in all locations; leave out '@'");
        ok = false;
    }
    for (uint32_t i = 0; i < reader.named.count && ok; i++) {
        struct removal *removal = (struct removal *)removed_ever(request, reader.named.items[i]);
        if (reader.named.items[i]->is_ghost)
            return argument_fail(&reader,
                                 "this variable is new, from a merge; leave the merge out");
        bool is_old = removal < request->removals.items + before;
        bool has_cells = is_old && !at == !!removal->scope &&
                         !(at ? is_named_whole(request, removal, 0, parts)
                              : is_named_whole(request, removal, parts, request->parts.count));
        if (has_cells)
            return argument_fail(&reader,
                                 "of '%s' either some cells are removed, or everything in some "
                                 "locations: leave out one of them",
                                 removal->symbol->name);
        if (!at) removal->scope = removal->has_rest = NULL;
        if (at) ok = add_scope(&reader, removal, is_old, at + 1);
    }
    return ok;
}

static bool is_same_scope(const struct template *template, const bool *left, const bool *right) {
    for (uint32_t l = 0; left && right && l < template->location_count; l++)
        if (left[l] != right[l]) return false;
    return !left == !right;
}

/* S4, S7: what a scoped ghost follows is removed where the ghost follows it, and rests there. */
static bool add_ghost_scope(struct argument_reader *reader, const struct ghost *ghost,
                            struct removal *removal, bool is_new) {
    const struct ghost_definition *definition = ghost->definition;
    struct str list = definition->scope.content, name, rest;
    bool ok = true;
    if (is_new) removal->scope = ghost->scope;
    if (is_same_scope(ghost->template, removal->scope, ghost->scope)) {
        reader->word = list;
        reader->place = definition->scope.begin;
        while (ghost->scope && ok && request_next_location(&list, &name, &rest))
            ok = add_location(reader, removal, name, rest);
        return ok;
    }
    if (!ghost->scope)
        diag_error(reader->diag, STATUS_USAGE, definition->value.begin,
                   "'%s' is merged, so it is removed in all locations; leave out its '@' in "
                   "--remove",
                   removal->symbol->name);
    else
        diag_error(reader->diag, STATUS_USAGE, definition->scope.begin,
                   "'%s' is removed or merged elsewhere in other locations; write the same ones "
                   "after each '@'",
                   removal->symbol->name);
    return false;
}

bool request_add_ghost(struct request *request, const struct network *network,
                       const struct ghost *ghost, struct diag *diag) {
    assert(!request->slot_is_removed && ghost->cells.count);
    struct argument_reader reader = {
        .request = request, .network = network, .diag = diag, .arena = request->arena};
    VEC_PUSH(request->arena, &request->ghosts, ghost);
    for (uint32_t i = 0; i < ghost->cells.count; i++) {
        const struct ghost_cell *cell = &ghost->cells.items[i];
        uint32_t before = request->removals.count;
        struct removal *removal =
            removal_of(&reader, (struct named_symbol){ghost->template, cell->symbol});
        remove_cells(removal, cell->offset, 1);
        if (!add_ghost_scope(&reader, ghost, removal, request->removals.count > before))
            return false;
    }
    return true;
}

struct request *request_prefix(const struct request *request, uint32_t count) {
    assert(count <= request->parts.count);
    struct request *prefix = ARENA_NEW(request->arena, struct request);
    prefix->arena = request->arena;
    for (uint32_t i = 0; i < count; i++) {
        const struct request_part *part = &request->parts.items[i];
        struct removal *removal = (struct removal *)removed_ever(prefix, part->symbol);
        if (!removal) {
            assert(removed_ever(request, part->symbol));
            removal = push(prefix, *removed_ever(request, part->symbol));
            removal->is_removed = ARENA_ARRAY(prefix->arena, bool, removal->shape->cell_count);
        }
        remove_cells(removal, part->offset, part->count);
    }
    return prefix;
}

bool *request_templates(const struct request *request, const struct network *network,
                        struct arena *arena) {
    if (request->ghosts.count || request->clocks.count || request->is_untimed) return NULL;
    bool *is_named = ARENA_ARRAY(arena, bool, network->model->template_count + 1);
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (removal->template) is_named[removal->template->index] = true;
        namers_mark(network->namers, removal->symbol, is_named);
    }
    return is_named;
}
