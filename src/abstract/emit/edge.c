/* The first output edge of a source edge changes its element in place; each other one is a copy of
 * the element after it, with labels and nails moved aside. */
#include "abstract/emit/edge.h"

#include "abstract/edge/open_edge.h"
#include "abstract/emit/comment.h"
#include "abstract/emit/label.h"
#include "abstract/emit/label_spot.h"
#include "abstract/fold/model.h"
#include "abstract/fold/output.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/print/print.h"

#include <assert.h>

static const struct element *find_child(const struct element *parent, const char *name) {
    for (const struct element *child = parent->first_child; child; child = child->next)
        if (str_is(str_of(child->name), name)) return child;
    return NULL;
}

/* Texts of the labels of an output edge; NULL = none. */
struct texts {
    const char *select, *guard, *sync, *update, *comment;
};

static const char *print_to_arena(struct generator *generator, const struct expr *expr) {
    return expr_is_true(expr) ? NULL : expr_text(expr, generator->arena);
}

static const char *take(struct generator *generator, struct buffer *text) {
    char *copy = text->size ? buffer_take(text, generator->arena) : NULL;
    buffer_close(text);
    return copy;
}

static const char *select_text(struct generator *generator, const struct output_edge *out) {
    const struct edge *edge = out->base->edge;
    struct buffer text = {0};
    assert(!edge->select_count || out->keeps_select);
    for (uint32_t i = 0; i < edge->select_count; i++) {
        if (!out->keeps_select[i]) continue;
        struct span span = {edge->selects[i]->span.begin, edge->selects[i]->type->span.end};
        struct str source = document_text(generator->document, span);
        if (text.size) buffer_add_text(&text, ", ");
        if (out->ranges && out->ranges[i].is_clipped)
            buffer_printf(&text, "%s : int[%d,%d]", edge->selects[i]->name, out->ranges[i].lower,
                          out->ranges[i].upper);
        else
            buffer_add(&text, source.data, source.size);
    }
    for (uint32_t i = 0; i < out->select_count; i++) {
        const struct chosen_select *select = &out->selects[i];
        const struct symbol *symbol = select->unknown->placeholder;
        assert(symbol->kind == SYMBOL_SELECT);
        if (text.size) buffer_add_text(&text, ", ");
        buffer_printf(&text, "%s : ", symbol->name);
        if (type_strip(symbol->type)->kind == TYPE_SCALAR || select->unknown->needs_type)
            print_local_type(&text, symbol->type);
        else
            buffer_printf(&text, "int[%d,%d]", select->lower, select->upper);
    }
    return take(generator, &text);
}

/* An item that gives a cell of an array a constant, and that nobody wrote so. */
static struct cell_assignment assignment_of(struct arena *arena, const struct item *item) {
    const struct expr *expr = item->expr, *place = expr->child[0];
    int64_t index, value;
    if (item->is_verbatim || expr->kind != EXPR_ASSIGN || expr->op != OP_ASSIGN ||
        place->kind != EXPR_INDEX || place->child[0]->kind != EXPR_NAME ||
        !expr_is_constant(place->child[1], &index) || !expr_is_constant(expr->child[1], &value))
        return (struct cell_assignment){.variable = NULL};
    return (struct cell_assignment){place->child[0]->symbol, index,
                                    expr_text(expr->child[1], arena),
                                    strlen(expr_text(expr, arena))};
}

static const struct cell_assignment *assignments_of(struct arena *arena,
                                                    const struct output_edge *out) {
    struct cell_assignment *all = ARENA_ARRAY(arena, struct cell_assignment, out->item_count + 1);
    for (uint32_t i = 0; i < out->item_count; i++) all[i] = assignment_of(arena, &out->items[i]);
    return all;
}

void count_loops(struct generator *generator, const struct location_fold *fold) {
    for (uint32_t i = 0; i < fold->fold.edges.count; i++) {
        const struct output_edge *out = &fold->fold.edges.items[i];
        if (!out->is_unchanged)
            cell_loops_count(&generator->loops, fold->template,
                             assignments_of(generator->arena, out), out->item_count);
    }
}

