/* Names of processes and of removed slots in a report (schemas/report.schema.json), and figures of
 * a check (schemas/check.schema.json). */
#include "command/reported.h"

#include "abstract/prepare/ghost.h"
#include "base/digest.h"
#include "explore/visible/visible_exchange.h"
#include "session/spec.h"
#include "xml/byte_map.h"
#include "xml/input.h"
#include "xml/output.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Gives processes the names that they had; false if the report is not of that model. */
static bool rename_processes(struct session *session, const json_t *names) {
    struct network *network = session->network;
    const char *before;
    json_t *value;
    struct map old;
    map_init(&old, &session->arena);
    json_object_foreach((json_t *)names, before, value) {
        const char *after = json_string_value(value);
        if (!after) return false;
        char *copy = arena_copy(&session->arena, before, strlen(before));
        map_put(&old, map_key(intern_text(&session->names, after)), copy);
    }
    size_t found = 0;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const char *now = intern_text(&session->names, network->processes[p].name);
        const char *name = map_get(&old, map_key(now));
        if (!name) continue;
        network->processes[p].name = name;
        found++;
    }
    return found == json_object_size(names);
}

/* "P.m[1]", ".a[0]": a slot as --ignore names it. */
static const char *slot_argument(struct session *session, const struct slot *slot) {
    struct arena *arena = &session->arena;
    const char *name = slot_name(session->network, slot, arena);
    if (!slot->process) return arena_printf(arena, ".%s", name);
    return arena_printf(arena, "%s.%s", slot->process->template->symbol->name,
                        name + strlen(slot->process->name) + 1);
}

/* The slots of the model in a run of neighbours that the report has as removed. */
static void ignore_run(struct session *abstract, const char *first, const char *last,
                       struct reported *reported) {
    const struct network *network = abstract->network;
    const struct symbol *inside = NULL;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        const char *name = slot_argument(abstract, slot);
        const char *shown = name + (*name == '.');
        if (!strcmp(shown, first)) inside = slot->symbol;
        if (inside == slot->symbol) VEC_PUSH(&abstract->arena, &reported->ignored, name);
        if (!strcmp(shown, last)) inside = NULL;
    }
}

static bool ignore_removed(struct session *abstract, const json_t *removed,
                           struct reported *reported) {
    size_t index;
    json_t *run;
    json_array_foreach((json_t *)removed, index, run) {
        const char *first = json_string_value(json_object_get(run, "first_slot"));
        const char *last = json_string_value(json_object_get(run, "last_slot"));
        if (!first || !last) return false;
        ignore_run(abstract, first, last, reported);
    }
    return true;
}

/* ---- exchanged values ---- */

static bool take_value(const json_t *entry, const char *key, int32_t *value) {
    const json_t *number = key ? json_object_get(entry, key) : entry;
    json_int_t own = json_integer_value(number);
    *value = (int32_t)own;
    return json_is_integer(number) && own >= INT32_MIN && own <= INT32_MAX;
}

