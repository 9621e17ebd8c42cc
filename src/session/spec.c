#include "session/spec.h"

#include "xml/input.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Arguments */

static struct text slice(struct session *session, const struct text *text, const char *from,
                         const char *to) {
    const char *begin = text->content.data;
    assert(begin <= from && from <= to && to <= begin + text->content.size);
    char *copy = arena_copy(&session->arena, from, (size_t)(to - from));
    return (struct text){.content = {copy, (size_t)(to - from)},
                         .begin = text->begin + (position)(from - begin)};
}

/* As --merge takes it; false (reported) if it cannot be read so. */
bool spec_add_merge(struct spec *spec, struct session *session, const char *argument) {
    struct text text = {.content = str_of(argument)};
    text.begin = source_add_text(&session->document.source, "--merge", text.content);
    const char *end = argument + text.content.size;
    const char *colon = strchr(argument, ':'), *equals = colon ? strchr(colon, '=') : NULL;
    if (!equals)
        return diag_error(&session->diag, STATUS_USAGE, text.begin,
                          "write VARIABLE:TYPE=EXPRESSION, as in 'Voter.voted:int[0,1]=mem_vt>0'");
    const char *at = strchr(equals, '@'); /* no operator of expressions */
    struct ghost_definition merge = {.name = slice(session, &text, argument, colon),
                                     .type = slice(session, &text, colon + 1, equals),
                                     .value = slice(session, &text, equals + 1, at ? at : end)};
    if (at) merge.scope = slice(session, &text, at + 1, end);
    VEC_PUSH(&session->arena, &spec->merges, merge);
    return true;
}

/* Files: Jansson has seen that the text is JSON, so the reader only has to find its way. */

struct reader {
    struct session *session;
    struct spec *spec;
    const char *name, *text, *at;
    position begin; /* of the text */
};

static position here(const struct reader *reader) {
    return reader->begin + (position)(reader->at - reader->text);
}

__attribute__((format(printf, 3, 4))) static bool fail(struct reader *reader, position at,
                                                       const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    diag_error(&reader->session->diag, STATUS_INVALID, at, "%s",
               arena_vprintf(&reader->session->arena, format, arguments));
    va_end(arguments);
    return false;
}

static bool skip_to(struct reader *reader, char c) {
    reader->at += strspn(reader->at, " \t\r\n");
    return *reader->at == c;
}

static bool take(struct reader *reader, char c) {
    bool found = skip_to(reader, c);
    reader->at += found;
    return found;
}