static const char *update_text(struct generator *generator, const struct output_edge *out) {
    const struct cell_assignment *assignments = assignments_of(generator->arena, out);
    struct buffer text = {0};
    position last = 0;
    for (uint32_t i = 0; i < out->item_count; i++) {
        const struct item *item = &out->items[i];
        uint32_t covered;
        const char *call = cell_loops_call(&generator->loops, out->base->template, &assignments[i],
                                           out->item_count - i, &covered);
        if (call) {
            buffer_printf(&text, "%s%s", text.size ? ", " : "", call);
            last = 0;
            i += covered - 1;
            continue;
        }
        if (text.size) {
            /* Between neighbours of the source the source's own separator. */
            bool follows = item->original && last && item->original->span.begin > last && i &&
                           out->items[i - 1].original && item->original->span.begin - last < 200;
            struct str between =
                follows ? document_text(generator->document,
                                        (struct span){last, item->original->span.begin})
                        : STR(", ");
            uint32_t marks = 0; /* parentheses around an item are no part of it */
            for (size_t k = 0; k < between.size; k++) marks += strchr(",()/", between.data[k]) != 0;
            if (marks != 1) between = STR(", ");
            buffer_add(&text, between.data, between.size);
        }
        if (item->is_verbatim) {
            assert(item->original);
            struct str source = document_text(generator->document, item->original->span);
            buffer_add(&text, source.data, source.size);
        } else {
            print_expr(&text, item->expr);
        }
        last = item->original ? item->original->span.end : 0;
    }
    return take(generator, &text);
}

static struct texts texts_of(struct generator *generator, const struct output_edge *out) {
    assert(!out->is_unchanged); /* its element stays as it is */
    struct texts texts = {.select = select_text(generator, out),
                          .guard = print_to_arena(generator, output_guard(out, generator->arena)),
                          .update = update_text(generator, out)};
    const char *comment = comment_of_edge(generator, out);
    if (comment) texts.comment = join_comments(generator, out->base->edge->xml->element, comment);
    if (!out->sync) return texts;
    const char *channel = print_to_arena(generator, out->sync);
    bool is_choice = out->sync->kind == EXPR_COND; /* (b ? c : d)! */
    texts.sync =
        arena_printf(generator->arena, "%s%s%s%c", is_choice ? "(" : "", channel ? channel : "",
                     is_choice ? ")" : "", out->base->edge->is_send ? '!' : '?');
    return texts;
}

static bool items_are_original(const struct output_edge *out) {
    const struct edge *edge = out->base->edge;
    if (out->item_count != edge->updates.count) return false;
    for (uint32_t i = 0; i < out->item_count; i++)
        if (!out->items[i].is_verbatim || out->items[i].original != edge->updates.items[i])
            return false;
    return true;
}

static bool selects_are_original(const struct output_edge *out) {
    for (uint32_t i = 0; i < out->base->edge->select_count; i++)
        if (!out->keeps_select[i] || (out->ranges && out->ranges[i].is_clipped)) return false;
    return !out->select_count;
}

/* A label of the source edge that changes. */
struct new_label {
    const char *kind, *text;
    bool is_set, sees_select;
    struct spot spot;
};

/* Places for those that the edge does not have yet, in the order in which one reads them. */
static void place_labels(struct new_label *labels, int count, const struct element *element,
                         struct label_block *block) {
    for (int i = 0; i < count; i++) {
        struct new_label *label = &labels[block->is_above ? count - 1 - i : i];
        if (label->is_set && label->text && !find_label(element, label->kind))
            label->spot = block_add(block, count_lines(label->text));
    }
}

static bool is_same_guard(const struct generator *generator, const struct output_edge *out) {
    const struct expr *written = out->base->edge->written_guard;
    const struct expr *guard = output_guard(out, generator->arena);
    return expr_is_true(guard) ? !written : written && expr_equal(guard, written);
}

