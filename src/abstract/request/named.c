/* Words of an argument, and the variables that they name. */
#include "abstract/request/named.h"

#include "base/similar.h"
#include "lang/syntax/frame.h"
#include "lang/syntax/lex.h"

#include <assert.h>
#include <stdlib.h>

static const struct named_symbol none = {NULL, NULL};

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

bool argument_fail(struct argument_reader *reader, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    assert(reader->word.data); /* what the message begins with */
    diag_error(reader->diag, STATUS_USAGE, reader->place, "%s%.*s: %s",
               reader->place ? "" : "--remove ", (int)reader->word.size, reader->word.data,
               arena_vprintf(reader->arena, format, arguments));
    va_end(arguments);
    return false;
}

static struct str read_word(struct argument_reader *reader) {
    const char *from = reader->at;
    while (reader->at < reader->end && is_part_of_name(*reader->at)) reader->at++;
    return (struct str){from, (size_t)(reader->at - from)};
}

static const struct template *find_template(const struct argument_reader *reader, struct str name) {
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

/* What is declared by that name in a template, or globally; or NULL. */
static struct symbol *find_declared(const struct argument_reader *reader,
                                    const struct template *template, struct str name) {
    const struct model *model = reader->network->model;
    const char *known =
        intern_find(model->document->names, arena_copy(reader->arena, name.data, name.size));
    return known ? frame_find_here(template ? template->frame : model->frame, known) : NULL;
}

static bool has_slots(const struct symbol *symbol) {
    return symbol && (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER);
}

/* A variable, parameter or constant of a template, or a global one; or NULL. */
static struct symbol *find_member(const struct argument_reader *reader,
                                  const struct template *template, struct str name) {
    struct symbol *symbol = find_declared(reader, template, name);
    return has_slots(symbol) ? symbol : NULL;
}

uint32_t location_named(const struct template *template, struct str name) {
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

static void suggest_in(struct argument_reader *reader, struct buffer *out,
                       const struct template *template, struct symbol *const *symbols,
                       uint32_t count, struct str name) {
    for (uint32_t i = 0; i < count; i++)
        if (is_listed_variable(symbols[i]) && is_similar(name, symbols[i]->name))
            buffer_printf(out, "%s%s", out->size ? ", " : "",
                          variable_name(reader->arena, template, symbols[i]));
}

/* A name that is no variable's, a parameter's or a constant's: those have slots of their own. */
static const struct symbol *find_other(const struct argument_reader *reader,
                                       const struct template *template, struct str name) {
    const struct symbol *symbol = find_declared(reader, template, name);
    if (has_slots(symbol)) return NULL;
    for (uint32_t e = 0; template && !symbol && e < template->edge_count; e++)
        symbol = find_in(template->edges[e].selects, template->edges[e].select_count, name);
    return symbol;
}

static void report_other(struct argument_reader *reader, const struct template *template,
                         const struct symbol *symbol) {
    static const char *const kinds[] = {[SYMBOL_FUNCTION] = "function",
                                        [SYMBOL_TYPE] = "type",
                                        [SYMBOL_LOCATION] = "location",
                                        [SYMBOL_SELECT] = "select"};
    const char *name = symbol->name;
    if (symbol->kind == SYMBOL_TEMPLATE || symbol->kind == SYMBOL_INSTANCE)
        argument_fail(reader, "'%s' is a %s; write %s.NAME for one of its variables", name,
                      symbol->kind == SYMBOL_TEMPLATE ? "template" : "process", name);
    else
        argument_fail(reader, "'%s' is a %s%s%s; only variables can be removed", name,
                      kinds[symbol->kind], template ? " of " : "",
                      template ? template->symbol->name : "");
}

static void report_unknown(struct argument_reader *reader, const struct template *template,
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
        argument_fail(reader, "there is no such variable; did you mean %s?", similar.data);
    else
        argument_fail(reader, "there is no such variable; `varabs info` lists all of them");
    buffer_close(&similar);
}

/* All templates and the global frame are searched for a short name. */
static struct named_symbol find_short(struct argument_reader *reader, struct str name) {
    const struct model *model = reader->network->model;
    struct named_symbol found = none;
    struct buffer names = {0};
    uint32_t count = 0;
    struct symbol *global = find_member(reader, NULL, name);
    for (uint32_t i = 0; i <= model->template_count; i++) {
        const struct template *template = i ? model->templates[i - 1] : NULL;
        struct symbol *symbol = template ? find_member(reader, template, name) : global;
        if (!symbol || (global && symbol->is_reference)) continue; /* often of the same name */
        found = (struct named_symbol){template, symbol};
        buffer_printf(&names, "%s%s%s", count ? ", " : "", template ? "" : ".",
                      variable_name(reader->arena, template, symbol));
        count++;
    }
    if (count > 1) {
        argument_fail(reader, "the name is ambiguous; write one of %s", names.data);
        found = none;
    } else if (!count) {
        report_unknown(reader, NULL, name);
    }
    buffer_close(&names);
    return found;
}

static struct named_symbol find_global(struct argument_reader *reader, struct str name) {
    struct symbol *symbol = find_member(reader, NULL, name);
    if (!symbol) report_unknown(reader, NULL, name);
    return (struct named_symbol){NULL, symbol};
}

static const struct symbol *find_process_set(const struct argument_reader *reader,
                                             struct str name) {
    const struct model *model = reader->network->model;
    for (uint32_t i = 0; i < model->process_count; i++)
        if (str_is(name, model->processes[i].symbol->name)) return model->processes[i].symbol;
    return NULL;
}

static void report_no_process(struct argument_reader *reader, struct str name) {
    const struct model *model = reader->network->model;
    struct similar similar = {.word = name};
    for (uint32_t i = 0; i < model->process_count; i++)
        similar_offer(&similar, model->processes[i].symbol->name);
    argument_fail(reader, "'%.*s' is not on the system line%s", (int)name.size, name.data,
                  similar_hint(&similar, reader->arena, ""));
}

/* "(2..4)" after the name of a set of processes. */
static bool read_arguments(struct argument_reader *reader, struct str name) {
    const char *from = ++reader->at;
    while (reader->at < reader->end && *reader->at != ')') reader->at++;
    if (!reader->set)
        report_no_process(reader, name);
    else if (reader->at == reader->end)
        argument_fail(reader, "a closing parenthesis is missing");
    else
        reader->arguments = (struct str){from, (size_t)(reader->at++ - from)};
    return reader->arguments.data != NULL;
}

static struct named_symbol find_variable(struct argument_reader *reader) {
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
        argument_fail(reader, "the variable is missing; write %s(...).name", reader->set->name);
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
    return symbol ? (struct named_symbol){template, symbol} : none;
}

static bool is_removable(struct argument_reader *reader, const struct symbol *symbol) {
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
    if (what) argument_fail(reader, "'%s' %s; only variables can be removed", symbol->name, what);
    return !what;
}

bool argument_path(struct argument_reader *reader, const struct symbol *symbol,
                   const struct shape **shape, uint32_t *offset) {
    const struct type *type = symbol->type;
    const struct shape *whole = *shape;
    uint32_t first = *offset;
    assert(reader->at && reader->at <= reader->end);
    while (reader->at < reader->end) {
        char c = *reader->at++;
        if (c == '[' && (*shape)->kind == SHAPE_ARRAY) {
            char *rest;
            long index = strtol(reader->at, &rest, 10);
            if (rest == reader->at || rest >= reader->end || *rest != ']')
                return argument_fail(reader, "an index is a number in brackets, as in name[2]");
            reader->at = rest + 1;
            if (index < (*shape)->lower || index > (*shape)->upper)
                return argument_fail(reader, "index %ld is outside %d..%d", index, (*shape)->lower,
                                     (*shape)->upper);
            *offset += (uint32_t)(index - (*shape)->lower) * (*shape)->element->cell_count;
            *shape = (*shape)->element;
            assert(type_strip(type)->kind == TYPE_ARRAY); /* type and shape go down together */
            type = type_strip(type)->element;
            continue;
        }
        const struct type *plain = type_strip(type);
        if (c != '.' || (*shape)->kind != SHAPE_STRUCT)
            return argument_fail(
                reader,
                c == ' '   ? "'%s' is followed by a blank; separate variables by commas"
                : c == '[' ? "'%s' does not have that many dimensions; leave brackets out"
                : c == '.' ? "'%s' has no fields here; leave out what comes after it"
                           : "'%s' is followed by something else than .field or [index]",
                symbol->name);
        struct str name = read_word(reader);
        assert(plain->kind == TYPE_STRUCT && plain->field_count == (*shape)->field_count);
        uint32_t field = 0;
        while (field < plain->field_count && !str_is(name, plain->fields[field].name)) field++;
        if (field == plain->field_count) {
            struct similar similar = {.word = name};
            for (uint32_t i = 0; i < plain->field_count; i++)
                similar_offer(&similar, plain->fields[i].name);
            return argument_fail(reader, "'%s' has no field '%.*s'%s", symbol->name, (int)name.size,
                                 name.data, similar_hint(&similar, reader->arena, ""));
        }
        *offset += (*shape)->offsets[field];
        *shape = (*shape)->fields[field];
        type = plain->fields[field].type;
    }
    assert(*offset - first + (*shape)->cell_count <= whole->cell_count);
    return true;
}

struct named_symbol argument_variable(struct argument_reader *reader) {
    reader->at = reader->word.data;
    reader->end = reader->word.data + reader->word.size;
    reader->set = NULL;
    reader->arguments = (struct str){NULL, 0};
    struct named_symbol variable = find_variable(reader);
    assert(reader->word.data <= reader->at && reader->at <= reader->end);
    return variable.symbol && is_removable(reader, variable.symbol) ? variable : none;
}

bool request_read(struct arena *arena, const struct network *network, struct str word,
                  position place, struct diag *diag, struct named_variable *named) {
    struct argument_reader reader = {
        .network = network, .diag = diag, .arena = arena, .word = word, .place = place};
    struct named_symbol variable = argument_variable(&reader);
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

bool request_next_location(struct str *list, struct str *name, struct str *rest) {
    struct str word;
    *rest = (struct str){NULL, 0};
    if (!request_next_word(list, &word)) return false;
    *name = word;
    for (size_t i = 0; i + 1 < word.size && !rest->data; i++) {
        if (word.data[i] != ':' || word.data[i + 1] != '=') continue;
        *name = str_trim((struct str){word.data, i});
        *rest = str_trim((struct str){word.data + i + 2, word.size - i - 2});
    }
    return true;
}
