#include "wide_sample.h"

enum { LOCATIONS = WIDE_LOCATIONS, VARIABLES = WIDE_VARIABLES, DEPTH = 3 };

static uint32_t state;

int wide_pick(int count) {
    state = state * 1664525 + 1013904223;
    return (int)(state >> 8) % count;
}

const char *const wide_names[VARIABLES] = {"g", "h", "x", "y"};
static int lower[VARIABLES], upper[VARIABLES];

static void add_value(struct buffer *text, bool has_select, int depth);

static void add_condition(struct buffer *text, bool has_select, int depth) {
    static const char *const comparisons[] = {"&lt;", "&lt;=", "==", "!=", "&gt;", "&gt;="};
    static const char *const connectives[] = {"&amp;&amp;", "||", "imply", "xor"};
    int kind = depth ? wide_pick(6) : 0;
    if (kind == 5) buffer_printf(text, "!");
    buffer_printf(text, "(");
    if (kind < 3) {
        add_value(text, has_select, depth ? depth - 1 : 0);
        buffer_printf(text, " %s ", comparisons[wide_pick(6)]);
        add_value(text, has_select, depth ? depth - 1 : 0);
    } else if (kind < 5) {
        add_condition(text, has_select, depth - 1);
        buffer_printf(text, " %s ", connectives[wide_pick(4)]);
        add_condition(text, has_select, depth - 1);
    } else {
        add_condition(text, has_select, depth - 1);
    }
    buffer_printf(text, ")");
}

static void add_value(struct buffer *text, bool has_select, int depth) {
    static const char *const operators[] = {"+",     "-",     "*",     "/", "%",
                                            "&lt;?", "&gt;?", "&amp;", "|", "^"};
    int kind = depth ? wide_pick(8) : wide_pick(4);
    if (kind < 2) {
        buffer_printf(text, "%s", wide_names[wide_pick(VARIABLES)]);
    } else if (kind == 2) {
        buffer_printf(text, "%s", has_select ? "i" : "N");
    } else if (kind == 3) {
        buffer_printf(text, "%d", wide_pick(3) ? wide_pick(6) : wide_pick(300));
    } else if (kind == 4) {
        buffer_printf(text, "(");
        add_condition(text, has_select, depth - 1);
        buffer_printf(text, " ? ");
        add_value(text, has_select, depth - 1);
        buffer_printf(text, " : ");
        add_value(text, has_select, depth - 1);
        buffer_printf(text, ")");
    } else if (kind == 5) {
        buffer_printf(text, "-(");
        add_value(text, has_select, depth - 1);
        buffer_printf(text, ")");
    } else {
        buffer_printf(text, "(");
        add_value(text, has_select, depth - 1);
        buffer_printf(text, " %s ", operators[wide_pick(10)]);
        add_value(text, has_select, depth - 1);
        buffer_printf(text, ")");
    }
}

static void add_item(struct buffer *text, bool has_select) {
    int variable = wide_pick(VARIABLES);
    const char *name = wide_names[variable];
    switch (wide_pick(5)) {
    case 0: buffer_printf(text, "%s++", name); return;
    case 1: buffer_printf(text, "%s -= %d", name, 1 + wide_pick(3)); return;
    case 2: buffer_printf(text, "%s = %d", name, lower[variable]); return;
    case 3:
        buffer_printf(text, "%s = ", name);
        add_value(text, has_select, 1);
        return;
    default:
        buffer_printf(text, "%s = %d &gt;? (%d &lt;? ", name, lower[variable], upper[variable]);
        add_value(text, has_select, DEPTH - 1);
        buffer_printf(text, ")");
    }
}

static void add_edge(struct buffer *text, int number) {
    bool has_select = !wide_pick(3);
    buffer_printf(text, "<transition><source ref=\"l%d\"/><target ref=\"l%d\"/>",
                  number % LOCATIONS, wide_pick(LOCATIONS));
    if (has_select)
        buffer_printf(text, "<label kind=\"select\">i : int[0,%d]</label>", 5 + wide_pick(200));
    if (wide_pick(4)) {
        buffer_printf(text, "<label kind=\"guard\">");
        add_condition(text, has_select, DEPTH);
        if (wide_pick(2)) {
            buffer_printf(text, " &amp;&amp; ");
            add_condition(text, has_select, 1);
        }
        buffer_printf(text, "</label>");
    }
    buffer_printf(text, "<label kind=\"assignment\">");
    for (int count = 1 + wide_pick(3); count; count--) {
        add_item(text, has_select);
        if (count > 1) buffer_printf(text, ", ");
    }
    buffer_printf(text, "</label></transition>");
}

static void add_variable(struct buffer *text, int number) {
    static const int sizes[] = {1, 5, 11, 40, 100, 256, 300, 700};
    lower[number] = wide_pick(3) ? 0 : -wide_pick(30);
    upper[number] = lower[number] + sizes[wide_pick(8)];
    buffer_printf(text, "int[%d,%d] %s = %d;", lower[number], upper[number], wide_names[number],
                  lower[number] + wide_pick(upper[number] - lower[number] + 1));
}

void wide_write(struct buffer *text, int number) {
    state = (uint32_t)number * 77777 + 1;
    buffer_printf(text, "<nta><declaration>const int N = %d;", 2 + wide_pick(9));
    for (int i = 0; i < 2; i++) add_variable(text, i);
    buffer_printf(text, "</declaration><template><name>P</name><declaration>");
    for (int i = 2; i < VARIABLES; i++) add_variable(text, i);
    buffer_printf(text, "</declaration>");
    for (int i = 0; i < LOCATIONS; i++)
        buffer_printf(text, "<location id=\"l%d\"><name>l%d</name></location>", i, i);
    buffer_printf(text, "<init ref=\"l0\"/>");
    for (int i = 0; i < 2 * LOCATIONS; i++) add_edge(text, i);
    buffer_printf(text, "</template><system>system P;</system></nta>");
}