static unsigned hexadecimal(const char *digits) {
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        char c = digits[i];
        value = value * 16 + (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return value;
}

/* One escape: its character in UTF-8, and where it ends. */
static size_t decode(const char **at, char *out) {
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    char letter = (*at)[1];
    const char *found = strchr(letters, letter);
    *at += 2;
    if (letter != 'u') {
        *out = found ? meant[found - letters] : letter;
        return 1;
    }
    unsigned code = hexadecimal(*at);
    *at += 4;
    if (code >= 0xD800 && code < 0xDC00) {
        code = 0x10000 + ((code - 0xD800) << 10) + (hexadecimal(*at + 2) - 0xDC00);
        *at += 6;
    }
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size; i-- > 1; code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(lead[size] | code);
    return size;
}

/* A string; where it has escapes, its text gets positions of its own that lead to the same places
 * of the file. */
static bool read_string(struct reader *reader, const char *what, struct text *text) {
    if (!take(reader, '"')) return fail(reader, here(reader), "%s is a string", what);
    const char *from = reader->at, *to = from;
    bool has_escape = false;
    for (; *to != '"'; to += *to == '\\' ? 2 : 1) has_escape |= *to == '\\';
    struct arena *arena = &reader->session->arena;
    *text = (struct text){
        .content = {arena_copy(arena, from, (size_t)(to - from)), (size_t)(to - from)},
        .begin = here(reader)};
    reader->at = to + 1;
    if (!has_escape) return true;
    struct source *source = &reader->session->document.source;
    char *decoded = (char *)text->content.data;
    size_t size = 0;
    text->begin = source->next;
    while (from < to) {
        struct source_location place =
            source_locate(source, reader->begin + (position)(from - reader->text));
        size_t begin = size, length = 1;
        if (*from == '\\') {
            length = decode(&from, decoded + size);
        } else {
            while (from + length < to && from[length] != '\\') length++;
            memmove(decoded + size, from, length);
            from += length;
        }
        size += length;
        source_add(source, length, place, 0, decoded + begin);
        source->pieces.items[source->pieces.count - 1].name = reader->name;
    }
    decoded[size] = 0;
    text->content.size = size;
    source_extend(source, 1);
    if (strlen(decoded) == size) return true;
    return fail(reader, text->begin, "this string holds a NUL character");
}

static bool read_removal(struct reader *reader, void *context) {
    struct text text;
    (void)context;
    if (!read_string(reader, "what to remove", &text)) return false;
    VEC_PUSH(&reader->session->arena, &reader->spec->removals,
             (struct spec_removal){text.content.data, text.begin});
    return true;
}

/* Calls back for each member, with its key. */
static bool read_object(struct reader *reader, const char *what,
                        bool (*member)(struct reader *reader, const struct text *key,
                                       void *context),
                        void *context) {
    if (!take(reader, '{')) return fail(reader, here(reader), "%s is an object in braces", what);
    if (take(reader, '}')) return true;
    do {
        struct text key;
        if (!read_string(reader, "a key", &key)) return false;
        take(reader, ':');
        skip_to(reader, ' ');
        if (!member(reader, &key, context)) return false;
    } while (take(reader, ','));
    take(reader, '}');
    return true;
}

static bool read_list(struct reader *reader, const char *what,
                      bool (*entry)(struct reader *reader, void *context), void *context) {
    if (!take(reader, '[')) return fail(reader, here(reader), "'%s' is a list in brackets", what);
    if (take(reader, ']')) return true;
    do
        if (!entry(reader, context)) return false;
    while (take(reader, ','));
    take(reader, ']');
    return true;
}

/* Locations join into a list with commas, as after an @. */
static bool read_merge_location(struct reader *reader, void *context) {
    struct ghost_definition *merge = context;
    struct text location;
    struct str *list = &merge->scope.content;
    if (!read_string(reader, "a location", &location)) return false;
    const char *joined = arena_printf(&reader->session->arena, "%.*s%s%.*s", (int)list->size,
                                      list->data ? list->data : "", list->size ? "," : "",
                                      (int)location.content.size, location.content.data);
    *list = str_of(joined);
    return true;
}

static bool read_merge_member(struct reader *reader, const struct text *key, void *context) {
    struct ghost_definition *merge = context;
    struct text *members[] = {&merge->name, &merge->template, &merge->type, &merge->value};
    static const char *const keys[] = {"name", "template", "type", "expression"};
    for (int i = 0; i < 4; i++)
        if (str_is(key->content, keys[i])) return read_string(reader, keys[i], members[i]);
    if (str_is(key->content, "locations")) {
        merge->scope.begin = here(reader);
        return read_list(reader, "locations", read_merge_location, merge);
    }
    return fail(
        reader, key->begin,
        "there is no '%s' in a merge; it has name, template, type, expression and locations",
        key->content.data);
}

static bool read_merge(struct reader *reader, void *context) {
    struct ghost_definition merge = {0};
    (void)context;
    skip_to(reader, '{');
    position begin = here(reader);
    if (!read_object(reader, "a merge", read_merge_member, &merge)) return false;
    const char *missing = !merge.name.begin    ? "name"
                          : !merge.type.begin  ? "type"
                          : !merge.value.begin ? "expression"
                                               : NULL;
    if (missing) return fail(reader, begin, "this merge has no '%s'", missing);
    VEC_PUSH(&reader->session->arena, &reader->spec->merges, merge);
    return true;
}

/* Values that may be exchanged. */

static bool read_value(struct reader *reader, int32_t *value) {
    skip_to(reader, '-');
    position begin = here(reader);
    char *end;
    errno = 0;
    long long number = strtoll(reader->at, &end, 10);
    if (end == reader->at || strchr(".eE", *end))
        return fail(reader, begin, "a value is a whole number");
    if (errno || number < INT32_MIN || number > INT32_MAX)
        return fail(reader, begin, "no variable has this value");
    *value = (int32_t)number;
    reader->at = end;
    return true;
}

static bool read_ignored_value(struct reader *reader) {
    int32_t ignored;
    return read_value(reader, &ignored);
}

static bool read_class_value(struct reader *reader, void *context) {
    struct spec_exchange *exchange = context;
    struct spec_value value = {.class = exchange->class_count - 1};
    skip_to(reader, '-');
    position begin = here(reader);
    if (!read_value(reader, &value.value)) return false;
    for (uint32_t i = 0; i < exchange->values.count; i++)
        if (exchange->values.items[i].value == value.value)
            return fail(reader, begin, "%d is in a class before", (int)value.value);
    if (exchange->values.count == SPEC_MAX_VALUES)
        return fail(reader, begin, "more than %d values", SPEC_MAX_VALUES);
    VEC_PUSH(&reader->session->arena, &exchange->values, value);
    return true;
}

static bool read_class_member(struct reader *reader, const struct text *key, void *context) {
    if (str_is(key->content, "values"))
        return read_list(reader, "values", read_class_value, context);
    if (str_is(key->content, "representative")) return read_ignored_value(reader);
    return fail(reader, key->begin, "there is no '%s' in a class; it has values",
                key->content.data);
}

static bool read_class(struct reader *reader, void *context) {
    struct spec_exchange *exchange = context;
    exchange->class_count++;
    return read_object(reader, "a class", read_class_member, exchange);
}

static bool read_process(struct reader *reader, void *context) {
    struct spec_exchange *exchange = context;
    struct text name;
    if (!read_string(reader, "a process", &name)) return false;
    VEC_PUSH(&reader->session->arena, &exchange->processes, name);
    return true;
}

static bool read_key_value(struct reader *reader, void *context) {
    struct spec_exchange *exchange = context;
    int32_t value;
    if (!read_value(reader, &value)) return false;
    VEC_PUSH(&reader->session->arena, &exchange->key_values, value);
    return true;
}

static bool read_key_member(struct reader *reader, const struct text *key, void *context) {
    struct spec_exchange *exchange = context;
    if (str_is(key->content, "variable")) return read_string(reader, "variable", &exchange->key);
    if (str_is(key->content, "values"))
        return read_list(reader, "values", read_key_value, exchange);
    return fail(reader, key->begin, "there is no '%s' in 'while'; it has variable and values",
                key->content.data);
}

static bool read_key(struct reader *reader, struct spec_exchange *exchange) {
    skip_to(reader, '{');
    position begin = here(reader);
    if (!read_object(reader, "'while'", read_key_member, exchange)) return false;
    return (exchange->key.begin && exchange->key_values.count) ||
           fail(reader, begin, "'while' has a variable and some values");
}

static bool read_exchange_member(struct reader *reader, const struct text *key, void *context) {
    static const char *const ignored[] = {"lower", "upper", "representative"};
    struct spec_exchange *exchange = context;
    if (str_is(key->content, "variable"))
        return read_string(reader, "variable", &exchange->variable);
    if (str_is(key->content, "template"))
        return read_string(reader, "template", &exchange->template);
    if (str_is(key->content, "location"))
        return read_string(reader, "location", &exchange->location);
    if (str_is(key->content, "processes"))
        return read_list(reader, "processes", read_process, exchange) &&
               (exchange->processes.count ||
                fail(reader, key->begin, "there are no processes; leave it out for all of them"));
    if (str_is(key->content, "while")) return read_key(reader, exchange);
    for (int i = 0; i < 3; i++)
        if (str_is(key->content, ignored[i])) return read_ignored_value(reader);
    exchange->has_classes = true;
    if (str_is(key->content, "classes")) return read_list(reader, "classes", read_class, exchange);
    return fail(
        reader, key->begin,
        "there is no '%s' here; what is to be normalised has variable, location, while and classes",
        key->content.data);
}

/* A variable by name alone: all of its values, wherever its process is. */
static bool read_exchange(struct reader *reader, void *context) {
    struct spec_exchange exchange = {.has_classes = false};
    bool is_name = skip_to(reader, '"');
    position begin = here(reader);
    (void)context;
    if (is_name ? !read_string(reader, "a variable", &exchange.variable)
                : !read_object(reader, "what is to be normalised", read_exchange_member, &exchange))
        return false;
    if (!exchange.variable.begin) return fail(reader, begin, "this entry has no 'variable'");
    VEC_PUSH(&reader->session->arena, &reader->spec->exchanges, exchange);
    return true;
}

static bool read_mode(struct reader *reader) {
    struct text text;
    static const char *const modes[] = {"may", "must", "must-lower", "mixed"};
    if (!read_string(reader, "mode", &text)) return false;
    const char *mode = NULL;
    for (int i = 0; i < 4; i++)
        if (str_is(text.content, modes[i])) mode = modes[i];
    if (!mode) return fail(reader, text.begin, "mode is may, must, must-lower or mixed");
    if (reader->spec->mode && strcmp(mode, reader->spec->mode) != 0)
        return fail(reader, text.begin, "another file says %s", reader->spec->mode);
    reader->spec->mode = mode;
    reader->spec->mode_at = text.begin;
    return true;
}

static bool read_assumption(struct reader *reader, void *context) {
    struct text text;
    (void)context;
    if (!read_string(reader, "assume", &text)) return false;
    if (!str_is(text.content, "live"))
        return fail(reader, text.begin, "what can be assumed is live: the original is never stuck");
    reader->spec->assumes_live = true;
    return true;
}

static bool read_member(struct reader *reader, const struct text *key, void *context) {
    struct text ignored;
    (void)context;
    if (str_is(key->content, "remove")) return read_list(reader, "remove", read_removal, NULL);
    if (str_is(key->content, "merge")) return read_list(reader, "merge", read_merge, NULL);
    if (str_is(key->content, "normalise"))
        return read_list(reader, "normalise", read_exchange, NULL);
    if (str_is(key->content, "mode")) return read_mode(reader);
    if (str_is(key->content, "assume")) return read_list(reader, "assume", read_assumption, NULL);
    if (str_is(key->content, "$schema")) return read_string(reader, "$schema", &ignored);
    return fail(reader, key->begin,
                "there is no '%s' in a spec; it has remove, merge, normalise, mode and assume",
                key->content.data);
}

bool spec_add_file(struct spec *spec, struct session *session, const char *path, struct str *kept) {
    bool is_stdin = !strcmp(path, "-");
    const char *name = is_stdin ? "<stdin>" : path;
    if (!kept->data && is_stdin && session->is_stdin)
        return diag_error(&session->diag, STATUS_USAGE, 0, "standard input can be read only once");
    if (!kept->data && !file_load(path, &session->arena, kept))
        return diag_error(&session->diag, STATUS_INVALID, 0, "cannot read '%s': %s", name,
                          strerror(errno));
    struct str bytes = *kept;
    if (bytes.size > SPEC_MAX_BYTES)
        return diag_error(&session->diag, STATUS_LIMIT, 0, "'%s' has more than %d bytes", name,
                          SPEC_MAX_BYTES);
    struct reader reader = {session, spec, name, bytes.data, bytes.data, 0};
    reader.begin = source_add_text(&session->document.source, name, bytes);
    json_error_t error;
    json_t *json = json_loadb(bytes.data, bytes.size, JSON_REJECT_DUPLICATES, &error);
    bool ok = json_is_object(json);
    json_decref(json);
    if (ok) return read_object(&reader, "a spec", read_member, NULL);
    if (json) return fail(&reader, reader.begin, "a spec is an object in braces");
    size_t at = error.position > 0 ? (size_t)error.position : 0;
    return fail(&reader, reader.begin + (position)(at < bytes.size ? at : bytes.size),
                "not valid JSON: %s", error.text);
}
