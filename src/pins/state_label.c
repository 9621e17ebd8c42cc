/* Queries as labels of states. */
#include "explore/code/reads.h"
#include "pins/module_internal.h"

static void add_label(struct module *module, uint32_t number) {
    struct program *program = module->program;
    const struct query *query = &program->network->model->queries[number];
    struct state_label label = {.query = number};
    if (query->quantifier != QUERY_ALWAYS && query->quantifier != QUERY_POSSIBLY) return;
    unit_begin(program->compiler);
    unit_predicate(program->compiler, query->predicate, false);
    unit_end(program->compiler, &label.unit);
    label.bits = ARENA_ARRAY(&module->session.arena, uint64_t, program->layout->word_count + 1);
    label.reads_all = !unit_reads(&program->code, &label.unit, label.bits,
                                  program->layout->word_count, &label.asks_stuck);
    label.reads_all |= label.asks_stuck;
    VEC_PUSH(&module->session.arena, &module->labels, label);
}

/* Before the expander is made, as its machine is for the code that is there. */
void find_labels(struct module *module) {
    for (uint32_t i = 0; i < module->program->network->model->query_count; i++)
        add_label(module, i);
}

/* What a part of the state that the label does not read is like does not matter. */
int read_label(struct grey_box_model *model, int index, int *values) {
    struct module *module = GBgetContext(model);
    const struct state_label *label = &module->labels.items[index];
    struct machine *machine = &module->expander.machine;
    struct level_state *state = &module->state;
    vector_clear(&module->vector, state);
    for (uint32_t i = 0; i < module->vector.length; i++)
        vector_load(&module->vector, module->vector.fields[i], values, state);
    if (label->asks_stuck) {
        expander_clear(&module->expander);
        if (!expander_run(&module->expander, state->words)) module_fail(module);
        machine->is_stuck = !expander_degree(&module->expander);
    }
    enum outcome outcome = machine_unit(machine, &label->unit, state->words);
    if (outcome == RUN_FAULT) {
        diag_error(&module->session.diag, STATUS_INVALID, machine->fault.span.begin,
                   "query %u cannot be evaluated in some state: %s", label->query + 1,
                   fault_name(machine->fault.kind));
        module_fail(module);
    }
    if (is_broken_off(outcome)) module_fail(module);
    return outcome == RUN_TRUE;
}
