#include "abstract/emit/reread.h"

#include "xml/byte_map.h"
#include "xml/load.h"

#include <assert.h>

/* The elements that edges become: one for each, but for those of folds. */
static void count_edges(struct reread *reread, const struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    uint32_t **firsts = ARENA_ARRAY(&reread->arena, uint32_t *, model->template_count);
    for (uint32_t t = 0; t < model->template_count; t++) {
        firsts[t] = ARENA_ARRAY(&reread->arena, uint32_t, model->templates[t]->edge_count + 1);
        for (uint32_t e = 0; e < model->templates[t]->edge_count; e++) firsts[t][e + 1] = 1;
    }
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        uint32_t *counts = firsts[fold->template->index] + 1;
        for (uint32_t f = 0; f < fold->open_edge_count; f++)
            counts[fold->open_edges[f]->edge_index] = 0;
        for (uint32_t k = 0; k < fold->fold.edges.count; k++)
            counts[fold->fold.edges.items[k].base->edge_index]++;
    }
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t e = 0; e < model->templates[t]->edge_count; e++)
            firsts[t][e + 1] += firsts[t][e];
    for (uint32_t t = 0; t < model->template_count; t++)
        assert(firsts[t][model->templates[t]->edge_count] ==
               reread->output.templates[t].transition_count);
    reread->firsts = firsts;
}

static void find_edges_of_the_file(struct reread *reread) {
    const struct byte_map *map = reread->now->byte_map;
    const struct document *file = map ? &map->file : reread->now;
    map_init(&reread->edges_of_the_file, &reread->arena);
    for (uint32_t t = 0; t < file->template_count; t++)
        for (uint32_t e = 0; e < file->templates[t].transition_count; e++) {
            struct xml_transition *edge = &file->templates[t].transitions[e];
            map_put(&reread->edges_of_the_file, edge->element->begin, edge);
        }
}

void reread_open(struct reread *reread, const struct abstraction *abstraction) {
    struct interner names;
    struct diag diag;
    arena_init(&reread->arena);
    interner_init(&names, &reread->arena);
    diag_init(&diag, &reread->arena, NULL);
    reread->now = abstraction->network->model->document;
    bool is_read = document_parse(&reread->output, &reread->arena, &names, "output",
                                  abstraction->output, &diag);
    assert(is_read && reread->output.template_count == reread->now->template_count);
    count_edges(reread, abstraction);
    find_edges_of_the_file(reread);
}

void reread_close(struct reread *reread) { arena_close(&reread->arena); }

/* The edge of the file that an edge was made of, also where its template is a copy. */
static const struct xml_transition *edge_of_the_file(const struct reread *reread,
                                                     const struct xml_transition *edge) {
    size_t begin = edge->element->begin, end;
    if (reread->now->byte_map) {
        const struct byte_run *run = byte_map_find(reread->now->byte_map, begin, &end);
        assert(run->is_copied);
        begin = run->from + (begin - run->begin);
    }
    const struct xml_transition *found = map_get(&reread->edges_of_the_file, begin);
    assert(found);
    return found;
}

static bool have_same_labels(const struct labels *left, const struct labels *right) {
    for (int kind = 0; kind < LABEL_KINDS; kind++) {
        const struct element *labels[] = {left->of[kind], right->of[kind]};
        if (!labels[0] != !labels[1] ||
            (labels[0] && !str_equal_but_space(labels[0]->text.content, labels[1]->text.content)))
            return false;
    }
    return true;
}

bool reread_is_same(const struct reread *reread, const struct fold *fold, uint32_t place) {
    assert(place < fold->edges.count);
    if (!fold_keeps_element(fold, place)) return false;
    const struct open_edge *base = fold->edges.items[place].base;
    const struct xml_template *template = &reread->output.templates[base->template->index];
    uint32_t first = reread->firsts[base->template->index][base->edge_index];
    assert(first < template->transition_count);
    const struct xml_transition *edge = &template->transitions[first];
    assert(edge->source == base->edge->xml->source && edge->target == base->edge->xml->target);
    return have_same_labels(&edge_of_the_file(reread, base->edge->xml)->labels, &edge->labels);
}
