#include "explore/compare/original_moves.h"

#include "explore/fair/tag.h"
#include "lang/print/print.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct matching {
    struct arena *arena;
    const struct visible *visible;
    const struct strategy_plan *plan;
    const struct coalition *coalition;
    const struct move *move;
    uint32_t place; /* of its process: that of the original */
    const struct template *original, *abstract;
};

/* Branchpoints stand after the locations, and stay as they are. */
static bool is_same_place(const struct matching *matching, uint32_t concrete, uint32_t abstract) {
    uint32_t locations = matching->original->location_count;
    uint32_t others = matching->abstract->location_count;
    if (concrete >= locations || abstract >= others)
        return concrete >= locations && abstract >= others &&
               concrete - locations == abstract - others;
    return matching->visible->codes[SIDE_CONCRETE][matching->place][concrete] ==
           matching->visible->codes[SIDE_ABSTRACT][matching->place][abstract];
}

/* Whether edges of both templates are between the same locations, and synchronise alike. */
static bool is_alike(const struct matching *matching, const struct edge *edge,
                     const struct edge *own) {
    return is_same_place(matching, edge->source, own->source) &&
           is_same_place(matching, edge->target, own->target) && !edge->sync == !own->sync &&
           edge->is_send == own->is_send;
}

/* The number of edge_N, from 0; NO_MOVE if the action has another name. */
static uint32_t number_in(const struct matching *matching, const char *action) {
    static const char word[] = "edge_";
    enum { SIZE = sizeof word - 1 };
    if (!action || strncmp(action, word, SIZE) != 0) return NO_MOVE;
    char *end;
    unsigned long number = strtoul(action + SIZE, &end, 10);
    bool is_number = end > action + SIZE && !*end && number;
    return is_number && number <= matching->original->edge_count ? (uint32_t)number - 1 : NO_MOVE;
}

static bool is_move_of(const struct matching *matching, const struct move *move) {
    return move->process == matching->move->process;
}

/* Whether an edge of the original became several edges. */
static bool became_several(const struct matching *matching, uint32_t edge) {
    const struct coalition *coalition = matching->plan->coalition;
    for (uint32_t i = 0; i < coalition->moves.count; i++)
        if (is_move_of(matching, &coalition->moves.items[i]) &&
            number_in(matching, coalition->moves.items[i].action) == edge)
            return true;
    return false;
}

/* ---- edges that became one edge ---- */

struct edge_list {
    VEC(const struct edge *) list;
};

/* Those of the original that the move may have been made of. */
static void list_candidates(const struct matching *matching, struct edge_list *edges) {
    const struct template *template = matching->original;
    for (uint32_t i = 0; i < template->edge_count; i++)
        if (is_alike(matching, &template->edges[i], matching->move->edge) &&
            !edge_has_tag(&template->edges[i], STR("action")) && !became_several(matching, i))
            VEC_PUSH(matching->arena, &edges->list, &template->edges[i]);
}

/* Those of the abstraction that are like the move's, itself among them. */
static void list_rivals(const struct matching *matching, struct edge_list *edges) {
    const struct coalition *coalition = matching->plan->coalition;
    const struct edge *last = NULL, *own = matching->move->edge;
    for (uint32_t e = 0; e < matching->abstract->edge_count; e++) {
        const struct edge *edge = &matching->abstract->edges[e];
        if (edge->source != own->source || edge->target != own->target ||
            !edge->sync != !own->sync || edge->is_send != own->is_send)
            continue;
        for (uint32_t i = 0; i < coalition->moves.count && last != edge; i++) {
            const struct move *move = &coalition->moves.items[i];
            if (!is_move_of(matching, move) || move->action || move->edge != edge) continue;
            VEC_PUSH(matching->arena, &edges->list, edge);
            last = edge;
        }
    }
}

static const char *labels_of(struct arena *arena, const struct edge *edge) {
    struct buffer text = {0};
    for (uint32_t i = 0; i < edge->select_count; i++)
        buffer_printf(&text, "%s,", edge->selects[i]->name);
    buffer_add_text(&text, ";");
    if (edge->written_guard) print_expr(&text, edge->written_guard);
    buffer_add_text(&text, ";");
    if (edge->sync) print_expr(&text, edge->sync);
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        buffer_add_text(&text, ";");
        print_expr(&text, edge->updates.items[i]);
    }
    const char *labels = buffer_take(&text, arena);
    buffer_close(&text);
    return labels;
}

