/* What became of processes that were told apart. */
#include "report/member.h"

json_t *split_entry(const struct split *split, const struct source *source) {
    json_t *entry = json_object(), *copies = json_array(), *processes = json_object(),
           *queries = json_array();
    for (uint32_t i = 0; i < split->copies.count; i++) {
        const struct split_copy *copy = &split->copies.items[i];
        json_t *item = json_object();
        set(item, "template", text(copy->template));
        set(item, "copy", text(copy->name));
        set(item, "processes", json_integer(copy->process_count));
        json_array_append_new(copies, item);
    }
    for (uint32_t i = 0; i < split->processes.count; i++)
        set(processes, split->processes.items[i].before, text(split->processes.items[i].after));
    for (uint32_t i = 0; i < split->queries.count; i++) {
        const struct split_query *query = &split->queries.items[i];
        json_t *item = json_object();
        set(item, "line", json_integer(source_locate(source, query->at).line));
        set(item, "before", text(query->before));
        set(item, "after", text(query->after));
        json_array_append_new(queries, item);
    }
    set(entry, "templates", copies);
    set(entry, "processes", processes);
    set(entry, "queries", queries);
    return entry;
}

json_t *reference_entries(const struct references *references) {
    json_t *entries = json_array();
    for (uint32_t i = 0; i < references->list.count; i++) {
        const struct reference *reference = &references->list.items[i];
        json_t *entry = json_object();
        set(entry, "template", text(reference->template));
        set(entry, "parameter", text(reference->parameter));
        set(entry, "variable", text(reference->variable));
        json_array_append_new(entries, entry);
    }
    return entries;
}
