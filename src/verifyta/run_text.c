/* See run_text.h. */
#include "verifyta/run_text.h"

#include <assert.h>
#include <string.h>

static const struct process *process_of(const struct network *network, const char *name) {
    for (uint32_t i = 0; i < network->process_count; i++)
        if (!strcmp(network->processes[i].name, name)) return &network->processes[i];
    assert(!"a trace names processes of its network");
    return NULL;
}

/* A text on one line. */
static void print_line(FILE *file, struct str text) {
    bool is_blank = false;
    text = str_trim(text);
    for (size_t i = 0; i < text.size; i++) {
        bool is_space = char_is_space(text.data[i]);
        if (!is_space || !is_blank) fputc(is_space ? ' ' : text.data[i], file);
        is_blank = is_space;
    }
}

/* The labels of a kind along the edges of a step, or a word where there is none. */
static void print_labels(FILE *file, const struct template *template, const json_t *edges,
                         enum label_kind kind, const char *between, const char *otherwise) {
    bool is_first = true;
    for (size_t i = 0; i < json_array_size(edges); i++) {
        size_t edge = (size_t)json_integer_value(json_array_get(edges, i));
        assert(edge < template->edge_count);
        const struct text *text = label_text(&template->edges[edge].xml->labels, kind);
        if (!text || str_is_blank(text->content)) continue;
        if (!is_first) fputs(between, file);
        is_first = false;
        print_line(file, text->content);
    }
    if (is_first) fputs(otherwise, file);
}

static void print_part(FILE *file, const struct network *network, const json_t *part) {
    const char *name = json_string_value(json_object_get(part, "process"));
    const json_t *edges = json_object_get(part, "edges"),
                 *channel = json_object_get(part, "channel");
    const struct template *template = process_of(network, name)->template;
    fprintf(file, "  %s.%s->%s.%s { ", name, json_string_value(json_object_get(part, "source")),
            name, json_string_value(json_object_get(part, "target")));
    print_labels(file, template, edges, LABEL_GUARD, " && ", "1");
    fprintf(file, ", %s, ", channel ? json_string_value(channel) : "tau");
    print_labels(file, template, edges, LABEL_UPDATE, ", ", "1");
    fputs(" }\n", file);
}

static void print_state(FILE *file, json_t *state, size_t depth) {
    const char *key;
    json_t *value;
    fputs("State:\n(", file);
    json_object_foreach(json_object_get(state, "locations"), key, value)
        fprintf(file, " %s.%s", key, json_string_value(value));
    fputs(" )\n", file);
    json_object_foreach(json_object_get(state, "values"), key, value)
        fprintf(file, "%s=%lld ", key, (long long)json_integer_value(value));
    fprintf(file, "#depth=%zu\n", depth);
}

void run_text_print(FILE *file, const struct network *network, const json_t *trace) {
    const json_t *states = json_object_get(trace, "states"),
                 *steps = json_object_get(trace, "steps");
    for (size_t i = 0; i < json_array_size(states); i++) {
        const json_t *step = json_array_get(steps, i);
        print_state(file, json_array_get(states, i), i);
        fputc('\n', file);
        if (!step) continue;
        fputs("Transitions:\n", file);
        for (size_t k = 0; k < json_array_size(step); k++)
            print_part(file, network, json_array_get(step, k));
        fputc('\n', file);
    }
}

const char *run_text_rest(const json_t *trace, struct arena *arena) {
    const json_t *loop = json_object_get(trace, "loop");
    const char *end = json_string_value(json_object_get(trace, "end"));
    if (json_is_integer(loop))
        return arena_printf(arena, "the last state is that of #depth=%lld, and so on for ever",
                            (long long)json_integer_value(loop));
    if (!end) return NULL;
    return !strcmp(end, "idle") ? "time may pass for ever in the last state"
                                : "the last state is a deadlock";
}
