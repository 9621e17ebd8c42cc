/* See request.h. */
#include "abstract/request/request.h"
#include "lang/syntax/walk.h"

#include "base/similar.h"
#include "lang/syntax/frame.h"

#include <assert.h>
#include <stdlib.h>

struct candidate {
    const struct template *template;
    const struct symbol *symbol;
};

struct reader {
    struct request *request;
    const struct network *network;
    struct diag *diag;
    struct arena *arena;
    struct str word;                  /* the argument being read */
    position place;                   /* of the argument, 0 = the command line */
    VEC(const struct symbol *) named; /* variables of the argument */
    const char *at, *end;
    const struct symbol *set; /* of the system line, if only its processes are meant */
    struct str arguments;     /* which of them */
};

static const struct candidate none = {NULL, NULL};

char *variable_name(struct arena *arena, const struct template *template,
                    const struct symbol *symbol) {
    return template ? arena_printf(arena, "%s.%s", template->symbol->name, symbol->name)
                    : arena_printf(arena, "%s", symbol->name);
}

const char *variable_argument(const struct network *network, const struct template *template,
                              const struct symbol *symbol, struct arena *arena) {
    const struct model *model = network->model;
    for (uint32_t t = 0; t < model->template_count && !template; t++) {
        const struct symbol *other = frame_find_here(model->templates[t]->frame, symbol->name);
        if (other && (other->kind == SYMBOL_VARIABLE || other->kind == SYMBOL_PARAMETER))
            return arena_printf(arena, ".%s", symbol->name);
    }
    return variable_name(arena, template, symbol);
}

bool is_listed_variable(const struct symbol *symbol) {
    return symbol->kind == SYMBOL_VARIABLE && symbol_is_variable(symbol);
}

struct where where_invariant(const struct template *template, uint32_t location) {
    assert(location < template->location_count);
    return (struct where){template, NULL, location, location};
}

/* The target does not count yet: source and target are the source. */
struct where where_guard(const struct template *template, const struct edge *edge) {
    assert(edge >= template->edges && edge < template->edges + template->edge_count);
    return (struct where){template, edge, edge->source, edge->source};
}

/* Removed there is what is removed at both ends. */
struct where where_update(const struct template *template, const struct edge *edge) {
    assert(edge >= template->edges && edge < template->edges + template->edge_count);
    return (struct where){template, edge, edge->source, edge->target};
}

/* A removal without scope counts everywhere, outside of templates too. */
bool removal_counts(const struct removal *removal, struct where where) {
    if (!removal->scope) return true;
    assert(removal->template); /* only local variables have scopes (S1) */
    return where.template == removal->template && removal->scope[where.source] &&
           removal->scope[where.target];
}

const struct removal *removed_ever(const struct request *request, const struct symbol *symbol) {
    if (!request->removals.count) return NULL;
    const uint32_t *index = map_get(&request->of_symbol, map_key(symbol));
    return index ? &request->removals.items[*index] : NULL;
}

const struct removal *removed_at(const struct request *request, const struct symbol *symbol,
                                 struct where where) {
    const struct removal *removal = removed_ever(request, symbol);
    return removal && removal_counts(removal, where) ? removal : NULL;
}