static int compare_values(const void *left, const void *right) {
    const struct exchanged_value *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

/* A class adds its values to those of its place; false if one of them is there already. */
static bool take_class(struct arena *arena, const json_t *class, struct exchange *exchange) {
    const json_t *values = json_object_get(class, "values");
    size_t size = json_array_size(values), before = exchange->count;
    struct exchanged_value *all = ARENA_ARRAY(arena, struct exchanged_value, before + size + 1);
    if (before) memcpy(all, exchange->values, before * sizeof *all);
    for (size_t i = 0; i < size; i++) {
        struct exchanged_value *own = &all[before + i];
        if (!take_value(json_array_get(values, i), NULL, &own->value) ||
            !take_value(class, "representative", &own->normal))
            return false;
    }
    exchange->values = all;
    exchange->count += (uint32_t)size;
    qsort(all, exchange->count, sizeof *all, compare_values);
    for (uint32_t i = 1; i < exchange->count; i++)
        if (all[i - 1].value == all[i].value) return false;
    return size > 0;
}

static bool take_processes(struct arena *arena, const json_t *list, struct exchange *exchange) {
    size_t size = json_array_size(list);
    exchange->processes = ARENA_ARRAY(arena, const char *, size + 1);
    for (; exchange->process_count < size; exchange->process_count++) {
        const char *name = json_string_value(json_array_get(list, exchange->process_count));
        if (!name) return false;
        exchange->processes[exchange->process_count] = arena_printf(arena, "%s", name);
    }
    return !list || size;
}

/* NULL is taken for none. */
static bool take_key(struct arena *arena, const json_t *entry, struct exchange *exchange) {
    const char *key = json_string_value(json_object_get(entry, "variable"));
    const json_t *list = json_object_get(entry, "values");
    size_t size = json_array_size(list);
    int32_t *values = ARENA_ARRAY(arena, int32_t, size + 1);
    if (!entry) return true;
    for (size_t i = 0; i < size; i++)
        if (!take_value(json_array_get(list, i), NULL, &values[i])) return false;
    if (!key || !size) return false;
    exchange->key = arena_printf(arena, "%s", key);
    exchange->key_values = values;
    exchange->key_count = (uint32_t)size;
    return true;
}

static bool take_exchange(struct arena *arena, const json_t *entry, struct exchange *exchange) {
    const char *variable = json_string_value(json_object_get(entry, "variable"));
    const char *location = json_string_value(json_object_get(entry, "location"));
    const char *template = json_string_value(json_object_get(entry, "template"));
    const json_t *classes = json_object_get(entry, "classes");
    if (!variable || (template && !location)) return false;
    *exchange =
        (struct exchange){.variable = arena_printf(arena, "%s", variable), .is_one = !classes};
    if (location) exchange->location = arena_printf(arena, "%s", location);
    if (template) exchange->template = arena_printf(arena, "%s", template);
    if (!take_processes(arena, json_object_get(entry, "processes"), exchange) ||
        !take_key(arena, json_object_get(entry, "while"), exchange))
        return false;
    if (!classes) return take_value(entry, "representative", &exchange->representative);
    for (size_t i = 0; i < json_array_size(classes); i++)
        if (!take_class(arena, json_array_get(classes, i), exchange)) return false;
    return exchange->count > 0;
}

static bool take_exchanges(struct session *abstract, const json_t *list,
                           struct reported *reported) {
    if (list && !json_is_array(list)) return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct exchange exchange;
        if (!take_exchange(&abstract->arena, json_array_get(list, i), &exchange)) return false;
        VEC_PUSH(&abstract->arena, &reported->exchanges, exchange);
    }
    return true;
}

/* "@l1,l2", "" for no list, or NULL if it is none of locations. */
static const char *locations_of(struct session *abstract, const json_t *list) {
    const char *where = "";
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (!name) return NULL;
        where = arena_printf(&abstract->arena, "%s%c%s", where, i ? ',' : '@', name);
    }
    return where;
}

static bool take_merges(struct session *abstract, const json_t *list, struct reported *reported) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        const char *template = json_string_value(json_object_get(entry, "template"));
        const char *name = json_string_value(json_object_get(entry, "name"));
        const char *type = json_string_value(json_object_get(entry, "type"));
        const char *value = json_string_value(json_object_get(entry, "expression"));
        const char *where = locations_of(abstract, json_object_get(entry, "locations"));
        if (!name || !type || !value || !where) return false;
        VEC_PUSH(&abstract->arena, &reported->merges,
                 arena_printf(&abstract->arena, "%s.%s:%s=%s%s", template ? template : "", name,
                              type, value, where));
    }
    return true;
}

static bool is_of(const json_t *report, const char *key, struct str bytes) {
    char digest[65];
    const char *own = json_string_value(json_object_get(json_object_get(report, key), "sha256"));
    digest_sha256(bytes, digest);
    return own && !strcmp(own, digest);
}

/* NULL, or why it is no report about the two models. */
static const char *find_mismatch(const json_t *report, const struct session *concrete,
                                 const struct session *abstract) {
    const json_t *split = json_object_get(report, "split");
    if (!json_is_object(json_object_get(report, "edges")) ||
        !json_is_array(json_object_get(report, "removed")) ||
        (split && !json_is_object(json_object_get(split, "processes"))))
        return "is no report of an abstraction; name the JSON file written with the abstract model";
    if (!is_of(report, "input", document_file_bytes(&concrete->document)))
        return "is about another concrete model";
    if (!is_of(report, "output", document_file_bytes(&abstract->document)))
        return "is about another abstract model";
    return NULL;
}

