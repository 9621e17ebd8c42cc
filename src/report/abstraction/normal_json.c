/* The values that are exchanged for those that stand for them. */
#include "report/abstraction/abstraction_internal.h"

/* The classes of more than one value; all of them if there is but one. */
static json_t *class_entries(const struct normal_point *point) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < point->count; i++) {
        if (point->normal[i] != point->values[i]) continue;
        json_t *values = json_array();
        for (uint32_t k = 0; k < point->count; k++)
            if (point->normal[k] == point->values[i])
                json_array_append_new(values, json_integer(point->values[k]));
        json_t *entry = json_object();
        set(entry, "representative", json_integer(point->values[i]));
        set(entry, "values", values);
        if (json_array_size(values) > 1)
            json_array_append_new(list, entry);
        else
            json_decref(entry);
    }
    return list;
}

static json_t *key_entry(const struct normal_point *point) {
    json_t *entry = json_object(), *values = json_array();
    set(entry, "variable", text(point->key));
    for (uint32_t i = 0; i < point->key_count; i++)
        json_array_append_new(values, json_integer(point->key_values[i]));
    set(entry, "values", values);
    return entry;
}

json_t *normal_entries(const struct normal *normal) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < normal->points.count; i++) {
        const struct normal_point *point = &normal->points.items[i];
        json_t *entry = json_object();
        set(entry, "variable", text(point->variable));
        if (point->template) set(entry, "template", text(point->template));
        if (point->location) set(entry, "location", text(point->location));
        if (point->processes.count)
            set(entry, "processes", texts(point->processes.items, point->processes.count));
        if (point->key_count) set(entry, "while", key_entry(point));
        set(entry, "lower", json_integer(point->lower));
        set(entry, "upper", json_integer(point->upper));
        if (point->is_one)
            set(entry, "representative", json_integer(point->representative));
        else
            set(entry, "classes", class_entries(point));
        json_array_append_new(list, entry);
    }
    return list;
}
