/* Groups of processes, the runs that sets are cut into, and what carries them. */
#include "abstract/prepare/reference.h"
#include "abstract/prepare/split.h"
#include "abstract/prepare/split_internal.h"
#include "expr/find.h"
#include "lang/syntax/walk.h"

#include <assert.h>

static bool refuse_size(struct splitter *splitter, const char *what, int most) {
    return diag_error(splitter->diag, STATUS_LIMIT, 0,
                      "the processes selected need more than %d %s; select fewer, or ranges", most,
                      what);
}

/* Groups */

/* Refines the groups of a template by which processes are selected. */
static void refine(struct splitter *splitter, struct split_groups *groups,
                   const bool *is_selected) {
    const struct network *network = splitter->network;
    uint32_t next = 0;
    uint32_t *fresh = ARENA_ARRAY(splitter->arena, uint32_t, 2 * (size_t)groups->count);
    for (uint32_t p = 0; p < network->process_count; p++) {
        if (network->processes[p].template != groups->template) continue;
        uint32_t *number = &fresh[2 * splitter->group_of[p] + is_selected[p]];
        if (!*number) *number = ++next;
        splitter->group_of[p] = *number - 1;
    }
    assert(next <= 2 * groups->count); /* each falls into two parts at most */
    groups->count = next;
}

/* Refines them by what is passed to reference parameters. */
static bool refine_by_references(struct splitter *splitter, struct split_groups *groups) {
    const struct network *network = splitter->network;
    VEC(uint32_t) from = {0}; /* by new group: the old one */
    VEC(const char *) keys = {0};
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        uint32_t *group = &splitter->group_of[p], g = 0;
        if (process->template != groups->template) continue;
        const char *key =
            references_key(&splitter->split->references, network, process, splitter->arena);
        while (g < keys.count && (from.items[g] != *group || strcmp(keys.items[g], key) != 0)) g++;
        if (g > SPLIT_MAX_GROUPS)
            return refuse_size(splitter, "copies of templates", SPLIT_MAX_GROUPS);
        if (g == keys.count) {
            VEC_PUSH(splitter->arena, &from, *group);
            VEC_PUSH(splitter->arena, &keys, key);
        }
        *group = g;
    }
    if (!keys.count) return true; /* no processes */
    groups->count = keys.count;
    groups->keys = keys.items;
    return true;
}

static bool is_selected_by_any(const struct splitter *splitter, uint32_t process) {
    for (uint32_t i = 0; i < splitter->words.count; i++) {
        const struct split_word *word = &splitter->words.items[i];
        if (word->is_selected && word->is_selected[process]) return true;
    }
    return false;
}

static bool passes_nothing(const char *key) { return !key[strspn(key, ";")]; }

/* The first processes of which nothing special is removed keep the template, if possible ones that
 * pass nothing to it that is removed. */
static void choose_keeper(struct splitter *splitter, struct split_groups *groups) {
    assert(groups->keys && groups->count > 1);
    const struct network *network = splitter->network;
    uint32_t keeper = UINT32_MAX;
    for (uint32_t p = network->process_count; p-- > 0;) {
        uint32_t group = splitter->group_of[p];
        if (network->processes[p].template == groups->template &&
            !is_selected_by_any(splitter, p) &&
            (keeper == UINT32_MAX || passes_nothing(groups->keys[group]) ||
             !passes_nothing(groups->keys[keeper])))
            keeper = group;
    }
    if (keeper == UINT32_MAX) keeper = 0;
    assert(keeper < groups->count);
    for (uint32_t p = 0; p < network->process_count; p++) {
        uint32_t *group = &splitter->group_of[p];
        if (network->processes[p].template != groups->template) continue;
        *group = *group == keeper ? 0 : *group == 0 ? keeper : *group;
    }
    const char *key = groups->keys[keeper];
    groups->keys[keeper] = groups->keys[0];
    groups->keys[0] = key;
}

static bool make_groups(struct splitter *splitter) {
    const struct model *model = splitter->model;
    splitter->groups = ARENA_ARRAY(splitter->arena, struct split_groups, model->template_count);
    splitter->group_of =
        ARENA_ARRAY(splitter->arena, uint32_t, splitter->network->process_count + 1);
    uint32_t total = 0;
    for (uint32_t t = 0; t < model->template_count; t++) {
        struct split_groups *groups = &splitter->groups[t];
        *groups = (struct split_groups){.template = model->templates[t], .count = 1};
        for (uint32_t i = 0; i < splitter->words.count; i++)
            if (splitter->words.items[i].is_selected &&
                splitter->words.items[i].named.template == groups->template)
                refine(splitter, groups, splitter->words.items[i].is_selected);
        if (splitter->split->apart) refine(splitter, groups, splitter->split->apart);
        if (!refine_by_references(splitter, groups)) return false;
        if (groups->count > 1) choose_keeper(splitter, groups);
        if ((total += groups->count - 1) > SPLIT_MAX_GROUPS)
            return refuse_size(splitter, "copies of templates", SPLIT_MAX_GROUPS);
    }
    return true;
}

/* Runs */