/* Of --must=lower and --mixed there is nothing to compare by. */
static void take_relation(const json_t *report, struct reported *reported) {
    const char *mode = json_string_value(json_object_get(report, "mode"));
    bool is_may = mode && !strcmp(mode, "may"), is_must = mode && !strcmp(mode, "must");
    bool is_exact = json_is_true(json_object_get(report, "exact"));
    reported->has_relation = is_may || is_must;
    reported->relation = is_exact ? SIMULATE_EXACT : is_must ? SIMULATE_MUST : SIMULATE_MAY;
    reported->is_stuttering =
        json_is_true(json_object_get(json_object_get(report, "options"), "stutter"));
}

/* NULL, or what is wrong with the report. */
static const char *take(const json_t *report, struct session *concrete, struct session *abstract,
                        struct reported *reported) {
    const char *mismatch = find_mismatch(report, concrete, abstract);
    const json_t *split = json_object_get(report, "split");
    const json_t *names = json_object_get(split, "processes");
    const json_t *removed = json_object_get(report, "removed");
    if (mismatch) return mismatch;
    reported->is_taken = true;
    take_relation(report, reported);
    if (names && !rename_processes(abstract, names)) return "names processes that are not there";
    if (!take_exchanges(abstract, json_object_get(report, "normalised"), reported))
        return "lacks values that are exchanged";
    if (!split && !take_merges(abstract, json_object_get(report, "merges"), reported))
        return "lacks what is merged";
    return ignore_removed(abstract, removed, reported) ? NULL : "lacks the slots that are removed";
}

static bool take_bytes(struct session *concrete, struct session *abstract, const char *name,
                       struct str bytes, struct reported *reported) {
    json_t *report = json_loadb(bytes.data, bytes.size, 0, NULL);
    const char *problem = take(report, concrete, abstract, reported);
    json_decref(report);
    if (problem) diag_error(&abstract->diag, STATUS_INVALID, 0, "'%s' %s", name, problem);
    return !problem;
}

/* False (reported to the session) if the file cannot be read. */
static bool load(const char *path, struct session *session, struct str *bytes) {
    bool ok = file_load(path, &session->arena, bytes);
    if (!ok)
        diag_error(&session->diag, STATUS_INVALID, 0, "cannot read '%s': %s", path,
                   strerror(errno));
    return ok;
}

const char *reported_beside(struct arena *arena, const char *model_path) {
    return file_beside(arena, model_path, ".json");
}

/* The one beside the abstract model, if it is about both models. */
static bool take_beside(struct session *concrete, struct session *abstract, const char *model_path,
                        struct reported *reported) {
    struct arena *arena = &abstract->arena;
    const char *path = reported_beside(arena, model_path), *problem;
    struct str bytes;
    if (!strcmp(model_path, "-") || file_is_device(path)) return true;
    if (!file_load(path, arena, &bytes)) {
        problem =
            errno == ENOENT ? NULL : arena_printf(arena, "cannot be read: %s", strerror(errno));
    } else {
        json_t *report = json_loadb(bytes.data, bytes.size, 0, NULL);
        problem = find_mismatch(report, concrete, abstract);
        json_decref(report);
        reported->found = problem ? NULL : path;
    }
    if (problem)
        reported->refused = arena_printf(
            arena, "'%s', beside this model, was not taken for its report: it %s", path, problem);
    return !reported->found || take_bytes(concrete, abstract, path, bytes, reported);
}

bool reported_take(struct session *concrete, struct session *abstract,
                   const struct model_source *named, const char *model_path,
                   struct reported *reported) {
    struct str bytes = named->bytes;
    if (!named->name) return !model_path || take_beside(concrete, abstract, model_path, reported);
    return (bytes.data || load(named->name, abstract, &bytes)) &&
           take_bytes(concrete, abstract, named->name, bytes, reported);
}