static void note_box(struct edge_spots *place, struct spot at, const char *text) {
    assert(place->label_count <= EDGE_LABELS);
    if (text && place->label_count < EDGE_LABELS)
        place->labels[place->label_count++] = box_of_text(at, text);
}

/* Where the labels of an edge stand when some of them have changed. */
static void note_labels(struct edge_spots *place, const struct new_label *labels, int count,
                        const struct element *parent) {
    place->is_changed = true;
    for (int i = 0; i < count; i++)
        if (labels[i].is_set && !find_label(parent, labels[i].kind))
            note_box(place, labels[i].spot, labels[i].text);
    for (const struct element *child = parent->first_child; child; child = child->next) {
        if (strcmp(child->name, "label") != 0 || !element_attribute(child, "x")) continue;
        const char *kind = element_attribute(child, "kind"), *text = child->text.content.data;
        for (int i = 0; kind && i < count; i++)
            if (labels[i].is_set && !strcmp(labels[i].kind, kind)) text = labels[i].text;
        note_box(place, (struct spot){coordinate(child, "x", 0), coordinate(child, "y", 0)}, text);
    }
}

/* Changes the labels of the source edge in place, leaving alone what stays the same. */
static void change_edge(struct generator *generator, const struct output_edge *out,
                        struct edge_spots *place) {
    enum { COUNT = 5 };
    const struct edge *edge = out->base->edge;
    const struct element *element = edge->xml->element;
    const struct element *target = find_child(element, "target");
    assert(target);
    const struct element *select = find_label(element, "select"), *after = target;
    if (select && select->end > target->end) after = select; /* labels after it see its names */
    struct texts texts = texts_of(generator, out);
    struct new_label labels[COUNT] = {
        {.kind = "select", .text = texts.select, .is_set = !selects_are_original(out)},
        {.kind = "guard",
         .text = texts.guard,
         .is_set = !is_same_guard(generator, out),
         .sees_select = true},
        {.kind = "synchronisation",
         .text = texts.sync,
         .is_set = edge->sync && !expr_equal(out->sync, edge->sync)},
        {.kind = "assignment",
         .text = texts.update,
         .is_set = !items_are_original(out),
         .sees_select = true},
        {.kind = "comments", .text = texts.comment, .is_set = texts.comment != NULL}};
    place_labels(labels, COUNT, element, &place->block);
    note_labels(place, labels, COUNT, element);
    for (int i = 0; i < COUNT; i++)
        if (labels[i].is_set)
            generate_label(generator, element, labels[i].sees_select ? after : target,
                           labels[i].kind, labels[i].text, labels[i].spot.x, labels[i].spot.y);
}

static void add_attributes(struct generator *generator, struct buffer *out,
                           const struct element *element) {
    for (uint32_t i = 0; i < element->attribute_count; i++) {
        const struct attribute *attribute = &element->attributes[i];
        if (str_is(str_of(attribute->name), "id")) continue; /* ids are unique */
        struct str value = xml_escape_attribute(generator->arena, attribute->value);
        buffer_printf(out, " %s=\"%s\"", attribute->name, value.data);
    }
}

/* ---- copies ---- */

static void add_label(struct generator *generator, struct buffer *out, struct str indent,
                      const char *kind, const char *text, struct spot *spot) {
    if (!text) return;
    struct str markup = label_markup(generator, indent, kind, text, spot->x, spot->y);
    buffer_add(out, markup.data, markup.size);
    spot->y += count_lines(text) * LABEL_LINE;
}

static void add_nail(struct buffer *out, struct str indent, int x, int y) {
    buffer_printf(out, "%.*s<nail x=\"%d\" y=\"%d\"/>", (int)indent.size, indent.data,
                  coordinate_limited(x), coordinate_limited(y));
}

