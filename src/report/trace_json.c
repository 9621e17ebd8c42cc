/* States and steps as JSON. */
#include "report/trace_report.h"

#include "report/json.h"

#include <assert.h>

const char *part_channel(const struct trace_step *step, uint32_t part, struct arena *arena) {
    const char *mark = step->parts[part]->is_send ? "!" : "?";
    return step->channel ? arena_printf(arena, "%s%s", step->channel, mark) : NULL;
}

const char *location_name(const struct process *process, uint32_t location) {
    assert(location < process->template->location_count);
    return process->template->locations[location].name;
}

char *position_text(const struct network *network, position at, struct arena *arena) {
    const struct source *source = &network->model->document->source;
    struct source_location place = source_locate(source, at);
    const char *name = source_name(source, at);
    if (!place.line) return arena_printf(arena, "%s", name);
    return arena_printf(arena, "%s:%u:%u", name, place.line, place.column);
}

char **slot_names_of(const struct network *network, struct arena *arena) {
    char **names = ARENA_ARRAY(arena, char *, network->slot_count + 1);
    for (uint32_t i = 0; i < network->slot_count; i++)
        names[i] = slot_name(network, &network->slots[i], arena);
    return names;
}

json_t *state_entry(const struct network *network, char *const *slot_names,
                    const struct trace_state *state) {
    json_t *entry = json_object(), *locations = json_object(), *values = json_object();
    for (uint32_t i = 0; i < network->process_count; i++) {
        const struct process *process = &network->processes[i];
        set(locations, process->name, text(location_name(process, state->locations[i])));
    }
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (!network->slots[i].is_meta) set(values, slot_names[i], json_integer(state->values[i]));
    set(entry, "locations", locations);
    set(entry, "values", values);
    return entry;
}

static json_t *part_entry(const struct edge_instance *part, const char *channel) {
    assert(part->edge_count);
    json_t *entry = json_object(), *edges = json_array(), *selects = json_object();
    for (uint32_t i = 0; i < part->edge_count; i++) {
        const struct edge *edge = part->edges[i];
        json_array_append_new(edges, json_integer(edge_index(part->process->template, edge)));
        for (uint32_t k = 0; k < edge->select_count; k++)
            json_object_set_new(selects, edge->selects[k]->name,
                                json_integer(part->selects[i][k])); /* the last of a name counts */
    }
    set(entry, "process", text(part->process->name));
    set(entry, "edges", edges);
    set(entry, "source", text(location_name(part->process, part->source)));
    set(entry, "target", text(location_name(part->process, part->target)));
    set(entry, "selects", selects);
    if (channel) set(entry, "channel", text(channel));
    return entry;
}

json_t *step_entry(const struct trace_step *step, struct arena *arena) {
    json_t *parts = json_array();
    assert(step->part_count);
    for (uint32_t i = 0; i < step->part_count; i++)
        json_array_append_new(parts, part_entry(step->parts[i], part_channel(step, i, arena)));
    return parts;
}

json_t *trace_entry(const struct network *network, const struct trace *trace, const char *kind,
                    struct arena *arena) {
    assert(trace->end != TRACE_LOOP || trace->loop < trace->state_count);
    json_t *entry = json_object(), *states = json_array(), *steps = json_array();
    char *const *slot_names = slot_names_of(network, arena);
    for (uint32_t i = 0; i < trace->state_count; i++)
        json_array_append_new(states, state_entry(network, slot_names, &trace->states[i]));
    for (uint32_t i = 0; i < trace->step_count; i++)
        json_array_append_new(steps, step_entry(&trace->steps[i], arena));
    set(entry, "kind", text(kind));
    set(entry, "states", states);
    set(entry, "steps", steps);
    set(entry, "loop", trace->end == TRACE_LOOP ? json_integer(trace->loop) : json_null());
    set(entry, "end",
        trace->end == TRACE_DEADLOCK ? text("deadlock")
        : trace->end == TRACE_IDLE   ? text("idle")
                                     : json_null());
    return entry;
}

const char *limit_text(enum search_limit limit) {
    static const char *const names[] = {[LIMIT_NONE] = "",
                                        [LIMIT_STATES] = "the limit on the number of states",
                                        [LIMIT_MEMORY] = "the limit on memory",
                                        [LIMIT_TIME] = "the limit on time",
                                        [LIMIT_INTERRUPT] = "an interrupt",
                                        [LIMIT_EVALUATION] = "the limit on steps of an evaluation",
                                        [LIMIT_SELECTS] = "the limit on combinations of selects"};
    assert((unsigned)limit < sizeof names / sizeof names[0]);
    return names[limit];
}

json_t *limit_entry(enum search_limit limit) {
    switch (limit) {
    case LIMIT_STATES: return text("states");
    case LIMIT_MEMORY: return text("memory");
    case LIMIT_TIME: return text("time");
    case LIMIT_INTERRUPT: return text("interrupt");
    case LIMIT_EVALUATION: return text("evaluation");
    case LIMIT_SELECTS: return text("selects");
    case LIMIT_NONE: break;
    }
    return json_null();
}