/* The only candidate with the labels of the move's edge, if that alone has them; or NULL. */
static const struct edge *same_labels(const struct matching *matching,
                                      const struct edge_list *candidates,
                                      const struct edge_list *rivals) {
    const char *own = labels_of(matching->arena, matching->move->edge);
    const struct edge *found = NULL;
    uint32_t count = 0, others = 0;
    for (uint32_t i = 0; i < candidates->list.count; i++)
        if (!strcmp(labels_of(matching->arena, candidates->list.items[i]), own)) {
            found = candidates->list.items[i];
            count++;
        }
    for (uint32_t i = 0; i < rivals->list.count; i++)
        others += !strcmp(labels_of(matching->arena, rivals->list.items[i]), own);
    return count == 1 && others == 1 ? found : NULL;
}

/* Leaves one candidate, if it is known which: elements stay in their order (M8). */
static void narrow(const struct matching *matching, struct edge_list *candidates) {
    struct edge_list rivals = {0};
    const struct edge *known = NULL;
    list_rivals(matching, &rivals);
    if (candidates->list.count == rivals.list.count) {
        for (uint32_t i = 0; i < rivals.list.count; i++)
            if (rivals.list.items[i] == matching->move->edge) known = candidates->list.items[i];
    } else {
        known = same_labels(matching, candidates, &rivals);
    }
    if (!known) return;
    candidates->list.items[0] = known;
    candidates->list.count = 1;
}

/* ---- moves ---- */

static uint32_t chosen_selects(const struct move *move) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < move->edge->select_count; i++) count += !is_left_to_nature(move, i);
    return count;
}

/* Whether selects of the same name have the same values; others only if some may have gone. */
static bool has_values(const struct move *move, const struct move *own, bool is_exact) {
    if (is_exact && chosen_selects(move) != chosen_selects(own)) return false;
    for (uint32_t i = 0; i < own->edge->select_count; i++) {
        bool is_found = is_left_to_nature(own, i);
        for (uint32_t k = 0; k < move->edge->select_count && !is_found; k++)
            is_found = !strcmp(move->edge->selects[k]->name, own->edge->selects[i]->name) &&
                       (is_left_to_nature(move, k) || move->selects[k] == own->selects[i]);
        if (!is_found) return false;
    }
    return true;
}

/* Moves of the original's process: of an edge, or of an action from the source of the move. */
static void add_some_moves(const struct matching *matching, const struct edge *edge, bool is_exact,
                           struct original_moves *found) {
    const struct coalition *coalition = matching->coalition;
    for (uint32_t i = 0; i < coalition->moves.count; i++) {
        const struct move *move = &coalition->moves.items[i];
        bool is_meant =
            edge ? move->edge == edge
                 : move->action && !strcmp(move->action, matching->move->action) &&
                       is_same_place(matching, move->edge->source, matching->move->edge->source);
        if (move->process->index == matching->place && is_meant &&
            has_values(move, matching->move, is_exact))
            VEC_PUSH(matching->arena, &found->list, i);
    }
}

/* Those with the same selects, or if there are none, with more. */
static void add_moves(const struct matching *matching, const struct edge *edge,
                      struct original_moves *found) {
    uint32_t before = found->list.count;
    add_some_moves(matching, edge, true, found);
    if (found->list.count == before) add_some_moves(matching, edge, false, found);
}

void original_moves_find(struct original_moves *found, struct arena *arena,
                         const struct visible *visible, const struct strategy_plan *plan,
                         const struct coalition *coalition, const struct move *move) {
    struct matching matching = {.arena = arena,
                                .visible = visible,
                                .plan = plan,
                                .coalition = coalition,
                                .move = move,
                                .abstract = move->process->template};
    *found = (struct original_moves){.is_certain = true};
    for (uint32_t i = 0; i < visible->process_count; i++)
        if (visible->processes[i].index[SIDE_ABSTRACT] == move->process->index) matching.place = i;
    matching.original = visible->networks[SIDE_CONCRETE]->processes[matching.place].template;
    assert(visible->processes[matching.place].index[SIDE_CONCRETE] == matching.place);
    if (move->action) add_moves(&matching, NULL, found);
    uint32_t number = number_in(&matching, move->action);
    if (!found->list.count && number != NO_MOVE &&
        is_alike(&matching, &matching.original->edges[number], move->edge))
        add_moves(&matching, &matching.original->edges[number], found);
    if (move->action) return;
    struct edge_list candidates = {0};
    list_candidates(&matching, &candidates);
    if (candidates.list.count > 1) narrow(&matching, &candidates);
    found->is_certain = candidates.list.count == 1;
    for (uint32_t i = 0; i < candidates.list.count; i++)
        add_moves(&matching, candidates.list.items[i], found);
}
