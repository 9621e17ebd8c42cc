#include "abstract/facts/context.h"

#include <assert.h>

/* Compile-time evaluation must not look at slots. */
static int32_t read_constant(void *user, uint32_t address) {
    struct context *context = user;
    assert(address < context->network->cell_count); /* what is bound after is not tracked */
    if (context->network->slot_of[address] != NO_SLOT) context->has_read_slot = true;
    return context->environment.cells[address];
}

/* All arguments are borrowed; names grows by names made up on the way. */
void context_init(struct context *context, struct arena *arena, const struct network *network,
                  const struct request *request, const struct function_plan *functions,
                  struct analysis *analysis, struct interner *names, struct diag *diag) {
    *context = (struct context){.arena = arena,
                                .network = network,
                                .request = request,
                                .functions = functions,
                                .analysis = analysis,
                                .names = names,
                                .diag = diag};
    assert(!analysis || network_is_same(analysis->network, network));
    map_init(&context->unrolled, arena);
    context->partners = ARENA_NEW(arena, struct map);
    map_init(context->partners, arena);
    for (uint32_t i = 0; i < network->before_update.list.count; i++)
        context->has_before_update |= network->before_update.list.items[i].writes;
    network_environment(network, &context->environment, arena);
    context->environment.tracked_count = network->cell_count;
    context->environment.read = read_constant;
    context->environment.context = context;
}

/* Frees the heap memory of the evaluator; what is in the arena stays. */
void context_close(struct context *context) { eval_close(&context->environment); }

/* Ends an evaluation; says how it failed, and whether it has read a slot. */
static enum fault_kind finish(struct context *context, bool *has_read_slot) {
    enum fault_kind kind = context->environment.fault.kind;
    *has_read_slot = context->has_read_slot;
    context->environment.fault = (struct fault){0};
    context->has_read_slot = false;
    return kind;
}

static bool is_clean(const struct context *context) {
    return !context->has_read_slot && !context->environment.fault.kind;
}

bool context_value(struct context *context, const struct expr *expr, int32_t *value) {
    bool has_read_slot;
    assert(is_clean(context));
    *value = eval_int(&context->environment, expr);
    return !finish(context, &has_read_slot) && !has_read_slot;
}

bool context_value_of_cells(struct context *context, const struct expr *expr, int32_t *value) {
    bool has_read_slot;
    assert(is_clean(context));
    *value = eval_int(&context->environment, expr);
    return !finish(context, &has_read_slot);
}

const struct shape *context_shape(struct context *context, const struct type *type) {
    bool has_read_slot;
    assert(is_clean(context));
    const struct shape *shape = eval_shape(&context->environment, type);
    bool ok = !finish(context, &has_read_slot) && !has_read_slot;
    assert(shape || !ok); /* a type without a shape is a fault */
    return ok ? shape : NULL;
}

/* PATH_FOUND fills in the place; the others leave nothing to use in it. */
enum path_end context_place(struct context *context, const struct expr *path,
                            struct binding *place) {
    bool has_read_slot;
    assert(is_clean(context));
    bool ok = eval_lvalue(&context->environment, path, place);
    if (finish(context, &has_read_slot) == FAULT_UNBOUND || has_read_slot) return PATH_UNKNOWN;
    assert(!ok || (place->shape && place->shape->cell_count));
    return ok ? PATH_FOUND : PATH_FAILS;
}