bool reported_add_merges(struct reported *reported, struct session *concrete) {
    struct spec spec = {0};
    struct ghost_list ghosts = {0};
    if (reported->are_merged) return true;
    reported->are_merged = true;
    for (uint32_t i = 0; i < reported->merges.count; i++)
        if (!spec_add_merge(&spec, concrete, reported->merges.items[i])) return false;
    if (!spec.merges.count) return true;
    if (!ghosts_add(&ghosts, concrete->model, concrete->network, spec.merges.items,
                    spec.merges.count))
        return false;
    concrete->network = network_new(&concrete->arena, concrete->model);
    return concrete->network != NULL;
}

const char *reported_visible(struct reported *reported, struct visible *visible,
                             struct arena *arena, struct session *concrete,
                             const struct session *abstract, const struct request_names *ignored) {
    for (uint32_t i = 0; i < ignored->count; i++)
        VEC_PUSH(arena, &reported->ignored, ignored->items[i]);
    bool has_keys = false;
    for (uint32_t i = 0; i < reported->exchanges.count; i++)
        has_keys |= reported->exchanges.items[i].key != NULL;
    if (has_keys && !reported_add_merges(reported, concrete))
        return "what the report has merged cannot be merged in the concrete model";
    const char *problem = visible_init_without(visible, arena, concrete->network, abstract->network,
                                               reported->ignored.items, reported->ignored.count);
    for (uint32_t i = 0; i < reported->exchanges.count && !problem; i++)
        if (!visible_exchange(visible, arena, &reported->exchanges.items[i]))
            problem = arena_printf(arena,
                                   "the report has values exchanged of '%s', but the abstract "
                                   "model lacks it, its location or the cell of its 'while', or "
                                   "two entries are about one place",
                                   reported->exchanges.items[i].variable);
    return problem;
}

void reported_warn_refused(const struct reported *reported, struct session *abstract) {
    if (reported->refused) diag_warning(&abstract->diag, 0, "%s", reported->refused);
}

/* ---- checks ---- */

/* A count that the result must have, or UINT64_MAX for more than that; false if it has none. */
static bool take_count(const json_t *result, const char *key, const char *text_key,
                       uint64_t *count) {
    const json_t *value = json_object_get(result, key);
    const char *digits = json_string_value(json_object_get(result, text_key));
    bool is_large = json_is_null(value) && digits && *digits >= '1' && *digits <= '9';
    if (!is_large && (!json_is_integer(value) || json_integer_value(value) < 0)) return false;
    *count = is_large ? strtoull(digits, NULL, 10) : (uint64_t)json_integer_value(value);
    return true;
}

/* NULL, or what is wrong with the result. */
static const char *take_explored(struct guarantees *guarantees, const json_t *result,
                                 const struct document *document, struct str output) {
    struct explored explored = {.is_known = true};
    if (!take_count(result, "deadlocks", "deadlocks_text", &explored.deadlocks) ||
        !take_count(result, "errors", "errors_text", &explored.errors) ||
        !json_object_get(result, "input"))
        return "is no result of `varabs check --json`";
    if (!json_is_true(json_object_get(result, "is_complete")))
        return "is of a check that did not explore everything; use `varabs check --full`";
    if (is_of(result, "input", document_file_bytes(document)))
        guarantees->original = explored;
    else if (is_of(result, "input", output))
        guarantees->output = explored;
    else
        return "is about another model, neither the input nor the output of this run";
    return NULL;
}

bool reported_take_checks(struct guarantees *guarantees, struct session *session,
                          const char *const *paths, uint32_t count, struct str output) {
    for (uint32_t i = 0; i < count; i++) {
        const char *path = paths[i], *problem;
        struct str bytes;
        if (!load(path, session, &bytes)) return false;
        json_t *result = json_loadb(bytes.data, bytes.size, 0, NULL);
        problem = take_explored(guarantees, result, &session->document, output);
        json_decref(result);
        if (!problem) continue;
        return diag_error(&session->diag, STATUS_INVALID, 0, "--checked: '%s' %s", path, problem);
    }
    return true;
}
