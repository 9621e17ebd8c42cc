#include "draw/diagram.h"

#include <assert.h>
#include <string.h>

static const enum label_kind label_kinds[NOTE_KINDS] = {
    [NOTE_INVARIANT] = LABEL_INVARIANT, [NOTE_RATE] = LABEL_RATE,
    [NOTE_SELECT] = LABEL_SELECT,       [NOTE_GUARD] = LABEL_GUARD,
    [NOTE_SYNC] = LABEL_SYNC,           [NOTE_UPDATE] = LABEL_UPDATE,
    [NOTE_COMMENTS] = LABEL_COMMENTS,   [NOTE_PROBABILITY] = LABEL_PROBABILITY,
};

/* False unless the element has both coordinates. */
static bool read_point(const struct element *element, struct point *point) {
    int x = coordinate(element, "x", INT32_MIN), y = coordinate(element, "y", INT32_MIN);
    if (x == INT32_MIN || y == INT32_MIN) return false;
    *point = (struct point){x, y};
    return true;
}

static void read_note(struct note *note, enum note_kind kind, const struct element *element) {
    assert(kind < NOTE_KINDS);
    *note = (struct note){.kind = kind, .text = element->text.content};
    while (note->text.size && strchr(" \t\r\n", note->text.data[note->text.size - 1]))
        note->text.size--;
    note->is_placed = read_point(element, &note->at);
}

static struct notes read_notes(const struct element *name, const struct labels *labels,
                               struct arena *arena) {
    const struct element *elements[NOTE_KINDS] = {NULL};
    struct notes notes = {0};
    if (name && !str_is_blank(name->text.content)) elements[NOTE_NAME] = name;
    for (int kind = NOTE_NAME + 1; kind < NOTE_KINDS; kind++)
        elements[kind] = labels->of[label_kinds[kind]];
    for (int kind = 0; kind < NOTE_KINDS; kind++) notes.count += elements[kind] != NULL;
    notes.items = ARENA_ARRAY(arena, struct note, notes.count);
    uint32_t count = 0;
    for (int kind = 0; kind < NOTE_KINDS; kind++)
        if (elements[kind]) read_note(&notes.items[count++], (enum note_kind)kind, elements[kind]);
    return notes;
}

static void read_nails(struct draw_edge *edge, struct arena *arena) {
    const struct element *first = edge->xml->element->first_child;
    uint32_t most = 0;
    struct point point;
    for (const struct element *child = first; child; child = child->next)
        most += !strcmp(child->name, "nail");
    edge->points = ARENA_ARRAY(arena, struct point, most);
    for (const struct element *child = first; child; child = child->next)
        if (!strcmp(child->name, "nail") && read_point(child, &point))
            edge->points[edge->point_count++] = point;
}

static void drop_node(struct draw_node *node) {
    node->is_placed = false;
    for (uint32_t i = 0; i < node->notes.count; i++) node->notes.items[i].is_placed = false;
}

/* Places near nodes that have none mean nothing. */
static void drop_places(struct diagram *diagram, struct draw_edge *edge) {
    assert(edge->source < diagram->node_count && edge->target < diagram->node_count);
    if (diagram->nodes[edge->source].is_placed && diagram->nodes[edge->target].is_placed) return;
    edge->point_count = 0;
    for (uint32_t i = 0; i < edge->notes.count; i++) edge->notes.items[i].is_placed = false;
}

/* Files of programs may have the same coordinates everywhere. */
static bool are_in_one_place(const struct diagram *diagram) {
    for (uint32_t i = 0; i < diagram->node_count; i++) {
        const struct draw_node *node = &diagram->nodes[i];
        if (!node->is_placed || node->at.x != diagram->nodes->at.x ||
            node->at.y != diagram->nodes->at.y)
            return false;
    }
    return diagram->node_count > 1;
}

/* Borrows the template; nodes and edges live in the arena. Nothing is laid out yet. */
void diagram_read(struct diagram *diagram, const struct xml_template *template,
                  struct arena *arena) {
    *diagram =
        (struct diagram){.node_count = template->location_count + template->branchpoint_count,
                         .edge_count = template->transition_count,
                         .initial = template->initial};
    diagram->nodes = ARENA_ARRAY(arena, struct draw_node, diagram->node_count);
    diagram->edges = ARENA_ARRAY(arena, struct draw_edge, diagram->edge_count);
    for (uint32_t i = 0; i < diagram->node_count; i++) {
        const struct xml_location *xml = &template->nodes[i];
        struct draw_node *node = &diagram->nodes[i];
        *node = (struct draw_node){.xml = xml, .is_initial = i == template->initial};
        node->is_placed = read_point(xml->element, &node->at);
        node->notes = read_notes(xml->name, &xml->labels, arena);
        if (!node->is_placed) drop_node(node);
    }
    if (are_in_one_place(diagram))
        for (uint32_t i = 0; i < diagram->node_count; i++) drop_node(&diagram->nodes[i]);
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        const struct xml_transition *xml = &template->transitions[i];
        struct draw_edge *edge = &diagram->edges[i];
        *edge = (struct draw_edge){
            .xml = xml, .source = xml->source, .target = xml->target, .number = i + 1};
        edge->notes = read_notes(NULL, &xml->labels, arena);
        read_nails(edge, arena);
        drop_places(diagram, edge);
    }
}

/* In the units of the file: branchpoints are smaller than locations. */
double node_radius(const struct draw_node *node) {
    return node->xml->is_branchpoint ? BRANCHPOINT_RADIUS : NODE_RADIUS;
}
