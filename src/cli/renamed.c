/* The report of an abstraction that --names-from hands over: names of processes. */
#include "cli/options.h"

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

bool rename_from(struct session *session, const char *path) {
    struct str bytes;
    if (!file_load(path, &session->arena, &bytes)) {
        diag_error(&session->diag, STATUS_INVALID, 0, "cannot read '%s': %s", path,
                   strerror(errno));
        return false;
    }
    json_t *report = json_loadb(bytes.data, bytes.size, 0, NULL);
    const json_t *split = json_object_get(report, "split");
    const json_t *names = json_object_get(split, "processes");
    const char *problem = NULL;
    if (!json_is_object(json_object_get(report, "edges")) || (split && !json_is_object(names)))
        problem =
            "is no report of an abstraction; name the JSON file written with the abstract model";
    else if (names && !rename_processes(session, names))
        problem = "is about another model";
    json_decref(report);
    if (problem) diag_error(&session->diag, STATUS_INVALID, 0, "'%s' %s", path, problem);
    return !problem;
}
