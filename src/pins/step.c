/* The steps of a group. */
#include "pins/module_internal.h"

static void load(struct module *module, const struct step_group *group, const int *values) {
    vector_clear(&module->vector, &module->state);
    for (uint32_t i = 0; i < group->field_count; i++)
        if (group->marks[i] & FOOTPRINT_READS)
            vector_load(&module->vector, group->fields[i], values, &module->state);
}

/* Once, as `varabs check` counts what fails. */
static void warn(struct module *module) {
    const struct fault *fault = &module->expander.first_error;
    diag_warning(&module->session.diag, fault->span.begin,
                 "a step fails and is left out, as perhaps are others: %s",
                 fault_name(fault->kind));
    diag_print(&module->session.diag, stderr);
    module->has_warned = true;
}

static void show(struct module *module, const struct step_group *group, struct level_state *after,
                 uint32_t shown) {
    after->committed =
        module->state.committed + count_committed(module->program, after->words) - shown;
    for (uint32_t i = 0; i < group->field_count; i++)
        if (group->marks[i] & FOOTPRINT_WRITES)
            module->after[module->vector.places[group->fields[i]]] =
                vector_value(&module->vector, group->fields[i], after);
}

int next_steps(struct grey_box_model *model, int index, int *values, transition_callback *callback,
               void *context) {
    struct module *module = GBgetContext(model);
    struct expander *expander = &module->expander;
    const struct step_group *group = &module->groups.items.items[index];
    load(module, group, values);
    expander_clear(expander);
    bool is_done = module->is_whole ? expander_run(expander, module->state.words)
                                    : step_group_run(group, expander, module->state.words,
                                                     module->state.committed > 0);
    if (!is_done) module_fail(module);
    if (expander->error_count && !module->has_warned) warn(module);
    uint32_t shown = count_committed(module->program, module->state.words);
    for (uint32_t i = 0; i < expander->count; i++) {
        struct level_state after = {.words = expander->states + (size_t)i * expander->word_count};
        int label = action_texts_number(&module->actions, expander, &expander->records.items[i]);
        struct transition_info info = {.labels = &label, .group = index};
        memcpy(module->after, values, module->vector.length * sizeof *values);
        show(module, group, &after, shown);
        callback(context, &info, module->after, NULL);
    }
    return (int)expander->count;
}