/* Nails of the original moved aside, or a new one where it has none. */
static void add_moved_nails(struct buffer *out, const struct xml_template *template,
                            const struct xml_transition *edge, struct str indent,
                            struct spot shift) {
    bool has_nail = false;
    for (const struct element *child = edge->element->first_child; child; child = child->next) {
        if (!str_is(str_of(child->name), "nail")) continue;
        has_nail = true;
        add_nail(out, indent, coordinate(child, "x", 0) + shift.x,
                 coordinate(child, "y", 0) + shift.y);
    }
    if (has_nail) return;
    struct spot middle = middle_of_edge(template, edge);
    add_nail(out, indent, middle.x + shift.x, middle.y + shift.y);
}

/* A long condition in several lines, broken before && and ||: a label of one line would reach far
 * from its edge. */
static const char *broken(struct generator *generator, const char *condition) {
    enum { LINE = 80 };
    struct buffer text = {0};
    const char *line = condition;
    while (line && strlen(line) > LINE) {
        const char *end = NULL;
        for (const char *at = line + 1; *at && (at - line <= LINE || !end); at++)
            if (!strncmp(at, " && ", 4) || !strncmp(at, " || ", 4)) end = at;
        if (!end) break;
        buffer_printf(&text, "%.*s\n", (int)(end - line), line);
        line = end + 1;
    }
    if (!text.size) return condition;
    buffer_add_text(&text, line);
    return take(generator, &text);
}

/* The labels of a copy, in the order in which Uppaal reads them. */
struct label_list {
    const char *kinds[6], *texts[6];
    int lines, width;
};

static struct label_list list_labels(struct generator *generator, const struct output_edge *out) {
    struct texts texts = texts_of(generator, out);
    const struct element *weight = find_label(out->base->edge->xml->element, "probability");
    struct label_list list = {
        .kinds = {"select", "guard", "synchronisation", "assignment", "comments", "probability"},
        .texts = {texts.select, broken(generator, texts.guard), texts.sync, texts.update,
                  texts.comment, NULL}};
    if (weight)
        list.texts[5] =
            arena_copy(generator->arena, weight->text.content.data, weight->text.content.size);
    for (int i = 0; i < 6; i++) {
        int width = width_of_text(list.texts[i]);
        list.lines += count_lines(list.texts[i]);
        if (width > list.width) list.width = width;
    }
    return list;
}

/* A further edge that is made of one of the file. */
struct copy {
    const struct output_edge *out;
    struct label_list labels;
    struct new_loop *loop; /* NULL if it is none */
};

static bool is_loop(const struct output_edge *out) {
    return out->loop || out->base->edge->source == out->base->edge->target;
}

/* Returns where its labels begin. */
static struct spot add_nails(struct generator *generator, struct buffer *out,
                             const struct copy *copy, struct str indent) {
    const struct xml_template *template = copy->out->base->template->xml;
    const struct xml_transition *edge = copy->out->base->edge->xml;
    struct spot shift;
    for (int i = 0; copy->loop && i < 2; i++)
        add_nail(out, indent, copy->loop->nails[i].x, copy->loop->nails[i].y);
    if (copy->loop) return copy->loop->labels;
    struct label_block *block = &spots_of_edge(generator->spots, template, edge)->block;
    struct spot labels = block_add_copy(block, copy->labels.lines, &shift);
    label_spots_add_copy(generator->spots, edge, copy, shift,
                         box_of_lines(labels, copy->labels.lines, copy->labels.width));
    add_moved_nails(out, template, edge, indent, shift);
    return labels;
}

