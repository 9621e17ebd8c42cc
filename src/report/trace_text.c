/* States and steps as text. */
#include "report/trace_report.h"

#include <string.h>

/* Breaks the line in front of an item that does not fit any more. */
struct items items_begin(FILE *file, struct arena *arena, size_t column) {
    return (struct items){.file = file, .arena = arena, .column = column, .indent = column};
}

void print_item(struct items *items, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *item = arena_vprintf(items->arena, format, arguments);
    va_end(arguments);
    size_t size = strlen(item) + 2;
    if (items->has_any && items->column + size > LINE_WIDTH) {
        fprintf(items->file, ",\n%*s", (int)items->indent, "");
        items->column = items->indent;
    } else if (items->has_any) {
        fputs(", ", items->file);
    }
    fputs(item, items->file);
    items->column += size;
    items->has_any = true;
}

/* "P(1): idle -> busy, i = 2, c!" */
static void print_part(FILE *file, const struct edge_instance *part, const char *channel) {
    fprintf(file, "%s: %s -> %s", part->process->name, location_name(part->process, part->source),
            location_name(part->process, part->target));
    for (uint32_t i = 0; i < part->edge_count; i++)
        for (uint32_t k = 0; k < part->edges[i]->select_count; k++)
            fprintf(file, ", %s = %d", part->edges[i]->selects[k]->name, part->selects[i][k]);
    if (channel) fprintf(file, ", %s", channel);
}

void print_step(FILE *file, const char *who, const struct trace_step *step, struct arena *arena) {
    for (uint32_t i = 0; i < step->part_count; i++) {
        fprintf(file, "      %s-> ", who);
        print_part(file, step->parts[i], part_channel(step, i, arena));
        fputc('\n', file);
    }
}

static void print_value(struct items *items, const struct network *network, uint32_t slot,
                        const struct trace_state *state) {
    print_item(items, "%s = %d", slot_name(network, &network->slots[slot], items->arena),
               state->values[slot]);
}

static void print_initial(FILE *file, const struct network *network,
                          const struct trace_state *state, struct arena *arena) {
    struct items items = items_begin(file, arena, LINE_INDENT);
    bool has_zeros = false;
    fputs("  0  ", file);
    for (uint32_t i = 0; i < network->process_count; i++) {
        const struct process *process = &network->processes[i];
        print_item(&items, "%s.%s", process->name, location_name(process, state->locations[i]));
    }
    fprintf(file, "\n%*s", LINE_INDENT, "");
    items = items_begin(file, arena, LINE_INDENT);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        if (network->slots[i].is_meta) continue;
        has_zeros |= !state->values[i];
        if (state->values[i]) print_value(&items, network, i, state);
    }
    if (has_zeros) print_item(&items, items.has_any ? "others 0" : "all 0");
    fputs(items.has_any ? "\n" : "no variables\n", file);
}

/* The variables that a step changed; locations stand in the step itself. */
static void print_changes(FILE *file, const struct network *network, uint32_t number,
                          const struct trace_state *before, const struct trace_state *after,
                          struct arena *arena) {
    struct items items = items_begin(file, arena, LINE_INDENT);
    fprintf(file, "%3u  ", number);
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (!network->slots[i].is_meta && before->values[i] != after->values[i])
            print_value(&items, network, i, after);
    fputs(items.has_any ? "\n" : "no value changes\n", file);
}

void print_trace(FILE *file, const struct network *network, const struct trace *trace,
                 struct arena *arena) {
    print_initial(file, network, &trace->states[0], arena);
    for (uint32_t i = 0; i < trace->step_count; i++) {
        print_step(file, "", &trace->steps[i], arena);
        if (i + 1 < trace->state_count)
            print_changes(file, network, i + 1, &trace->states[i], &trace->states[i + 1], arena);
    }
    switch (trace->end) {
    case TRACE_OPEN: break;
    case TRACE_DEADLOCK: fputs("      deadlock: no step is possible here\n", file); break;
    case TRACE_IDLE: fputs("      time may pass here for ever\n", file); break;
    case TRACE_LOOP:
        fprintf(file, "      as in state %u, and so on for ever\n", trace->loop);
        break;
    }
}

void print_size(FILE *file, double bytes) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (bytes >= 1024 && unit < 4) {
        bytes /= 1024;
        unit++;
    }
    fprintf(file, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}
