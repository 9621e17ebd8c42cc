/* The values that are exchanged for those that stand for them. */
#include "report/abstraction/abstraction_internal.h"

/* The classes of more than one value; all of them if there is but one. */
static json_t *class_entries(const struct normal_place *place) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < place->count; i++) {
        if (place->normal[i] != place->values[i]) continue;
        json_t *values = json_array();
        for (uint32_t k = 0; k < place->count; k++)
            if (place->normal[k] == place->values[i])
                json_array_append_new(values, json_integer(place->values[k]));
        json_t *entry = json_object();
        set(entry, "representative", json_integer(place->values[i]));
        set(entry, "values", values);
        if (json_array_size(values) > 1)
            json_array_append_new(list, entry);
        else
            json_decref(entry);
    }
    return list;
}

static json_t *process_entries(const struct normal_place *place) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < place->processes.count; i++)
        json_array_append_new(list, text(place->processes.items[i]));
    return list;
}

static json_t *key_entry(const struct normal_place *place) {
    json_t *entry = json_object(), *values = json_array();
    set(entry, "variable", text(place->key));
    for (uint32_t i = 0; i < place->key_count; i++)
        json_array_append_new(values, json_integer(place->key_values[i]));
    set(entry, "values", values);
    return entry;
}

json_t *normal_entries(const struct normal *normal) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < normal->places.count; i++) {
        const struct normal_place *place = &normal->places.items[i];
        json_t *entry = json_object();
        set(entry, "variable", text(place->variable));
        if (place->template) set(entry, "template", text(place->template));
        if (place->location) set(entry, "location", text(place->location));
        if (place->processes.count) set(entry, "processes", process_entries(place));
        if (place->key_count) set(entry, "while", key_entry(place));
        set(entry, "lower", json_integer(place->lower));
        set(entry, "upper", json_integer(place->upper));
        if (place->is_one)
            set(entry, "representative", json_integer(place->representative));
        else
            set(entry, "classes", class_entries(place));
        json_array_append_new(list, entry);
    }
    return list;
}