/* A new element after that of the base edge. */
static void copy_edge(struct generator *generator, const struct copy *copy) {
    assert(!copy->out->is_unchanged);
    const struct template *template = copy->out->base->template;
    const struct edge *edge = copy->out->base->edge;
    const struct element *element = edge->xml->element;
    const struct element *source = find_child(element, "source");
    assert(source); /* the reader has seen to it */
    uint32_t target = copy->out->loop ? edge->source : edge->target;
    struct str indent = indent_of(generator, element), inner = indent_of(generator, source);
    struct buffer text = {0}, nails = {0};
    struct spot spot = add_nails(generator, &nails, copy, inner);
    buffer_printf(&text, "%.*s<transition", (int)indent.size, indent.data);
    add_attributes(generator, &text, element);
    struct str from =
        xml_escape_attribute(generator->arena, str_of(template->locations[edge->source].xml->id));
    struct str to =
        xml_escape_attribute(generator->arena, str_of(template->locations[target].xml->id));
    buffer_printf(&text, ">%.*s<source ref=\"%s\"/>%.*s<target ref=\"%s\"/>", (int)inner.size,
                  inner.data, from.data, (int)inner.size, inner.data, to.data);
    for (int i = 0; i < 6; i++)
        add_label(generator, &text, inner, copy->labels.kinds[i], copy->labels.texts[i], &spot);
    buffer_add(&text, nails.data, nails.size);
    buffer_printf(&text, "%.*s</transition>", (int)indent.size, indent.data);
    splice_markup(&generator->splices, element->end, element->end,
                  str_of(buffer_finish(&text, generator->arena)));
    buffer_close(&nails);
}

/* ---- the edges of a location ---- */

/* The first of those that an edge becomes, which keeps its element; NULL if there is none. */
static const struct output_edge *first_of(const struct location_fold *fold,
                                          const struct open_edge *open) {
    for (uint32_t i = 0; i < fold->fold.edges.count; i++) {
        const struct output_edge *out = &fold->fold.edges.items[i];
        if (out->base == open && !out->loop) return out;
    }
    return NULL;
}

void generate_edges(struct generator *generator, const struct location_fold *fold) {
    for (uint32_t f = 0; f < fold->open_edge_count; f++) {
        const struct open_edge *open = fold->open_edges[f];
        assert(open->edge && open->location == fold->location);
        const struct output_edge *first = first_of(fold, open);
        struct edge_spots *place =
            spots_of_edge(generator->spots, open->template->xml, open->edge->xml);
        place->is_gone = !first;
        if (!first)
            splice_remove_element(&generator->splices, open->edge->xml->element);
        else if (!first->is_unchanged)
            change_edge(generator, first, place);
    }
}

/* The copies of a location's edges in the order of the output. */
static uint32_t list_copies(struct generator *generator, const struct location_fold *fold,
                            struct copy *copies) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < fold->open_edge_count; f++) {
        const struct output_edge *first = first_of(fold, fold->open_edges[f]);
        for (uint32_t i = 0; i < fold->fold.edges.count; i++) {
            const struct output_edge *out = &fold->fold.edges.items[i];
            if (out->base == fold->open_edges[f] && out != first)
                copies[count++] = (struct copy){.out = out, .labels = list_labels(generator, out)};
        }
    }
    assert(count <= fold->fold.edges.count); /* each is a copy of one edge */
    return count;
}

static void place_loops(struct generator *generator, struct copy *copies, uint32_t count) {
    const struct open_edge *base = copies->out->base;
    struct new_loop *loops = ARENA_ARRAY(generator->arena, struct new_loop, count);
    uint32_t loop_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_loop(copies[i].out)) continue;
        copies[i].loop = &loops[loop_count++];
        copies[i].loop->lines = copies[i].labels.lines;
        copies[i].loop->width = copies[i].labels.width;
    }
    label_spots_add_loops(generator->spots, base->edge->source, loops, loop_count);
}

void generate_copies(struct generator *generator, const struct location_fold *fold) {
    struct copy *copies = ARENA_ARRAY(generator->arena, struct copy, fold->fold.edges.count + 1);
    uint32_t count = list_copies(generator, fold, copies);
    if (!count) return;
    label_spots_enter(generator->spots, copies->out->base->template->xml);
    place_loops(generator, copies, count);
    for (uint32_t i = 0; i < count; i++) copy_edge(generator, &copies[i]);
}
