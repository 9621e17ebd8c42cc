/* Columns for processes, rows for steps. */
#include "draw/chart.h"

#include "draw/draw.h"
#include "draw/notes.h"
#include "draw/svg.h"
#include "plane/measure.h"

#include <assert.h>
#include <math.h>

#define TOP 24.0        /* of the names of processes */
#define ROW_HEIGHT 44.0 /* from step to step */
#define LEAST_GAP 120.0 /* from line to line */
#define NAME_GAP 24.0   /* between two names */
#define NUMBERS 48.0    /* left of the first line, for the numbers of steps */
#define ARROW 8.0
#define MARGIN 16.0
#define WIDE 100000.0 /* texts are not wrapped */

static const char
    *const line_style = "fill=\"none\" stroke=\"#999999\"",
           *const arrow_style = "fill=\"none\" stroke=\"#0b57d0\" stroke-width=\"1.5\"",
           *const head_style = "fill=\"#0b57d0\"", *const faint_style = "fill=\"#6a6a6a\"";

struct chart {
    struct svg svg;
    struct arena *arena;
    const struct trace *trace;
    double *columns; /* by process; 0 = it takes no part */
    double bottom;
};

enum anchor { ANCHOR_LEFT, ANCHOR_MIDDLE };

static void add_text(struct chart *chart, const char *text, double x, double y, enum anchor anchor,
                     const char *style) {
    struct lines lines = lines_of(chart->arena, str_of(text), WIDE);
    double left = anchor == ANCHOR_MIDDLE ? x - lines.width / 2 : x;
    svg_lines(&chart->svg, &lines, (struct point){left, y}, FONT_SIZE, LINE_HEIGHT, style, NULL);
}

static void add_line(struct chart *chart, struct point from, struct point to, const char *style) {
    svg_path(&chart->svg, (struct point[]){from, to}, 2, style);
}

/* Puts the processes that take part beside each other, in system order. */
static void place_columns(struct chart *chart, const struct network *network) {
    bool *takes_part = ARENA_ARRAY(chart->arena, bool, network->process_count + 1);
    double gap = LEAST_GAP, x = NUMBERS;
    for (uint32_t i = 0; i < chart->trace->step_count; i++)
        for (uint32_t k = 0; k < chart->trace->steps[i].part_count; k++)
            takes_part[chart->trace->steps[i].parts[k]->process->index] = true;
    for (uint32_t p = 0; p < network->process_count; p++) {
        double width =
            takes_part[p] ? text_width(str_of(network->processes[p].name), FONT_SIZE) : 0;
        if (width + NAME_GAP > gap) gap = width + NAME_GAP;
    }
    chart->columns = ARENA_ARRAY(chart->arena, double, network->process_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) {
        if (!takes_part[p]) continue;
        chart->columns[p] = x + gap / 2;
        x += gap;
    }
}

static double column_of(const struct chart *chart, const struct edge_instance *part) {
    double x = chart->columns[part->process->index];
    assert(x > 0);
    return x;
}

static void draw_columns(struct chart *chart, const struct network *network) {
    for (uint32_t p = 0; p < network->process_count; p++) {
        double x = chart->columns[p];
        if (x <= 0) continue;
        add_text(chart, network->processes[p].name, x, TOP, ANCHOR_MIDDLE,
                 "fill=\"#222222\" font-weight=\"bold\"");
        add_line(chart, (struct point){x, TOP + LINE_HEIGHT + 4}, (struct point){x, chart->bottom},
                 line_style);
    }
}

static void draw_arrow(struct chart *chart, double from, double to, double y) {
    double back = to > from ? to - ARROW : to + ARROW;
    add_line(chart, (struct point){from, y}, (struct point){back, y}, arrow_style);
    svg_path(&chart->svg, (struct point[]){{to, y}, {back, y - 4}, {back, y + 4}}, 3, head_style);
}