struct cutter {
    struct splitter *splitter;
    struct split_set *set;
    VEC(struct split_run) runs;
    int32_t *lower, *upper; /* of the box looked at */
};

static bool is_uniform(const struct splitter *splitter, uint32_t first, uint32_t count) {
    assert(count && first + count <= splitter->network->process_count);
    for (uint32_t p = 1; p < count; p++)
        if (splitter->group_of[first + p] != splitter->group_of[first]) return false;
    return true;
}

static int32_t *copy_values(struct cutter *cutter, const int32_t *values) {
    uint32_t count = cutter->set->parameter_count;
    int32_t *copy = ARENA_ARRAY(cutter->splitter->arena, int32_t, count);
    if (count) memcpy(copy, values, count * sizeof *copy);
    return copy;
}

/* Scalars have no ranges that a run could be, and processes keep their order. */
static bool refuse_scalar(struct splitter *splitter, const struct split_set *set,
                          const struct symbol *parameter) {
    return diag_error(
        splitter->diag, STATUS_UNSUPPORTED, parameter->span.begin,
        "processes of '%s' cannot be told apart by what stands after the scalar '%s'; move "
        "that parameter to the end, or select all of them",
        set->symbol->name, parameter->name);
}

/* Cuts the box of count processes from first on in which the parameters before k are fixed. The
 * runs keep the order of the processes. */
static bool cut(struct cutter *cutter, uint32_t k, uint32_t first, uint32_t count) {
    struct splitter *splitter = cutter->splitter;
    struct split_set *set = cutter->set;
    if (is_uniform(splitter, first, count)) {
        if (++splitter->run_count > SPLIT_MAX_RUNS)
            return refuse_size(splitter, "ranges", SPLIT_MAX_RUNS);
        VEC_PUSH(splitter->arena, &cutter->runs,
                 (struct split_run){.set = set,
                                    .group = splitter->group_of[first],
                                    .lower = copy_values(cutter, cutter->lower),
                                    .upper = copy_values(cutter, cutter->upper)});
        return true;
    }
    assert(k < set->parameter_count);
    if (type_has_scalar(set->parameters[k]->type) && set->lower[k] < set->upper[k])
        return refuse_scalar(splitter, set, set->parameters[k]);
    int32_t lower = set->lower[k], upper = set->upper[k];
    assert(lower <= upper && count % (uint32_t)(upper - lower + 1) == 0); /* a whole box */
    uint32_t size = count / (uint32_t)(upper - lower + 1), done = 0;
    for (int64_t value = lower; value <= upper; value++) {
        uint32_t begin = first + done;
        bool is_alike = is_uniform(splitter, begin, size);
        cutter->lower[k] = (int32_t)value;
        done += size;
        while (value < upper && is_alike) {
            is_alike = splitter->group_of[first + done] == splitter->group_of[begin] &&
                       is_uniform(splitter, first + done, size);
            if (is_alike) done += size, value++;
        }
        cutter->upper[k] = (int32_t)value;
        if (!cut(cutter, k + 1, begin, first + done - begin)) return false;
    }
    assert(done == count); /* no process is lost */
    cutter->lower[k] = lower;
    cutter->upper[k] = upper;
    return true;
}

static bool is_full(const struct split_run *run) {
    for (uint32_t k = 0; k < run->set->parameter_count; k++)
        if (run->lower[k] != run->set->lower[k] || run->upper[k] != run->set->upper[k])
            return false;
    return true;
}

/* Nodes */

static struct split_node *node_of(struct splitter *splitter, const struct symbol *symbol) {
    struct split_node *node = map_get(&splitter->node_of, map_key(symbol));
    if (node) return node;
    struct split_groups *groups = &splitter->groups[symbol->template->index];
    const struct instance *instance = symbol->kind == SYMBOL_INSTANCE ? symbol->instance : NULL;
    node = ARENA_NEW(splitter->arena, struct split_node);
    *node = (struct split_node){
        .symbol = symbol,
        .groups = groups,
        .names = ARENA_ARRAY(splitter->arena, const char *, groups->count),
        .uses = ARENA_ARRAY(splitter->arena, uint32_t, groups->count),
        .restricts = ARENA_ARRAY(splitter->arena, const struct split_run *, groups->count)};
    map_put(&splitter->node_of, map_key(symbol), node);
    VEC_PUSH(splitter->arena, &splitter->nodes, node);
    if (instance) node->base = node_of(splitter, instance->base);
    return node;
}

static void use(struct split_node *node, uint32_t group) {
    for (; node; node = node->base)
        if (node->uses[group]++) return; /* what it is made of is used by it already */
}

/* Instantiations that no process comes from stay as they are, and so what they are made of. */
static void use_idle(struct splitter *splitter) {
    const struct declaration_list *list = &splitter->model->system_declarations;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct instance *instance = list->items[i]->instance;
        if (!instance || map_get(&splitter->node_of, map_key(instance->symbol))) continue;
        struct split_node *base = map_get(&splitter->node_of, map_key(instance->base));
        assert(!base || base->names[base->keeper]);
        if (base) base->uses[base->keeper]++;
    }
}

