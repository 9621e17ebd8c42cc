#include "model/hindrance.h"

#include "expr/find.h"

static bool writes_any(const struct effects *effects, const struct effects *read) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        for (uint32_t k = 0; k < read->list.count && effects->list.items[i].writes; k++)
            if (symbols_may_alias(effects->list.items[i].symbol, read->list.items[k].symbol))
                return true;
    return false;
}

/* Over: invariants are compared with what labels may write. Borrows the network. */
void hindrance_find(struct hindrance *hindrance, const struct network *network) {
    struct effects_table *table = (struct effects_table *)&network->effects;
    *hindrance = (struct hindrance){.network = network};
    for (uint32_t t = 0; t < network->model->template_count; t++) {
        const struct template *template = network->model->templates[t];
        for (uint32_t l = 0; l < template->location_count; l++) {
            if (!template->locations[l].written_invariant) continue;
            hindrance->has_invariants = true;
            effects_add_expr(table, &hindrance->invariants,
                             template->locations[l].written_invariant);
        }
    }
    hindrance->is_by_hooks = writes_any(&network->before_update, &hindrance->invariants) ||
                             writes_any(&network->after_update, &hindrance->invariants);
}

bool edge_is_hindered(const struct hindrance *hindrance, const struct template *template,
                      uint32_t index) {
    const struct edge *edge = &template->edges[index];
    if (!hindrance->has_invariants) return false;
    if (edge->leaves_branchpoint || edge->target >= template->location_count) return true;
    if (edge->target != edge->source && template->locations[edge->target].written_invariant)
        return true;
    return hindrance->is_by_hooks ||
           writes_any(&hindrance->network->labels.edges[template->index][index].update_effects,
                      &hindrance->invariants);
}

bool sync_may_be_urgent(const struct expr *sync) {
    const struct symbol *root = sync ? expr_root(sync) : NULL;
    return sync && (!root || type_prefixes(root->type) & PREFIX_URGENT);
}
