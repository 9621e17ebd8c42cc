/* What was changed before the abstraction: processes told apart, references replaced. */
#include "report/abstraction/prepared_report.h"

#include "report/json.h"

static json_t *query_entries(const struct changed_query *queries, uint32_t count,
                             const struct source *source) {
    json_t *entries = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *item = json_object();
        set(item, "line", json_integer(source_locate(source, queries[i].at).line));
        set(item, "before", text(queries[i].before));
        set(item, "after", text(queries[i].after));
        json_array_append_new(entries, item);
    }
    return entries;
}

static json_t *named_entry(const char *template, const char *what, const char *name) {
    json_t *entry = json_object();
    set(entry, "template", text(template));
    set(entry, what, text(name));
    return entry;
}

json_t *split_entry(const struct split *split, const struct source *source) {
    json_t *entry = json_object(), *copies = json_array(), *processes = json_object();
    for (uint32_t i = 0; i < split->copies.count; i++) {
        const struct split_copy *copy = &split->copies.items[i];
        json_t *item = named_entry(copy->template, "copy", copy->name);
        set(item, "processes", json_integer(copy->process_count));
        json_array_append_new(copies, item);
    }
    for (uint32_t i = 0; i < split->processes.count; i++)
        set(processes, split->processes.items[i].before, text(split->processes.items[i].after));
    set(entry, "templates", copies);
    set(entry, "processes", processes);
    set(entry, "queries", query_entries(split->queries.items, split->queries.count, source));
    return entry;
}

json_t *taken_out_entry(const struct taken_out *taken_out) {
    json_t *entry = json_object();
    set(entry, "processes", texts(taken_out->processes.items, taken_out->processes.count));
    set(entry, "own_steps", json_boolean(taken_out->has_steps));
    set(entry, "may_diverge", json_boolean(taken_out->may_diverge));
    return entry;
}

json_t *references_entry(const struct references *references, const struct source *source) {
    json_t *entry = json_object(), *parameters = json_array();
    for (uint32_t i = 0; i < references->list.count; i++) {
        const struct reference *reference = &references->list.items[i];
        json_t *item = named_entry(reference->template, "parameter", reference->parameter);
        set(item, "variable", text(reference->variable));
        json_array_append_new(parameters, item);
    }
    set(entry, "parameters", parameters);
    set(entry, "queries",
        query_entries(references->queries.items, references->queries.count, source));
    return entry;
}