/* "Voter_abstract", or with what is passed to it "Node_a_2". */
static const char *copy_name(struct splitter *splitter, const struct split_node *node, uint32_t g,
                             const char *keeper_key) {
    enum { MAX_KEY = 40 };
    const char *key = node->groups->keys[g];
    assert(node->uses[g] && g != node->keeper);
    struct buffer name = {0};
    buffer_printf(&name, "%s_", node->symbol->name);
    if (!strcmp(key, keeper_key) || passes_nothing(key) || strlen(key) > MAX_KEY) key = "abstract";
    for (const char *c = key; *c; c++) {
        bool is_plain =
            (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (is_plain || name.data[name.size - 1] != '_') buffer_add(&name, is_plain ? c : "_", 1);
    }
    while (name.data[name.size - 1] == '_') name.data[--name.size] = '\0';
    const char *fresh = intern_fresh(splitter->model->names, name.data);
    buffer_close(&name);
    return fresh;
}

static void name_node(struct splitter *splitter, struct split_node *node) {
    bool has_keeper = false;
    for (uint32_t g = 0; g < node->groups->count; g++) {
        if (!node->uses[g]) continue;
        node->names[g] = has_keeper ? copy_name(splitter, node, g, node->groups->keys[node->keeper])
                                    : node->symbol->name;
        if (!has_keeper) node->keeper = g;
        has_keeper = true;
    }
    assert(has_keeper && node->names[node->keeper]); /* a node is made for a process */
}

/* A search for a use of a parameter in which its type matters beyond its values. */
struct type_use {
    const struct symbol *parameter;
    bool found;
};

static bool find_type_use(void *user, const struct expr *expr) {
    struct type_use *use = user;
    if (expr_assigns(expr)) use->found |= expr_root(expr->child[0]) == use->parameter;
    const struct function *function =
        expr->kind == EXPR_CALL && expr->symbol ? expr->symbol->function : NULL;
    for (uint32_t i = 0; function && i < expr->argument_count; i++)
        use->found |= function->parameters[i]->is_reference &&
                      expr_root(expr->arguments[i]) == use->parameter;
    return !use->found;
}

static bool can_restrict(const struct split_node *node, const struct symbol *parameter) {
    const struct template *template = node->symbol->template;
    struct type_use use = {parameter, false};
    if (type_prefixes(parameter->type) & PREFIX_CONST) return true;
    if (node->base) return false; /* it may go on to a reference parameter */
    for (uint32_t i = 0; i < template->edge_count; i++)
        walk_list(&template->edges[i].updates, find_type_use, &use);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        walk_expr(template->edges[i].written_guard, find_type_use, &use);
        walk_expr(template->edges[i].sync, find_type_use, &use);
        walk_expr(template->edges[i].weight, find_type_use, &use);
    }
    for (uint32_t i = 0; i < template->location_count; i++)
        walk_expr(template->locations[i].written_invariant, find_type_use, &use);
    walk_functions(&template->declarations, find_type_use, &use);
    return !use.found;
}

static void name_run(struct splitter *splitter, struct split_run *run) {
    assert(run->set->node && run->set->node->uses[run->group]);
    struct split_node *node = run->set->node;
    bool is_free = node->uses[run->group] == 1;
    run->name = node->names[run->group];
    if (is_full(run)) return;
    for (uint32_t k = 0; k < run->set->parameter_count && is_free; k++)
        if (run->lower[k] != run->set->lower[k] || run->upper[k] != run->set->upper[k])
            is_free = can_restrict(node, run->set->parameters[k]);
    if (is_free) {
        node->restricts[run->group] = run;
        return;
    }
    run->is_part = true;
    run->name =
        intern_fresh(splitter->model->names, arena_printf(splitter->arena, "%s_part", run->name));
}

bool split_make_runs(struct splitter *splitter) {
    uint32_t set_count = splitter->model->process_count;
    if (!make_groups(splitter)) return false;
    for (uint32_t i = 0; i < set_count; i++) {
        struct split_set *set = &splitter->sets[i];
        struct cutter cutter = {.splitter = splitter, .set = set};
        if (splitter->groups[set->symbol->template->index].count == 1) continue;
        set->node = node_of(splitter, set->symbol);
        cutter.lower = copy_values(&cutter, set->lower);
        cutter.upper = copy_values(&cutter, set->upper);
        if (!cut(&cutter, 0, set->first, set->count)) return false;
        set->runs = cutter.runs.items;
        set->run_count = cutter.runs.count;
        assert(set->run_count && set->run_count <= set->count);
        for (uint32_t r = 0; r < set->run_count; r++) use(set->node, set->runs[r].group);
    }
    for (uint32_t i = 0; i < splitter->nodes.count; i++)
        name_node(splitter, splitter->nodes.items[i]);
    use_idle(splitter);
    for (uint32_t i = 0; i < set_count; i++)
        for (uint32_t r = 0; r < splitter->sets[i].run_count; r++)
            name_run(splitter, &splitter->sets[i].runs[r]);
    return true;
}
