#include "session/actions.h"

#include "session/queries.h"
#include "xml/input.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

struct reader {
    struct actions_file *file;
    struct session *session;
    const char *path;
};

__attribute__((format(printf, 2, 3))) static bool fail(const struct reader *reader,
                                                       const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(&reader->session->arena, format, arguments);
    va_end(arguments);
    return diag_error(&reader->session->diag, STATUS_INVALID, 0, "%s: %s", reader->path, text);
}

/* A copy of a string that is not empty; NULL (reported) if it is none. */
static const char *read_name(const struct reader *reader, const json_t *value, const char *what) {
    const char *name = json_string_value(value);
    if (name && *name && strlen(name) == json_string_length(value))
        return arena_copy(&reader->session->arena, name, strlen(name));
    fail(reader, "%s has to be a string that is not empty", what);
    return NULL;
}

/* Members that the schema does not know. */
static bool has_only(const struct reader *reader, json_t *object, const char *what,
                     const char *const *keys, size_t count) {
    const char *key;
    json_t *value;
    if (!json_is_object(object)) return fail(reader, "%s has to be an object", what);
    json_object_foreach(object, key, value) {
        size_t i = 0;
        while (i < count && strcmp(key, keys[i]) != 0) i++;
        if (i == count) return fail(reader, "%s has no member '%s'", what, key);
    }
    return true;
}

/* "i0", "i12" */
static bool is_index(const char *text, uint32_t *index) {
    size_t digits = strspn(text + 1, "0123456789");
    if (*text != 'i' || !digits || digits > 3 || text[1 + digits]) return false;
    *index = 0;
    for (size_t i = 1; i <= digits; i++) *index = *index * 10 + (uint32_t)(text[i] - '0');
    return true;
}

static bool read_arguments(const struct reader *reader, json_t *list, enum side side,
                           struct action_source *source, const char *what) {
    struct arena *arena = &reader->session->arena;
    if (!list) return true;
    if (!json_is_array(list) || json_array_size(list) > ACTION_MAX_VALUES)
        return fail(reader, "args of %s has to be an array of at most %d strings", what,
                    ACTION_MAX_VALUES);
    source->has_arguments = true;
    source->argument_count = (uint32_t)json_array_size(list);
    source->arguments = ARENA_ARRAY(arena, struct action_argument, source->argument_count + 1);
    for (uint32_t i = 0; i < source->argument_count; i++) {
        const char *text = read_name(reader, json_array_get(list, i), "each of args");
        struct action_argument *argument = &source->arguments[i];
        if (!text) return false;
        argument->is_index = is_index(text, &argument->index);
        if (!argument->is_index)
            VEC_PUSH(arena, &reader->file->pending[side],
                     (struct pending_argument){argument, text});
    }
    return true;
}

static bool read_source(const struct reader *reader, json_t *value, enum side side,
                        struct action_source *source, const char *action) {
    static const char *const keys[] = {"channel", "tag", "args"};
    const char *what = arena_printf(&reader->session->arena, "'%s' of action '%s'",
                                    side == SIDE_CONCRETE ? "concrete" : "abstract", action);
    if (!value) return true; /* the model does not have it */
    if (!has_only(reader, value, what, keys, 3)) return false;
    json_t *channel = json_object_get(value, "channel"), *tag = json_object_get(value, "tag");
    if (!channel == !tag) return fail(reader, "%s has to have either a channel or a tag", what);
    const char *name = read_name(reader, channel ? channel : tag, channel ? "channel" : "tag");
    if (!name) return false;
    if (channel)
        source->channel = name;
    else
        source->tag = name + (*name == '@');
    return read_arguments(reader, json_object_get(value, "args"), side, source, what);
}

static bool read_action(const struct reader *reader, json_t *value) {
    static const char *const keys[] = {"name", "concrete", "abstract"};
    struct visible_action action = {0};
    if (!has_only(reader, value, "an action", keys, 3)) return false;
    action.name = read_name(reader, json_object_get(value, "name"), "the name of an action");
    if (!action.name) return false;
    json_t *concrete = json_object_get(value, "concrete");
    json_t *abstract = json_object_get(value, "abstract");
    if (!concrete && !abstract) return fail(reader, "action '%s' is in no model", action.name);
    if (!read_source(reader, concrete, SIDE_CONCRETE, &action.sources[SIDE_CONCRETE],
                     action.name) ||
        !read_source(reader, abstract, SIDE_ABSTRACT, &action.sources[SIDE_ABSTRACT], action.name))
        return false;
    VEC_PUSH(&reader->session->arena, &reader->file->actions, action);
    return true;
}

