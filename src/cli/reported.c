/* Names of processes and of removed slots in a report (schemas/report.schema.json). */
#include "cli/reported.h"

#include "base/digest.h"
#include "xml/byte_map.h"
#include "xml/input.h"

#include <errno.h>
#include <jansson.h>
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
                       struct ignored *ignored) {
    const struct network *network = abstract->network;
    const struct symbol *inside = NULL;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        const char *name = slot_argument(abstract, slot);
        const char *shown = name + (*name == '.');
        if (!strcmp(shown, first)) inside = slot->symbol;
        if (inside == slot->symbol) VEC_PUSH(&abstract->arena, &ignored->list, name);
        if (!strcmp(shown, last)) inside = NULL;
    }
}

static bool ignore_removed(struct session *abstract, const json_t *removed,
                           struct ignored *ignored) {
    size_t index;
    json_t *run;
    json_array_foreach((json_t *)removed, index, run) {
        const char *first = json_string_value(json_object_get(run, "first_slot"));
        const char *last = json_string_value(json_object_get(run, "last_slot"));
        if (!first || !last) return false;
        ignore_run(abstract, first, last, ignored);
    }
    return true;
}

static bool is_of(const json_t *report, const char *key, const struct session *session) {
    char digest[65];
    const char *own = json_string_value(json_object_get(json_object_get(report, key), "sha256"));
    digest_sha256(document_file_bytes(&session->document), digest);
    return own && !strcmp(own, digest);
}

/* NULL, or what is wrong with the report. */
static const char *take(const json_t *report, struct session *concrete, struct session *abstract,
                        struct ignored *ignored) {
    const json_t *split = json_object_get(report, "split");
    const json_t *names = json_object_get(split, "processes");
    const json_t *removed = json_object_get(report, "removed");
    if (!json_is_object(json_object_get(report, "edges")) || !json_is_array(removed) ||
        (split && !json_is_object(names)))
        return "is no report of an abstraction; name the JSON file written with the abstract model";
    if (!is_of(report, "input", concrete)) return "is about another concrete model";
    if (!is_of(report, "output", abstract)) return "is about another abstract model";
    if (names && !rename_processes(abstract, names)) return "names processes that are not there";
    return ignore_removed(abstract, removed, ignored) ? NULL : "lacks the slots that are removed";
}

bool reported_take(struct session *concrete, struct session *abstract, const char *path,
                   struct ignored *ignored) {
    struct str bytes;
    if (!file_load(path, &abstract->arena, &bytes)) {
        diag_error(&abstract->diag, STATUS_INVALID, 0, "cannot read '%s': %s", path,
                   strerror(errno));
        return false;
    }
    json_t *report = json_loadb(bytes.data, bytes.size, 0, NULL);
    const char *problem = take(report, concrete, abstract, ignored);
    json_decref(report);
    if (problem) diag_error(&abstract->diag, STATUS_INVALID, 0, "'%s' %s", path, problem);
    return !problem;
}
