/* See context.h. */
#include "abstract/facts/context.h"

/* Compile-time evaluation must not look at slots. */
static int32_t read_constant(void *user, uint32_t address) {
    struct form_context *context = user;
    if (context->network->slot_of[address] != NO_SLOT) context->has_read_slot = true;
    return context->environment.cells[address];
}

void form_context_init(struct form_context *context, struct arena *arena,
                       const struct network *network, const struct request *request,
                       const struct function_plan *functions, struct analysis *analysis,
                       struct interner *names, struct diag *diag) {
    *context = (struct form_context){.arena = arena,
                                     .network = network,
                                     .request = request,
                                     .functions = functions,
                                     .analysis = analysis,
                                     .names = names,
                                     .diag = diag};
    map_init(&context->unrolled, arena);
    for (uint32_t i = 0; i < network->before_update.list.count; i++)
        context->has_before_update |= network->before_update.list.items[i].writes;
    network_environment(network, &context->environment, arena);
    context->environment.tracked_count = network->cell_count;
    context->environment.read = read_constant;
    context->environment.context = context;
}

void form_context_close(struct form_context *context) { eval_close(&context->environment); }