/* "idle → busy, i = 2": what a process does by itself. */
static const char *move_text(const struct chart *chart, const struct edge_instance *part) {
    const struct location *locations = part->process->template->locations;
    const char *text = arena_printf(chart->arena, "%s \xe2\x86\x92 %s",
                                    locations[part->source].name, locations[part->target].name);
    for (uint32_t i = 0; i < part->edge_count; i++)
        for (uint32_t k = 0; k < part->edges[i]->select_count; k++)
            text = arena_printf(chart->arena, "%s, %s = %d", text, part->edges[i]->selects[k]->name,
                                part->selects[i][k]);
    return text;
}

/* An arrow to each receiver; a dot for a process that does something alone. */
static void draw_step(struct chart *chart, uint32_t number) {
    const struct trace_step *step = &chart->trace->steps[number];
    double y = TOP + 2 * LINE_HEIGHT + ROW_HEIGHT * (number + 0.5),
           from = column_of(chart, step->parts[0]);
    add_text(chart, arena_printf(chart->arena, "%u", number + 1), 0, y - LINE_HEIGHT / 2.0,
             ANCHOR_LEFT, faint_style);
    if (step->part_count == 1) {
        const char *channel =
            step->channel ? arena_printf(chart->arena, "%s!", step->channel) : NULL;
        svg_circle(&chart->svg, (struct point){from, y}, 5, head_style);
        add_text(chart, channel ? channel : move_text(chart, step->parts[0]), from + ARROW,
                 y - LINE_HEIGHT - 1, ANCHOR_LEFT, "fill=\"#222222\"");
    }
    double nearest = 0;                       /* of the receivers; no column is there */
    bool is_broadcast = step->part_count > 2; /* all arrows are of one sender */
    if (is_broadcast) svg_circle(&chart->svg, (struct point){from, y}, 5, head_style);
    for (uint32_t i = 1; i < step->part_count; i++) {
        double to = column_of(chart, step->parts[i]);
        draw_arrow(chart, from, to, y);
        if (nearest == 0 || fabs(to - from) < fabs(nearest - from)) nearest = to;
    }
    if (step->channel && step->part_count > 1)
        add_text(chart, step->channel, (from + nearest) / 2, y - LINE_HEIGHT - 1, ANCHOR_MIDDLE,
                 "fill=\"#222222\"");
}

static const char *end_text(const struct trace *trace, struct arena *arena) {
    switch (trace->end) {
    case TRACE_DEADLOCK: return "then nothing is possible";
    case TRACE_IDLE: return "then time may pass for ever";
    case TRACE_LOOP: return arena_printf(arena, "then again from step %u", trace->loop + 1);
    case TRACE_OPEN: break;
    }
    return NULL;
}

bool draw_chart(struct str *page, const struct network *network, const struct trace *trace,
                const char *title, struct arena *arena, struct diag *diag) {
    struct chart chart = {.arena = arena, .trace = trace};
    const char *end = end_text(trace, arena);
    chart.bottom = TOP + 2 * LINE_HEIGHT + ROW_HEIGHT * trace->step_count + 4;
    svg_open(&chart.svg);
    place_columns(&chart, network);
    add_text(&chart, title, 0, 0, ANCHOR_LEFT, "fill=\"#222222\"");
    draw_columns(&chart, network);
    bool is_small = true;
    for (uint32_t i = 0; i < trace->step_count && is_small; i++) {
        draw_step(&chart, i);
        is_small = chart.svg.text.size <= DRAW_MAX_BYTES;
    }
    if (end) add_text(&chart, end, 0, chart.bottom, ANCHOR_LEFT, faint_style);
    const struct box box = chart.svg.box;
    if (is_small)
        *page = svg_page(&chart.svg,
                         (struct box){box.left - MARGIN, box.top - MARGIN, box.right + MARGIN,
                                      box.bottom + MARGIN},
                         arena);
    else
        diag_error(diag, STATUS_LIMIT, 0, "the run is too long for a message sequence chart");
    svg_close(&chart.svg);
    return is_small;
}
