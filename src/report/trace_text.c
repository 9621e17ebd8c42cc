/* States and steps as text. */
#include "report/trace_report.h"

#include <string.h>

/* Breaks the line in front of an item that does not fit any more. */
void print_item(struct items *items, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *item = arena_vprintf(items->arena, format, arguments);
    va_end(arguments);
    size_t size = strlen(item) + 2;
    if (items->has_any && items->column + size > LINE_WIDTH) {
        fprintf(items->file, ",\n%*s", LINE_INDENT, "");
        items->column = LINE_INDENT;
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

void print_size(FILE *file, double bytes) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (bytes >= 1024 && unit < 4) {
        bytes /= 1024;
        unit++;
    }
    fprintf(file, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}
