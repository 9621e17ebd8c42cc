/* Instances: each edge of a process with one tuple of values of its selects, branchpoints
 * passed. */
#include "explore/successor/assemble_internal.h"

#include <assert.h>

/* edges: the path, shared by all instances of it. */
static bool add_instance(struct program_builder *builder, const struct process *process,
                         const struct edge *const *edges, uint32_t count, int32_t *const *values) {
    assert(count > 0 && count <= PATH_MAX_BRANCHES + 1);
    struct program *program = builder->program;
    const int32_t **selects = ARENA_ARRAY(builder->arena, const int32_t *, count);
    struct edge_instance instance = {.process = process,
                                     .edges = edges,
                                     .selects = selects,
                                     .edge_count = count,
                                     .sync = count,
                                     .source = edges[0]->source,
                                     .target = edges[count - 1]->target,
                                     .channel = NO_SLOT};
    for (uint32_t i = 0; i < count; i++) {
        const struct edge *edge = edges[i];
        int32_t *copy = ARENA_ARRAY(builder->arena, int32_t, edge->select_count + 1);
        if (edge->select_count) memcpy(copy, values[i], edge->select_count * sizeof *copy);
        selects[i] = copy;
        if (!edge->sync) continue;
        assert(instance.sync == count); /* a step synchronises once */
        instance.sync = i;
        instance.is_send = edge->is_send;
    }
    assert(instance.source < process->template->location_count);
    assert(instance.target < process->template->location_count);
    assert(program->instances.count < program->instances.capacity); /* they were counted */
    program->instances.items[program->instances.count++] = instance;
    return builder_goes_on(builder);
}

/* The shape of the values of a select; NULL: it has none, and there is no step. */
static const struct shape *shape_of_select(struct program_builder *builder,
                                           const struct process *process,
                                           const struct symbol *select) {
    return eval_shape_in(&builder->environment, process->locals, select->type);
}

/* Counts the instances of the path; false (reported) if there are too many so far. */
static bool count_path(struct program_builder *builder, const struct process *process,
                       uint32_t count) {
    uint64_t product = 1, most = PROGRAM_MAX_INSTANCES;
    size_t size = program_most(&builder->limits);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < builder->path[i]->select_count; k++) {
            const struct shape *shape =
                shape_of_select(builder, process, builder->path[i]->selects[k]);
            if (!shape) return true;
            product *= (uint64_t)((int64_t)shape->upper - shape->lower + 1);
            if (product > PROGRAM_MAX_INSTANCES) product = (uint64_t)PROGRAM_MAX_INSTANCES + 1;
        }
    if (most > size / sizeof(struct edge_instance)) most = size / sizeof(struct edge_instance);
    builder->instance_count += product;
    if (builder->instance_count <= most) return true;
    const struct edge *edge = builder->path[0];
    diag_error(builder->diag, STATUS_LIMIT, edge->select_count ? edge->selects[0]->span.begin : 0,
               "the selects of '%s' and others give more than %llu edges with fixed values%s; "
               "make their ranges smaller, or choose the values one after the other",
               process->template->symbol->name, (unsigned long long)most,
               most < PROGRAM_MAX_INSTANCES ? ", which --max-memory allows" : "");
    *builder->met = most < PROGRAM_MAX_INSTANCES ? LIMIT_MEMORY : LIMIT_SELECTS;
    return false;
}

/* All values of the selects of the path, counting like an odometer. */
static bool add_path(struct program_builder *builder, const struct process *process,
                     uint32_t count) {
    int32_t *values[PATH_MAX_BRANCHES + 1];
    const struct shape **shapes[PATH_MAX_BRANCHES + 1];
    const struct edge **edges = ARENA_ARRAY(builder->arena, const struct edge *, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct edge *edge = edges[i] = builder->path[i];
        values[i] = ARENA_ARRAY(builder->arena, int32_t, edge->select_count + 1);
        shapes[i] = ARENA_ARRAY(builder->arena, const struct shape *, edge->select_count + 1);
        for (uint32_t k = 0; k < edge->select_count; k++) {
            shapes[i][k] = shape_of_select(builder, process, edge->selects[k]);
            if (!shapes[i][k]) return true;
            values[i][k] = shapes[i][k]->lower;
        }
    }
    for (bool more = true; more;) {
        if (!add_instance(builder, process, edges, count, values)) return false;
        more = false;
        for (uint32_t i = count; i-- > 0 && !more;)
            for (uint32_t k = builder->path[i]->select_count; k-- > 0 && !more;) {
                more = values[i][k] < shapes[i][k]->upper;
                values[i][k] = more ? values[i][k] + 1 : shapes[i][k]->lower;
            }
    }
    return true;
}

typedef bool (*path_found)(struct program_builder *builder, const struct process *process,
                           uint32_t count);

/* Calls back with each path that begins with the edge; false if one call does, or (reported) if
 * there are no such steps. */
static bool find_paths(struct program_builder *builder, const struct process *process,
                       const struct edge *edge, uint32_t count, path_found found) {
    const struct template *template = process->template;
    if (count > PATH_MAX_BRANCHES)
        return diag_error(builder->diag, STATUS_UNSUPPORTED, 0,
                          "'%s' has more than %d branchpoints in a row", template->symbol->name,
                          PATH_MAX_BRANCHES);
    for (uint32_t i = 0; i < count && edge->sync; i++) {
        if (!builder->path[i]->sync) continue;
        return diag_error(
            builder->diag, STATUS_UNSUPPORTED, edge->sync->span.begin,
            "a second synchronisation in one step, after the one before the branchpoint; "
            "a step has one, so use a committed location in place of the branchpoint");
    }
    builder->path[count++] = edge;
    assert(count == 1 || builder->path[count - 2]->target == edge->source);
    if (edge->target < template->location_count) return found(builder, process, count);
    for (uint32_t i = 0; i < template->edge_count; i++)
        if (template->edges[i].source == edge->target &&
            !find_paths(builder, process, &template->edges[i], count, found))
            return false;
    return true;
}

static bool find_all_paths(struct program_builder *builder, path_found found) {
    const struct network *network = builder->program->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        const struct template *template = process->template;
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (template->edges[i].source < template->location_count &&
                !find_paths(builder, process, &template->edges[i], 0, found))
                return false;
    }
    return true;
}

bool add_instances(struct program_builder *builder) {
    struct program *program = builder->program;
    if (!find_all_paths(builder, count_path)) return false;
    VEC_RESERVE(builder->arena, &program->instances, (uint32_t)builder->instance_count);
    if (!find_all_paths(builder, add_path)) return false;
    assert(program->instances.count == builder->instance_count);
    return true;
}