bool clock_is_removed(const struct request *request, const struct symbol *symbol) {
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

static void usage(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void usage(struct reader *reader, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    diag_error(reader->diag, STATUS_USAGE, reader->place, "%s%.*s: %s",
               reader->place ? "" : "--remove ", (int)reader->word.size, reader->word.data,
               arena_vprintf(reader->arena, format, arguments));
    va_end(arguments);
}

static bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '#';
}

static struct str read_word(struct reader *reader) {
    const char *from = reader->at;
    while (reader->at < reader->end && is_word_char(*reader->at)) reader->at++;
    return (struct str){from, (size_t)(reader->at - from)};
}

static const struct template *find_template(const struct reader *reader, struct str name) {
    const struct model *model = reader->network->model;
    for (uint32_t i = 0; i < model->template_count; i++)
        if (str_is(name, model->templates[i]->symbol->name)) return model->templates[i];
    return NULL;
}

static struct symbol *find_in(struct symbol *const *symbols, uint32_t count, struct str name) {
    for (uint32_t i = 0; i < count; i++)
        if (str_is(name, symbols[i]->name)) return symbols[i];
    return NULL;
}

/* A variable, parameter or constant of a template, or a global one; or NULL. */
static struct symbol *find_member(const struct reader *reader, const struct template *template,
                                  struct str name) {
    const struct model *model = reader->network->model;
    const char *known =
        intern_find(model->document->names, arena_copy(reader->arena, name.data, name.size));
    struct symbol *symbol =
        known ? frame_find_here(template ? template->frame : model->frame, known) : NULL;
    bool has_slots =
        symbol && (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER);
    return has_slots ? symbol : NULL;
}

/* A location by name or id, or UINT32_MAX. */
static uint32_t find_location(const struct template *template, struct str name) {
    for (uint32_t i = 0; i < template->location_count; i++)
        if (str_is(name, template->locations[i].name)) return i;
    for (uint32_t i = 0; i < template->location_count; i++)
        if (str_is(name, template->locations[i].xml->id)) return i;
    return UINT32_MAX;
}

static bool is_similar(struct str name, const char *other) {
    struct similar similar = {.word = name};
    similar_offer(&similar, other);
    return similar.best != NULL;
}

static void suggest_in(struct reader *reader, struct buffer *out, const struct template *template,
                       struct symbol *const *symbols, uint32_t count, struct str name) {
    for (uint32_t i = 0; i < count; i++)
        if (is_listed_variable(symbols[i]) && is_similar(name, symbols[i]->name))
            buffer_printf(out, "%s%s", out->size ? ", " : "",
                          variable_name(reader->arena, template, symbols[i]));
}

/* A name that is no variable's, a parameter's or a constant's: those have slots of their own. */
static const struct symbol *find_other(const struct reader *reader, const struct template *template,
                                       struct str name) {
    const struct model *model = reader->network->model;
    const char *known =
        intern_find(model->document->names, arena_copy(reader->arena, name.data, name.size));
    const struct symbol *symbol =
        known ? frame_find_here(template ? template->frame : model->frame, known) : NULL;
    if (symbol && (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER))
        return NULL;
    for (uint32_t e = 0; template && !symbol && e < template->edge_count; e++)
        symbol = find_in(template->edges[e].selects, template->edges[e].select_count, name);
    return symbol;
}

static void report_other(struct reader *reader, const struct template *template,
                         const struct symbol *symbol) {
    static const char *const kinds[] = {[SYMBOL_FUNCTION] = "function",
                                        [SYMBOL_TYPE] = "type",
                                        [SYMBOL_LOCATION] = "location",
                                        [SYMBOL_SELECT] = "select"};
    const char *name = symbol->name;
    if (symbol->kind == SYMBOL_TEMPLATE || symbol->kind == SYMBOL_INSTANCE)
        usage(reader, "'%s' is a %s; write %s.NAME for one of its variables", name,
              symbol->kind == SYMBOL_TEMPLATE ? "template" : "process", name);
    else
        usage(reader, "'%s' is a %s%s%s; only variables can be removed", name, kinds[symbol->kind],
              template ? " of " : "", template ? template->symbol->name : "");
}

static void report_unknown(struct reader *reader, const struct template *template,
                           struct str name) {
    const struct model *model = reader->network->model;
    struct buffer similar = {0};
    const struct template *owner = NULL; /* of what has that name */
    const struct symbol *symbol = template ? NULL : find_other(reader, NULL, name);
    if (!template) suggest_in(reader, &similar, NULL, model->symbols, model->symbol_count, name);
    for (uint32_t i = 0; i < model->template_count; i++) {
        const struct template *other = model->templates[i];
        if (template && template != other) continue;
        suggest_in(reader, &similar, other, other->symbols, other->symbol_count, name);
        if (!template && is_similar(name, other->symbol->name))
            buffer_printf(&similar, "%stemplate %s", similar.size ? ", " : "", other->symbol->name);
        if (!symbol && (symbol = find_other(reader, other, name))) owner = other;
    }
    if (symbol)
        report_other(reader, owner, symbol);
    else if (similar.size)
        usage(reader, "there is no such variable; did you mean %s?", similar.data);
    else
        usage(reader, "there is no such variable; `varabs info` lists all of them");
    buffer_close(&similar);
}

/* All templates and the global frame are searched for a short name. */
static struct candidate find_short(struct reader *reader, struct str name) {
    const struct model *model = reader->network->model;
    struct candidate found = none;
    struct buffer names = {0};
    uint32_t count = 0;
    struct symbol *global = find_member(reader, NULL, name);
    for (uint32_t i = 0; i <= model->template_count; i++) {
        const struct template *template = i ? model->templates[i - 1] : NULL;
        struct symbol *symbol = template ? find_member(reader, template, name) : global;
        if (!symbol || (global && symbol->is_reference)) continue; /* often of the same name */
        found = (struct candidate){template, symbol};
        buffer_printf(&names, "%s%s%s", count ? ", " : "", template ? "" : ".",
                      variable_name(reader->arena, template, symbol));
        count++;
    }
    if (count > 1) {
        usage(reader, "the name is ambiguous; write one of %s", names.data);
        found = none;
    } else if (!count) {
        report_unknown(reader, NULL, name);
    }
    buffer_close(&names);
    return found;
}

static struct candidate find_global(struct reader *reader, struct str name) {
    struct symbol *symbol = find_member(reader, NULL, name);
    if (!symbol) report_unknown(reader, NULL, name);
    return (struct candidate){NULL, symbol};
}

static const struct symbol *find_process_set(const struct reader *reader, struct str name) {
    const struct model *model = reader->network->model;
    for (uint32_t i = 0; i < model->process_count; i++)
        if (str_is(name, model->processes[i].symbol->name)) return model->processes[i].symbol;
    return NULL;
}

static void report_no_process(struct reader *reader, struct str name) {
    const struct model *model = reader->network->model;
    struct similar similar = {.word = name};
    for (uint32_t i = 0; i < model->process_count; i++)
        similar_offer(&similar, model->processes[i].symbol->name);
    usage(reader, "'%.*s' is not on the system line%s", (int)name.size, name.data,
          similar_hint(&similar, reader->arena, ""));
}

/* "(2..4)" behind the name of a set of processes. */
static bool read_arguments(struct reader *reader, struct str name) {
    const char *from = ++reader->at;
    while (reader->at < reader->end && *reader->at != ')') reader->at++;
    if (!reader->set)
        report_no_process(reader, name);
    else if (reader->at == reader->end)
        usage(reader, "a closing parenthesis is missing");
    else
        reader->arguments = (struct str){from, (size_t)(reader->at++ - from)};
    return reader->arguments.data != NULL;
}

static struct candidate find_variable(struct reader *reader) {
    if (reader->at < reader->end && *reader->at == '.') {
        reader->at++;
        return find_global(reader, read_word(reader));
    }
    struct str name = read_word(reader);
    reader->set = find_process_set(reader, name);
    if (reader->at < reader->end && *reader->at == '(' && !read_arguments(reader, name))
        return none;
    if (!reader->arguments.data && reader->set && reader->set->kind == SYMBOL_TEMPLATE)
        reader->set = NULL; /* all processes of the template, others may be instances of it */
    const struct template *template =
        reader->set ? reader->set->template : find_template(reader, name);
    bool dotted = reader->at < reader->end && *reader->at == '.';
    if (reader->arguments.data && !dotted) {
        usage(reader, "the variable is missing; write %s(...).name", reader->set->name);
        return none;
    }
    if (!template || !dotted) {
        reader->set = NULL;
        return find_short(reader, name);
    }
    reader->at++;
    struct str member = read_word(reader);
    struct symbol *symbol = find_member(reader, template, member);
    if (!symbol) report_unknown(reader, template, member);
    return symbol ? (struct candidate){template, symbol} : none;
}

static bool is_removable(struct reader *reader, const struct symbol *symbol) {
    const char *what = NULL;
    if (symbol_is_channel(symbol))
        what = "is a channel";
    else if (type_strip(symbol->type)->kind == TYPE_DOUBLE)
        what = "is a double";
    else if (type_strip(symbol->type)->kind == TYPE_STRING)
        what = "is a string";
    else if (symbol->kind == SYMBOL_PARAMETER)
        what = "is a parameter";
    else if (symbol_is_const(symbol))
        what = "is a constant";
    else if (!symbol_is_variable(symbol) && !symbol_is_clock(symbol))
        what = "is not an int, bool, scalar, array or struct";
    if (what) usage(reader, "'%s' %s; only variables can be removed", symbol->name, what);
    return !what;
}

/* Follows "[2]" and ".f" into the shape. */
static bool read_path(struct reader *reader, const struct symbol *symbol,
                      const struct shape **shape, uint32_t *offset) {
    const struct type *type = symbol->type;
    while (reader->at < reader->end) {
        char c = *reader->at++;
        if (c == '[' && (*shape)->kind == SHAPE_ARRAY) {
            char *rest;
            long index = strtol(reader->at, &rest, 10);
            if (rest == reader->at || rest >= reader->end || *rest != ']') {
                usage(reader, "an index is a number in brackets, as in name[2]");
                return false;
            }
            reader->at = rest + 1;
            if (index < (*shape)->lower || index > (*shape)->upper) {
                usage(reader, "index %ld is outside %d..%d", index, (*shape)->lower,
                      (*shape)->upper);
                return false;
            }
            *offset += (uint32_t)(index - (*shape)->lower) * (*shape)->element->cell_count;
            *shape = (*shape)->element;
            type = type_strip(type)->element;
            continue;
        }
        const struct type *plain = type_strip(type);
        if (c != '.' || (*shape)->kind != SHAPE_STRUCT) {
            usage(reader,
                  c == ' '   ? "'%s' is followed by a blank; separate variables by commas"
                  : c == '[' ? "'%s' does not have that many dimensions; leave brackets out"
                  : c == '.' ? "'%s' has no fields here; leave out what comes behind it"
                             : "'%s' is followed by something else than .field or [index]",
                  symbol->name);
            return false;
        }
        struct str name = read_word(reader);
        uint32_t field = 0;
        while (field < plain->field_count && !str_is(name, plain->fields[field].name)) field++;
        if (field == plain->field_count) {
            struct similar similar = {.word = name};
            for (uint32_t i = 0; i < plain->field_count; i++)
                similar_offer(&similar, plain->fields[i].name);
            usage(reader, "'%s' has no field '%.*s'%s", symbol->name, (int)name.size, name.data,
                  similar_hint(&similar, reader->arena, ""));
            return false;
        }
        *offset += (*shape)->offsets[field];
        *shape = (*shape)->fields[field];
        type = plain->fields[field].type;
    }
    return true;
}

static struct removal *push(struct request *request, struct removal removal) {
    uint32_t *index = ARENA_NEW(request->arena, uint32_t);
    if (!request->removals.count) map_init(&request->of_symbol, request->arena);
    *index = request->removals.count;
    map_put(&request->of_symbol, map_key(removal.symbol), index);
    VEC_PUSH(request->arena, &request->removals, removal);
    return &request->removals.items[*index];
}

static struct removal *removal_of(struct reader *reader, struct candidate variable) {
    struct request *request = reader->request;
    VEC_PUSH(request->arena, &reader->named, variable.symbol);
    struct removal *old = (struct removal *)removed_ever(request, variable.symbol);
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

static struct candidate read_variable(struct reader *reader) {
    reader->at = reader->word.data;
    reader->end = reader->word.data + reader->word.size;
    reader->set = NULL;
    reader->arguments = (struct str){NULL, 0};
    struct candidate variable = find_variable(reader);
    return variable.symbol && is_removable(reader, variable.symbol) ? variable : none;
}

bool request_read(struct arena *arena, const struct network *network, struct str word,
                  position place, struct diag *diag, struct named_variable *named) {
    struct reader reader = {
        .network = network, .diag = diag, .arena = arena, .word = word, .place = place};
    struct candidate variable = read_variable(&reader);
    *named = (struct named_variable){.template = variable.template,
                                     .symbol = variable.symbol,
                                     .set = reader.set,
                                     .arguments = reader.arguments,
                                     .path = {reader.at, (size_t)(reader.end - reader.at)}};
    return variable.symbol != NULL;
}

bool request_next_word(struct str *list, struct str *word) {
    size_t size = 0, depth = 0;
    if (!list->data) return false;
    for (; size < list->size && (depth || list->data[size] != ','); size++) {
        depth += list->data[size] == '(';
        depth -= depth && list->data[size] == ')';
    }
    *word = str_trim((struct str){list->data, size});
    *list = size < list->size ? (struct str){list->data + size + 1, list->size - size - 1}
                              : (struct str){NULL, 0};
    return true;
}

/* Whether no process has the variable: then there is nothing to remove, which is said. */
static bool is_nowhere(struct reader *reader, struct candidate variable) {
    if (network_shape(reader->network, variable.template, variable.symbol)) return false;
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

/* T3.10: a clock has no values that could be put in for it, so it goes as a whole. */
static bool add_clock(struct reader *reader, const struct symbol *clock) {
    const struct symbol *parameter = find_clock_parameter(reader->network, clock);
    if (reader->at < reader->end)
        usage(reader, "'%s' is a clock, which is removed as a whole; leave out what is behind it",
              clock->name);
    else if (parameter)
        usage(reader,
              "a process has clock '%s' as its parameter '%s'; remove all clocks by --untime",
              clock->name, parameter->name);
    else if (!clock_is_removed(reader->request, clock))
        VEC_PUSH(reader->request->arena, &reader->request->clocks, clock);
    return clock_is_removed(reader->request, clock);
}

static bool add_variable(struct reader *reader) {
    struct candidate variable = read_variable(reader);
    if (!variable.symbol) return false;
    if (symbol_is_clock(variable.symbol)) return add_clock(reader, variable.symbol);
    if (is_nowhere(reader, variable)) return true;
    if (reader->set) {
        diag_error(reader->diag, STATUS_UNSUPPORTED, reader->place,
                   "--remove %.*s: processes of one template are not told apart here; name the "
                   "template",
                   (int)reader->word.size, reader->word.data);
        return false;
    }
    struct removal *removal = removal_of(reader, variable);
    const struct shape *shape = removal->shape;
    uint32_t offset = 0;
    /* Otherwise the whole is refused, or processes of one shape are told apart first. */
    bool has_one_shape = network_has_one_shape(reader->network, variable.template, variable.symbol);
    if (has_one_shape && !read_path(reader, variable.symbol, &shape, &offset)) return false;
    remove_cells(removal, offset, shape->cell_count);
    struct request_part part = {variable.symbol, offset, shape->cell_count};
    VEC_PUSH(reader->request->arena, &reader->request->parts, part);
    return true;
}

/* Scopes (S1) */

static void refuse_location(struct reader *reader, const struct template *template,
                            struct str name) {
    if (memchr(name.data, '@', name.size)) {
        usage(reader,
              "'%.*s' is no location; behind '@' stand locations only: give each variable "
              "with locations a --remove of its own",
              (int)name.size, name.data);
        return;
    }
    struct similar similar = {.word = name};
    for (uint32_t i = 0; i < template->location_count; i++)
        similar_offer(&similar, template->locations[i].name);
    usage(reader, "template '%s' has no location '%.*s'%s", template->symbol->name, (int)name.size,
          name.data, similar_hint(&similar, reader->request->arena, "; `varabs draw` shows them"));
}

static bool add_scope(struct reader *reader, struct removal *removal, bool is_old,
                      const char *locations) {
    struct request *request = reader->request;
    if (!removal->template) {
        usage(reader, "'%s' is global; scopes are for variables of templates, so leave out '@'",
              removal->symbol->name);
        return false;
    }
    if (is_old && !removal->scope) return true; /* it is removed everywhere already */
    const struct template *template = removal->template;
    if (!removal->scope)
        removal->scope = ARENA_ARRAY(request->arena, bool,
                                     template->location_count + template->branchpoint_count);
    for (const char *from = locations;;) {
        const char *to = from;
        while (*to && *to != ',') to++;
        struct str name = str_trim((struct str){from, (size_t)(to - from)});
        uint32_t location = find_location(template, name);
        if (location == UINT32_MAX) {
            refuse_location(reader, template, name);
            return false;
        }
        assert(location < template->location_count); /* branchpoints have no names */
        removal->scope[location] = true;
        if (!*to) return true;
        from = to + 1;
    }
}

static bool add_variables(struct reader *reader, struct str list) {
    bool ok = true;
    for (struct str rest = list; request_next_word(&rest, &reader->word);) {
        if (!reader->word.size) {
            reader->word = list;
            usage(reader, "a name is missing");
            ok = false;
        } else {
            ok &= add_variable(reader);
        }
    }
    return ok;
}

bool request_add(struct request *request, const struct network *network, const char *argument,
                 struct diag *diag) {
    assert(!request->slot_is_removed); /* not finished yet */
    struct reader reader = {.request = request,
                            .network = network,
                            .diag = diag,
                            .arena = request->arena,
                            .place = request->at};
    const char *at = strchr(argument, '@');
    uint32_t before = request->removals.count, clocks = request->clocks.count;
    bool ok = add_variables(
        &reader, (struct str){argument, at ? (size_t)(at - argument) : strlen(argument)});
    reader.word = str_of(argument);
    if (ok && at && request->clocks.count > clocks) {
        usage(&reader, "a clock is removed in all locations; leave out '@'");
        ok = false;
    }
    for (uint32_t i = 0; i < reader.named.count && ok; i++) {
        struct removal *removal = (struct removal *)removed_ever(request, reader.named.items[i]);
        bool is_old = removal < request->removals.items + before;
        if (!at) removal->scope = NULL;
        if (at) ok = add_scope(&reader, removal, is_old, at + 1);
    }
    return ok;
}

bool request_add_ghost(struct request *request, const struct network *network,
                       const struct ghost *ghost, struct diag *diag) {
    assert(!request->slot_is_removed && ghost->cells.count);
    struct reader reader = {
        .request = request, .network = network, .diag = diag, .arena = request->arena};
    VEC_PUSH(request->arena, &request->ghosts, ghost);
    for (uint32_t i = 0; i < ghost->cells.count; i++) {
        const struct ghost_cell *cell = &ghost->cells.items[i];
        struct removal *removal =
            removal_of(&reader, (struct candidate){ghost->template, cell->symbol});
        remove_cells(removal, cell->offset, 1);
        if (!removal->scope) continue;
        diag_error(diag, STATUS_USAGE, ghost->definition->value.begin,
                   "'%s' is merged, so it is removed in all locations; leave out its '@' in "
                   "--remove",
                   cell->symbol->name);
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