/* A list of names that may be missing. */
static bool read_fair(const struct reader *reader, json_t *json, const char *key, enum side side,
                      bool is_strong) {
    struct actions_file *file = reader->file;
    const json_t *list = json_object_get(json, key);
    if (list && !json_is_array(list))
        return fail(reader, "'%s' has to be an array of strings", key);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = read_name(reader, json_array_get(list, i), key);
        if (!name) return false;
        if (is_strong)
            VEC_PUSH(&reader->session->arena, &file->strong[side], name);
        else
            VEC_PUSH(&reader->session->arena, &file->weak[side], name);
    }
    return true;
}

static bool read_all(const struct reader *reader, json_t *json) {
    static const char *const keys[] = {"actions",         "weak",   "strong", "abstract-weak",
                                       "abstract-strong", "$schema"};
    if (!has_only(reader, json, "the file", keys, 6) ||
        !read_fair(reader, json, "weak", SIDE_CONCRETE, false) ||
        !read_fair(reader, json, "strong", SIDE_CONCRETE, true) ||
        !read_fair(reader, json, "abstract-weak", SIDE_ABSTRACT, false) ||
        !read_fair(reader, json, "abstract-strong", SIDE_ABSTRACT, true))
        return false;
    json_t *actions = json_object_get(json, "actions");
    if (!json_is_array(actions) || !json_array_size(actions))
        return fail(reader, "'actions' has to be an array that is not empty");
    for (size_t i = 0; i < json_array_size(actions); i++)
        if (!read_action(reader, json_array_get(actions, i))) return false;
    return true;
}

bool actions_read(struct actions_file *file, struct session *concrete, const char *path) {
    struct reader reader = {file, concrete, path};
    struct str bytes;
    json_error_t error;
    *file = (struct actions_file){0};
    if (!file_load(path, &concrete->arena, &bytes))
        return fail(&reader, "cannot be read: %s", strerror(errno));
    if (bytes.size > ACTIONS_MAX_BYTES)
        return fail(&reader, "has more than %d bytes", ACTIONS_MAX_BYTES);
    json_t *json = json_loadb(bytes.data, bytes.size, JSON_REJECT_DUPLICATES, &error);
    bool is_fine = json ? read_all(&reader, json)
                        : fail(&reader, "line %d: not valid JSON: %s", error.line, error.text);
    json_decref(json);
    return is_fine;
}

/* Each expression is read as a query for its values. */
bool actions_build(struct actions_file *file, struct session *session, enum side side,
                   const char *path) {
    uint32_t count = file->pending[side].count;
    struct arena *arena = &session->arena;
    struct query_source *sources = ARENA_ARRAY(arena, struct query_source, count + 1);
    if (!count) return session_build_with(session, NULL, 0);
    for (uint32_t i = 0; i < count; i++)
        sources[i] = (struct query_source){
            arena_printf(arena, "sup: %s", file->pending[side].items[i].text), false, path};
    if (!session_build_for(session, sources, count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct query *query =
            i < session->model->query_count ? &session->model->queries[i] : NULL;
        const struct pending_argument *pending = &file->pending[side].items[i];
        if (!query || session->model->query_count != count || query->quantifier != QUERY_SUP ||
            query->expr_count != 1)
            return diag_error(
                &session->diag, STATUS_INVALID, 0,
                "%s: '%s' is no value: write i0, i1, ... or an expression over global "
                "variables and Process.variable",
                path, pending->text);
        pending->argument->expr = query->exprs[0];
    }
    return true;
}

bool actions_name(struct alphabet *alphabet, struct session *concrete, struct session *abstract,
                  const struct alphabet_request *request) {
    struct arena *arena = &concrete->arena;
    const char *problem =
        alphabet_init(alphabet, arena, concrete->network, abstract->network, request);
    if (!problem && (!alphabet_read_tags(alphabet, arena, SIDE_CONCRETE, concrete->model) ||
                     !alphabet_read_tags(alphabet, arena, SIDE_ABSTRACT, abstract->model)))
        return false;
    if (!problem) problem = alphabet_compare(alphabet, arena);
    if (problem) diag_error(&abstract->diag, STATUS_USAGE, 0, "%s", problem);
    return !problem;
}
